// Package revision reads directories out of a git revision, without a checkout:
// it asks git for the list of files and for their bytes, as they were committed.
// No attribute, filter or line ending setting changes them on the way.
package revision

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// An Error says that a revision or directory cannot be had: a mistake in the
// question.
type Error struct{ Reason string }

func (e *Error) Error() string { return e.Reason }

// Extract writes the files that a directory had in a revision below another
// one, which exists: those that keep wants, by their slash-separated paths below
// the directory. Links are written as links. The directory need not be there any
// more, but it must lie in a git repository.
func Extract(rev, dir string, keep func(name string) bool, into string) error {
	r, err := locate(dir)
	if err != nil {
		return err
	}
	out, err := r.git("rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		if _, ok := errors.AsType[*exec.ExitError](err); ok {
			return &Error{fmt.Sprintf("there is no revision %q here; a shallow clone may lack it: fetch it first", rev)}
		}
		return err
	}
	files, total, err := r.list(strings.TrimSpace(string(out)), keep)
	if err != nil {
		return err
	}
	if total == 0 {
		return &Error{fmt.Sprintf("the revision %s has no directory %s", rev, path.Clean(filepath.ToSlash(dir)))}
	}
	return r.write(files, into)
}

// repository is a directory of a work tree, and the path in the repository that
// is asked for.
type repository struct {
	dir  string
	path string // slash-separated from the top, with a slash at the end; empty: the top itself
}

// locate finds the repository of a directory that may be gone.
func locate(dir string) (repository, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return repository{}, fmt.Errorf("finding the working directory: %w", err)
	}
	r, rest := repository{dir: dir}, ""
	for {
		info, err := os.Stat(r.dir)
		if err == nil && info.IsDir() {
			break
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) || r.dir == filepath.Dir(r.dir) {
			return r, fmt.Errorf("looking for %s: %w", dir, err)
		}
		rest = path.Join(filepath.Base(r.dir), rest)
		r.dir = filepath.Dir(r.dir)
	}
	prefix, err := r.git("rev-parse", "--show-prefix")
	if err != nil {
		if _, ok := errors.AsType[*exec.ExitError](err); ok {
			return r, &Error{dir + " is in no git work tree"}
		}
		return r, err
	}
	if r.path = path.Join(strings.TrimSuffix(string(prefix), "\n"), rest); r.path != "" {
		r.path += "/"
	}
	return r, nil
}

// git runs git and gives its standard output. An error that is no ExitError is
// about starting it.
func (r repository) git(args ...string) ([]byte, error) {
	out, err := r.command(args...).Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, &Error{"git is needed for a revision, and is not on the path"}
	}
	return out, err
}

func (r repository) command(args ...string) *exec.Cmd {
	cmd := exec.Command("git", append([]string{"-C", r.dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	return cmd
}

// A blob is a file of a revision.
type blob struct {
	name, object string
	link         bool
}

// list gives the files that keep wants, and how many there are in all.
func (r repository) list(commit string, keep func(string) bool) (files []blob, total int, err error) {
	args := []string{"ls-tree", "-r", "-z", "--full-tree", commit}
	if r.path != "" {
		args = append(args, "--", r.path)
	}
	out, err := r.git(args...)
	if err != nil {
		return nil, 0, fmt.Errorf("listing the files of %s: %w", commit, err)
	}
	for _, line := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		head, name, _ := strings.Cut(line, "\t")
		fields := strings.Fields(head) // mode, type, object
		name, inside := strings.CutPrefix(name, r.path)
		if len(fields) != 3 || fields[1] != "blob" || !inside || !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		total++
		if keep(name) {
			files = append(files, blob{name, fields[2], fields[0] == "120000"})
		}
	}
	return files, total, nil
}

// write writes the files, with one git for all of them.
func (r repository) write(files []blob, into string) error {
	if len(files) == 0 {
		return nil
	}
	var ask bytes.Buffer
	for _, f := range files {
		fmt.Fprintln(&ask, f.object)
	}
	cmd := r.command("cat-file", "--batch")
	cmd.Stdin = &ask
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("starting git cat-file: %w", err)
	}
	answers := bufio.NewReader(pipe)
	for _, f := range files {
		if err = f.write(answers, into); err != nil {
			break
		}
	}
	if err != nil {
		err = errors.Join(err, cmd.Process.Kill())
	}
	if waited := cmd.Wait(); err == nil && waited != nil {
		err = fmt.Errorf("git cat-file: %w", waited)
	}
	return err
}

// write takes the answer about one file, OBJECT TYPE SIZE and the bytes, and
// writes it.
func (f blob) write(answers *bufio.Reader, into string) error {
	line, err := answers.ReadString('\n')
	if err != nil {
		return fmt.Errorf("reading %s from git: %w", f.name, err)
	}
	fields := strings.Fields(line)
	size := -1
	if len(fields) == 3 {
		size, err = strconv.Atoi(fields[2])
	}
	if err != nil || size < 0 {
		return fmt.Errorf("reading %s from git: it says %q", f.name, strings.TrimSpace(line))
	}
	data := make([]byte, size+1) // and a line feed
	if _, err := io.ReadFull(answers, data); err != nil {
		return fmt.Errorf("reading %s from git: %w", f.name, err)
	}
	target := filepath.Join(into, filepath.FromSlash(f.name))
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	if f.link {
		return os.Symlink(string(data[:size]), target)
	}
	return os.WriteFile(target, data[:size], 0o600)
}
