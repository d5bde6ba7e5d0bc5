package install

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// LedgerVersion is the version of the ledger's format that this program reads
// and writes.
const LedgerVersion = 1

// A Ledger is the record of the files that were written, by directory. Keys of
// directories are real paths in a person's ledger, and slash-separated paths
// relative to the project in a project's. docs/ledger.md describes the file.
type Ledger struct {
	Dirs  map[string]*LedgerDir
	extra unknown
}

// A LedgerDir holds the records of one directory.
type LedgerDir struct {
	Provider schema.ProviderID
	Files    map[string]Record // by name
	extra    unknown
}

// A Record is what the ledger knows of one file.
type Record struct {
	Agent     string
	Catalogue string
	Tags      []string // of the entry when it was written, so that --tag limits pruning
	// SHA256 of the bytes that were written, in lower-case hex. Empty: the file
	// was about to be written for the first time.
	SHA256 string
	// Pending is the hash of the bytes that a run was about to put in their
	// place; empty when no run is under way or was cut off.
	Pending string
	// Link is where the file leads if it was made as a symbolic link.
	Link  string
	extra unknown
}

// Sum hashes a file's bytes as the ledger does.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// knows says whether bytes of this hash were written by a run of ours.
func (r Record) knows(sum string) bool {
	return sum != "" && (sum == r.SHA256 || sum == r.Pending)
}

// begun says that a first write was announced and not confirmed.
func (r Record) begun() bool { return r.SHA256 == "" && r.Link == "" }

// Record gives the record of a file.
func (l *Ledger) Record(key, name string) (Record, bool) {
	if l == nil || l.Dirs[key] == nil {
		return Record{}, false
	}
	r, ok := l.Dirs[key].Files[name]
	return r, ok
}

// clone copies the ledger so that the copy can be changed.
func (l *Ledger) clone() *Ledger {
	c := &Ledger{Dirs: make(map[string]*LedgerDir, len(l.Dirs)), extra: l.extra}
	for key, dir := range l.Dirs {
		copied := *dir
		copied.Files = maps.Clone(dir.Files)
		c.Dirs[key] = &copied
	}
	return c
}

// set records a file. What a newer program knew of it stays.
func (l *Ledger) set(d *Dest, name string, r Record) {
	dir := l.Dirs[d.Key]
	if dir == nil {
		dir = &LedgerDir{Provider: d.Provider}
		l.Dirs[d.Key] = dir
	}
	if dir.Files == nil {
		dir.Files = map[string]Record{}
	}
	dir.Files[name] = r
}

// forget drops a record, and its directory with the last one.
func (l *Ledger) forget(key, name string) {
	dir := l.Dirs[key]
	if dir == nil {
		return
	}
	delete(dir.Files, name)
	if len(dir.Files) == 0 && len(dir.extra) == 0 {
		delete(l.Dirs, key)
	}
}

// empty says that the ledger says nothing.
func (l *Ledger) empty() bool { return len(l.Dirs) == 0 && len(l.extra) == 0 }

// follow renames the directories of a person's ledger to what they are called
// today: a directory that was moved behind a link is still the same one.
func (l *Ledger) follow() {
	for _, key := range slices.Sorted(maps.Keys(l.Dirs)) {
		at, err := locate(key)
		if !filepath.IsAbs(key) || err != nil || at.path() == key {
			continue
		}
		moved, dir := at.path(), l.Dirs[key]
		delete(l.Dirs, key)
		if there := l.Dirs[moved]; there != nil {
			maps.Copy(dir.Files, there.Files) // what is recorded under the real path wins
			there.Files = dir.Files
			continue
		}
		l.Dirs[moved] = dir
	}
}

// A Stray record is one that the ledger of this scope cannot have.
type strayRecord struct{ key, name, why string }

// strays lists the records that are never acted on: in a project's ledger those
// that no host's table of places can produce, in a person's those whose
// directory is not an absolute path or whose name is not a plain one.
func (l *Ledger) strays(scope schema.Scope, hosts []*providers.Facts) []strayRecord {
	var found []strayRecord
	for _, key := range slices.Sorted(maps.Keys(l.Dirs)) {
		for _, name := range slices.Sorted(maps.Keys(l.Dirs[key].Files)) {
			why := ""
			switch {
			case scope == schema.ProjectScope && !producible(hosts, key, name):
				why = "no host has its files there"
			case scope == schema.UserScope && !filepath.IsAbs(key):
				why = "the directory is not an absolute path"
			case scope == schema.UserScope && !plain(name):
				why = "the name is not one of a file in that directory"
			default:
				continue
			}
			found = append(found, strayRecord{key, name, why})
		}
	}
	return found
}

// producible says whether a host writes files of this name into this directory
// of a project.
func producible(hosts []*providers.Facts, key, name string) bool {
	for _, host := range hosts {
		for _, place := range host.Places {
			if place.Scope == schema.ProjectScope && place.Home+"/"+place.Dir == key && takes(place, name) {
				return true
			}
		}
	}
	return false
}

// takes says whether a place can have a file of this name: the form of a slug,
// and the place's extension.
func takes(place providers.Place, name string) bool {
	stem, ok := strings.CutSuffix(name, place.Ext)
	if !ok || stem == "" || len(stem) > 64 || stem[0] < 'a' || stem[0] > 'z' {
		return false
	}
	return strings.IndexFunc(stem, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-'
	}) < 0
}

// elsewhere describes the other directories of a host that the ledger knows.
func (l *Ledger) elsewhere(dests []*Dest) []string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(l.Dirs)) {
		dir := l.Dirs[key]
		here := func(d *Dest) bool { return d.Key == key }
		same := func(d *Dest) bool { return d.Provider == dir.Provider }
		if slices.ContainsFunc(dests, here) || !slices.ContainsFunc(dests, same) {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: the ledger also knows %s in %s; nothing is done there", dir.Provider, count(len(dir.Files), "file"), key))
	}
	return lines
}

// catalogues lists the catalogues that have records in a directory.
func (l *Ledger) catalogues(key string) []string {
	var ids []string
	if l == nil || l.Dirs[key] == nil {
		return nil
	}
	for _, r := range l.Dirs[key].Files {
		if !slices.Contains(ids, r.Catalogue) {
			ids = append(ids, r.Catalogue)
		}
	}
	slices.SortFunc(ids, cmp.Compare)
	return ids
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
