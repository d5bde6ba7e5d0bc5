package install

import (
	"fmt"
	"os"

	"github.com/pelletier/go-toml/v2"
)

// codexTables gives the names of the tables [agents.NAME] in a Codex
// configuration, each with its config_file, or "".
func codexTables(path string) (map[string]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var config struct {
		Agents map[string]any `toml:"agents"`
	}
	if err := toml.Unmarshal(data, &config); err != nil {
		return nil, fmt.Errorf("reading it as TOML: %w", err)
	}
	tables := map[string]string{}
	for name, value := range config.Agents {
		if table, ok := value.(map[string]any); ok {
			file, _ := table["config_file"].(string)
			tables[name] = file
		}
	}
	return tables, nil
}
