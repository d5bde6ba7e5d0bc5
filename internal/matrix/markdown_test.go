package matrix

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMarkdownOfAFew(t *testing.T) {
	const want = "# Who may do what where\n" + `
## reviewer

| Setting | One | Two |
|---|---|---|
| ` + "`title: R`" + ` | unsupported | unsupported |
| ` + "`access: read-only`" + ` | enforced\* | inherited |
| ` + "`tools: read, todo`" + ` | enforced |  |
| ` + "`tools: todo`" + ` | unsupported |  |
| ` + "`one.mode: plan`" + ` | advisory |  |

## builder

| Setting | One | Two |
|---|---|---|
| ` + "`access: workspace-write`" + ` |  | inherited |

## Why

### One

- title: unsupported. Because of title. (seen on 1)
- access: enforced\* when the folder is trusted. Because of access. (seen on 1)
- tools (todo): unsupported. Because of tools. (seen on 1)
- one.mode: advisory from 2.0. Because of one.mode. (seen on 1)

### Two

- title: unsupported. Because of title. (seen on 1)
- access: inherited. Because of access. (seen on 1)
`
	var b strings.Builder
	if err := handmade().Markdown(&b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("Markdown (-want +got):\n%s", diff)
	}
}

func TestMarkdownCountsTheMany(t *testing.T) {
	var b strings.Builder
	if err := rendered(t, many(100)).Markdown(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "| `access` | enforced | 50 |  |  | 50 | 50 |\n") {
		t.Errorf("got\n%s", b.String())
	}
}
