package install

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/aymanbagabas/go-udiff"
)

// diffs compares what lies there with what is to lie there, for every action
// that has both or either.
func (s *Session) diffs(p *Plan) (map[*Action]string, error) {
	out := map[*Action]string{}
	for i := range p.Actions {
		a := &p.Actions[i]
		if a.Act == Unchanged || a.old.Kind != Regular && a.old.Kind != Missing {
			continue
		}
		text, err := s.diff(a)
		if err != nil {
			return nil, err
		}
		out[a] = text
	}
	return out, nil
}

func (s *Session) diff(a *Action) (string, error) {
	from, to, old, content := "/dev/null", "/dev/null", "", ""
	if a.old.Kind == Regular {
		data, err := slurp(s.folders[a.Dest].root, a.Name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("reading %s: %w", a.Path(), err)
		}
		from, old = a.Path(), string(data)
	}
	if a.want != nil {
		to, content = a.Path(), string(a.want.Data)
	} else if a.Act != Delete {
		return "", nil
	}
	return udiff.Unified(from, to, old, content), nil
}
