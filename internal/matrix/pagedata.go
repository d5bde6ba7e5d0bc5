package matrix

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"path"
	"slices"

	"github.com/seed-337579fc/subagents/schema"
)

// pageData is the matrix as the page's program reads it. Texts and reasons occur
// thousands of times in a large manifest: they stand once, and cells name them
// by number.
type pageData struct {
	Hosts   []Host       `json:"hosts"`
	Levels  []pageLevel  `json:"levels"`
	Texts   []string     `json:"texts"` // settings, values, what stands in files; 0 is empty
	Reasons []pageReason `json:"reasons"`
	Order   []string     `json:"order"` // of the neutral settings
	Agents  []pageAgent  `json:"agents"`
}

type pageReason struct {
	Level  int         `json:"level"`
	Code   schema.Code `json:"code,omitempty"`
	From   string      `json:"from,omitempty"`
	When   string      `json:"when,omitempty"`
	Why    string      `json:"why"`
	Source string      `json:"source"`
	Others []Row       `json:"others,omitempty"`
}

type pageAgent struct {
	Name        string     `json:"name"`
	Title       string     `json:"title,omitempty"`
	Description string     `json:"description"`
	Tags        []string   `json:"tags,omitempty"`
	On          []pageHost `json:"on"`
	// Files are the texts of all files, in order: a JSON list, deflated, which the
	// program unpacks when they are asked for. Base64 in the page.
	Files []byte `json:"files"`
}

type pageHost struct {
	Host  int        `json:"host"`
	Files []pageFile `json:"files"`
	Cells []pageCell `json:"cells"`
}

type pageFile struct {
	Path     string `json:"path"`
	Language string `json:"language"` // md, toml, yaml, json
}

// A pageCell holds the numbers of its setting, value and native text among the
// texts, that of its reason, and 1 if it is about less than a whole setting.
type pageCell [5]int

func (m *Matrix) pageData() (*pageData, error) {
	d := &pageData{Hosts: m.Hosts, Levels: levels, Order: order, Agents: []pageAgent{}}
	b := pageBuilder{pageData: d, texts: map[string]int{}, reasons: map[string]int{}}
	b.text("")
	files, err := newPacker()
	if err != nil {
		return nil, fmt.Errorf("packing native files: %w", err)
	}
	for _, s := range m.Subagents {
		agent := pageAgent{Name: s.Name, Title: s.Title, Description: s.Description, Tags: s.Tags}
		var texts []string
		for _, on := range s.On {
			host := pageHost{Host: slices.IndexFunc(m.Hosts, func(h Host) bool { return h.ID == on.Host })}
			for _, f := range on.Files {
				host.Files = append(host.Files, pageFile{f.Path, path.Ext(f.Path)[1:]})
				texts = append(texts, string(f.Data))
			}
			for i := range on.Cells {
				cell, err := b.cell(&on.Cells[i])
				if err != nil {
					return nil, err
				}
				host.Cells = append(host.Cells, cell)
			}
			agent.On = append(agent.On, host)
		}
		if agent.Files, err = files.pack(texts); err != nil {
			return nil, err
		}
		d.Agents = append(d.Agents, agent)
	}
	return d, nil
}

type pageBuilder struct {
	*pageData
	texts, reasons map[string]int
}

func (b *pageBuilder) text(s string) int {
	n, known := b.texts[s]
	if !known {
		n = len(b.Texts)
		b.texts[s] = n
		b.Texts = append(b.Texts, s)
	}
	return n
}

func (b *pageBuilder) cell(c *Cell) (pageCell, error) {
	r := pageReason{
		Level: slices.IndexFunc(levels, func(l pageLevel) bool { return l.Level == c.Level }),
		Code:  c.Code, From: c.From, When: c.When, Why: c.Why, Source: c.Source, Others: c.Others,
	}
	key, err := json.Marshal(r)
	if err != nil {
		return pageCell{}, fmt.Errorf("encoding the matrix: %w", err)
	}
	n, known := b.reasons[string(key)]
	if !known {
		n = len(b.Reasons)
		b.reasons[string(key)] = n
		b.Reasons = append(b.Reasons, r)
	}
	cell := pageCell{b.text(c.Setting), b.text(c.Value), b.text(c.Native), n, 0}
	if c.Finer {
		cell[4] = 1
	}
	return cell, nil
}

// A packer deflates lists of texts.
type packer struct {
	out bytes.Buffer
	z   *flate.Writer
}

func newPacker() (*packer, error) {
	var p packer
	var err error
	p.z, err = flate.NewWriter(&p.out, flate.BestCompression)
	return &p, err
}

func (p *packer) pack(texts []string) ([]byte, error) {
	p.out.Reset()
	p.z.Reset(&p.out)
	if err := json.NewEncoder(p.z).Encode(texts); err != nil {
		return nil, fmt.Errorf("packing native files: %w", err)
	}
	if err := p.z.Close(); err != nil {
		return nil, fmt.Errorf("packing native files: %w", err)
	}
	return bytes.Clone(p.out.Bytes()), nil
}
