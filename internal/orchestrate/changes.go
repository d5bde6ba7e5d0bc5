package orchestrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"
)

// Paths reads a list of changed paths: one on each line, as git prints them, or
// ended by NUL bytes, which no path can hold. Nothing but an empty list is
// without paths: what cannot be a path in a repository makes the list unreadable.
func Paths(data []byte, nul bool) ([]string, error) {
	if nul || bytes.IndexByte(data, 0) >= 0 {
		return nulPaths(data)
	}
	var paths []string
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line == "" {
			continue
		}
		name, err := unquote(line)
		if err == nil {
			name, err = inside(name)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		paths = append(paths, name)
	}
	return paths, nil
}

func nulPaths(data []byte) ([]string, error) {
	if len(data) > 0 && data[len(data)-1] != 0 {
		return nil, errors.New("the last path does not end in a NUL byte: the list is cut off")
	}
	var paths []string
	for i, name := range strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00") {
		if name == "" && len(data) == 0 {
			break
		}
		name, err := inside(name)
		if err != nil {
			return nil, fmt.Errorf("path %d: %w", i+1, err)
		}
		paths = append(paths, name)
	}
	return paths, nil
}

// inside cleans a path, and refuses one that is not inside a repository.
func inside(name string) (string, error) {
	clean := path.Clean(name)
	if name == "" || path.IsAbs(clean) || clean == "." || clean == ".." || strings.HasPrefix(clean, "../") {
		return "", fmt.Errorf("%q is no path relative to the root of the repository", name)
	}
	return clean, nil
}

// unquote undoes the quotes that git puts around unusual names
// (core.quotePath).
func unquote(line string) (string, error) {
	if line[0] != '"' {
		return line, nil
	}
	rest, ok := strings.CutSuffix(line[1:], `"`)
	if !ok || line == `"` {
		return "", fmt.Errorf("%s has no closing quote", line)
	}
	var b strings.Builder
	for rest != "" {
		if rest[0] == '"' {
			return "", fmt.Errorf("%s has a quote inside", line)
		}
		if rest[0] != '\\' {
			b.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		// A byte in octal, or one of the letters that C and Go share.
		c, _, tail, err := strconv.UnquoteChar(rest, '"')
		if err != nil || c > 0xff {
			return "", fmt.Errorf("%s is not quoted as git does it", line)
		}
		b.WriteByte(byte(c))
		rest = tail
	}
	return b.String(), nil
}

// GitChanges lists the paths that differ between a revision and the work tree
// that a directory lies in, new files that are not ignored included; of a range
// (A..B) those between its ends. It runs git with fixed arguments, without a
// shell, and lets it write nothing.
func GitChanges(ctx context.Context, dir, rev string) ([]string, error) {
	root, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	dir = strings.TrimSuffix(string(root), "\n")
	list, err := git(ctx, dir, "diff", "--name-only", "-z", "--no-renames", "--no-relative", "--no-ext-diff", "--ignore-submodules=none", rev, "--")
	if err != nil {
		return nil, err
	}
	if !strings.Contains(rev, "..") {
		untracked, err := git(ctx, dir, "ls-files", "-z", "--others", "--exclude-standard")
		if err != nil {
			return nil, err
		}
		list = append(list, untracked...)
	}
	return nulPaths(list)
}

// CheckRevision refuses what git would take for an option.
func CheckRevision(rev string) error {
	if rev == "" || rev[0] == '-' {
		return fmt.Errorf("%q is no revision", rev)
	}
	return nil
}

func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, first)
	}
	return out, nil
}
