package install

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Temporary files are called .subagents-LEDGER-RANDOM.tmp: hidden, with an
// extension that no host reads, and with the ledger that they belong to, so that
// a run removes what an earlier run of the same ledger left behind and nothing
// that another one is just writing. The lock keeps two runs of one ledger apart.
const (
	tempPrefix = ".subagents-"
	tempSuffix = ".tmp"
)

// tempID names a ledger, by its real path, in the names of temporary files and
// of the lock.
func tempID(ledger string) string {
	sum := sha256.Sum256([]byte(ledger))
	return hex.EncodeToString(sum[:16])
}

// tempName makes a name that nothing has.
func tempName(id string) string { return tempPrefix + id + "-" + rand.Text() + tempSuffix }

// isTemp says whether a name is that of a temporary file of a ledger.
func isTemp(name, id string) bool {
	random, ok := strings.CutPrefix(name, tempPrefix+id+"-")
	random, tmp := strings.CutSuffix(random, tempSuffix)
	return ok && tmp && len(random) >= 26 && strings.Trim(random, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}
