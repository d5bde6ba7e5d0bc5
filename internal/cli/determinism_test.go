package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	subagents "github.com/seed-337579fc/subagents"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// shuffled writes a tree as JSON with the keys of every mapping in random order.
func shuffled(n *schema.Node, rng *rand.Rand) []byte {
	switch n.Kind {
	case schema.Map:
		var b bytes.Buffer
		b.WriteByte('{')
		for i, at := range rng.Perm(len(n.Fields)) {
			if i > 0 {
				b.WriteByte(',')
			}
			key, _ := json.Marshal(n.Fields[at].Key)
			fmt.Fprintf(&b, "%s:%s", key, shuffled(n.Fields[at].Value, rng))
		}
		b.WriteByte('}')
		return b.Bytes()
	case schema.List:
		items := make([][]byte, len(n.Items))
		for i, item := range n.Items {
			items[i] = shuffled(item, rng)
		}
		return append(append([]byte("["), bytes.Join(items, []byte(","))...), ']')
	}
	data, err := json.Marshal(n.Interface())
	if err != nil {
		panic(err)
	}
	return data
}

// TestSameBytes renders the catalogue from manifests whose keys stand in any
// order, in another spelling, with any number of processors.
func TestSameBytes(t *testing.T) {
	src := schema.NewSource("subagents.yml", subagents.Catalogue)
	want := rendered(t, src, render.Options{}).Files
	m, _ := schema.Load(src, schema.Options{HostTool: all.HostTool})
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	for seed := range uint64(8) {
		runtime.GOMAXPROCS(1 + int(seed)%4)
		data := shuffled(m.Root, rand.New(rand.NewPCG(seed, 1)))
		got := rendered(t, schema.NewSource("subagents.json", withEntries(m, data, seed)), render.Options{}).Files
		if len(got) != len(want) {
			t.Fatalf("seed %d: %d files, want %d", seed, len(got), len(want))
		}
		for i := range got {
			if got[i].Path != want[i].Path || !bytes.Equal(got[i].Data, want[i].Data) {
				t.Errorf("seed %d: %s differs from %s", seed, got[i].Path, want[i].Path)
			}
		}
	}
}

// withEntries adds the list of subagents to a shuffled root.
func withEntries(m *schema.Manifest, root []byte, seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 2))
	entries := make([][]byte, len(m.Entries()))
	for i, e := range m.Entries() {
		entries[i] = shuffled(e.Node, rng)
	}
	list := bytes.Join(entries, []byte(","))
	return append(bytes.TrimSuffix(root, []byte("}")), fmt.Sprintf(`,"subagents":[%s]}`, list)...)
}
