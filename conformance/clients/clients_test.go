package clients

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A lock file that names a registry works in one network only.
func TestLockNamesNoRegistry(t *testing.T) {
	lock, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{`"resolved"`, "http"} {
		if strings.Contains(string(lock), word) {
			t.Errorf("package-lock.json holds %s", word)
		}
	}
}

func TestFindTakesThePinnedVersionOnly(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the clients are pinned for linux/amd64")
	}
	for key, inside := range program {
		t.Run(key, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv(DirVariable, dir)
			if _, err := Find(key); err == nil || !strings.Contains(err.Error(), "conformance/run") {
				t.Errorf("missing client: %v", err)
			}
			_, version, err := pinned(key)
			if err != nil {
				t.Fatal(err)
			}
			home := filepath.Join(dir, "node_modules", key)
			write(t, filepath.Join(home, inside), "")
			write(t, filepath.Join(home, "package.json"), `{"version": "0.0.1"}`)
			if _, err := Find(key); err == nil || !strings.Contains(err.Error(), "is pinned") {
				t.Errorf("other version: %v", err)
			}
			write(t, filepath.Join(home, "package.json"), `{"version": "`+version+`"}`)
			if client, err := Find(key); err != nil || !strings.HasPrefix(version, client.Version) {
				t.Errorf("pinned version: %v, %v", client, err)
			}
		})
	}
	if _, err := Find("emacs"); err == nil {
		t.Error("an unknown client was found")
	}
}

func TestVersions(t *testing.T) {
	for provider, want := range map[string]int{"claude": 1, "codex": 2, "kiro": 0} {
		versions, err := Versions(provider)
		if err != nil || len(versions) != want {
			t.Errorf("%s: %v, %v; want %d", provider, versions, err, want)
		}
		for _, version := range versions {
			if strings.Contains(version, "-") {
				t.Errorf("%s: %q names a platform", provider, version)
			}
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
