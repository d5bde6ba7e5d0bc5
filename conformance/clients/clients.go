// Package clients finds the real agent clients that conformance/run has installed from the pinned versions in
// package.json, which this package embeds, so that a version stands once.
//
// Each client ships as a native program inside an npm package; it is run directly, without Node and without the
// packages' install scripts.
package clients

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// DirVariable names the environment variable that moves the directory of installed clients.
const DirVariable = "SUBAGENTS_CONFORMANCE_CLIENTS"

// Client is one installed client.
type Client struct {
	Provider string // as in the manifest: claude, codex, goose, opencode
	Package  string // npm package
	Version  string // pinned, and found installed
	Path     string // the native program
}

// Label is the client as a person would name it, for instance "codex 0.148.0".
func (c Client) Label() string { return c.Provider + " " + c.Version }

//go:embed package.json
var manifest []byte

// program is where each client's package, which is a dependency in package.json under the client's key, has its
// native program.
var program = map[string]string{
	"claude":    "claude",
	"codex":     codexProgram,
	"codex-old": codexProgram,
	"goose":     "bin/goose",
	"opencode":  "bin/opencode",
}

const codexProgram = "vendor/x86_64-unknown-linux-musl/bin/codex"

// Find returns an installed client by key: claude, codex, codex-old, goose or opencode. A client that is missing, or
// installed in another version than package.json pins, is an error: the suite never tests against something else.
func Find(key string) (Client, error) {
	inside, ok := program[key]
	if !ok {
		return Client{}, fmt.Errorf("no client is called %q", key)
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return Client{}, fmt.Errorf("the clients are pinned for linux/amd64, this is %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	modules, err := modulesDir()
	if err != nil {
		return Client{}, err
	}
	name, want, err := pinned(key)
	if err != nil {
		return Client{}, err
	}
	dir := filepath.Join(modules, key)
	found, err := installedVersion(dir)
	if err != nil {
		return Client{}, fmt.Errorf("client %s is not installed, run conformance/run: %w", key, err)
	}
	if found != want {
		return Client{}, fmt.Errorf("client %s: version %s is installed, %s is pinned", key, found, want)
	}
	path := filepath.Join(dir, inside)
	if _, err := os.Stat(path); err != nil {
		return Client{}, fmt.Errorf("client %s: %w", key, err)
	}
	return Client{Provider: providerOf(key), Package: name, Version: plain(found), Path: path}, nil
}

// Versions lists the pinned versions of a provider's client; none where it has no client to run.
func Versions(provider string) ([]string, error) {
	var versions []string
	for _, key := range slices.Sorted(maps.Keys(program)) {
		if providerOf(key) != provider {
			continue
		}
		_, version, err := pinned(key)
		if err != nil {
			return nil, err
		}
		versions = append(versions, plain(version))
	}
	return versions, nil
}

func providerOf(key string) string {
	provider, _, _ := strings.Cut(key, "-")
	return provider
}

// plain is the version of the client, without the platform that a package's version may name.
func plain(version string) string { return strings.TrimSuffix(version, "-linux-x64") }

func modulesDir() (string, error) {
	dir := os.Getenv(DirVariable)
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("directory of the clients: %w", err)
		}
		dir = filepath.Join(cache, "subagents-conformance")
	}
	return filepath.Join(dir, "node_modules"), nil
}

// pinned reads the package and the exact version behind a client's alias, "npm:@openai/codex@0.148.0-linux-x64".
func pinned(key string) (name, version string, err error) {
	var parsed struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal(manifest, &parsed); err != nil {
		return "", "", fmt.Errorf("package.json: %w", err)
	}
	alias := strings.TrimPrefix(parsed.Dependencies[key], "npm:")
	at := strings.LastIndexByte(alias, '@')
	if at <= 0 {
		return "", "", fmt.Errorf("package.json pins no %s", key)
	}
	return alias[:at], alias[at+1:], nil
}

func installedVersion(dir string) (string, error) {
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", err
	}
	var parsed struct {
		Version string `json:"version"`
	}
	err = json.Unmarshal(data, &parsed)
	return parsed.Version, err
}
