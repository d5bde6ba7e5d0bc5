package schema

// keyIndex finds the keys of maps that are being built. A map of few keys is
// searched; of a larger one the places of its keys are kept, so that reading a
// file costs the same for every key.
type keyIndex map[*Node]map[string]int

// fewKeys is the number of keys up to which a map is searched.
const fewKeys = 16

// find gives the field of a key, or nil. Keys may have been appended to the map
// since the last call, and nothing else may have changed.
func (x keyIndex) find(n *Node, key string) *Field {
	if len(n.Fields) <= fewKeys {
		return n.Field(key)
	}
	places := x[n]
	if places == nil {
		places = make(map[string]int, 2*len(n.Fields))
		x[n] = places
	}
	for i := len(places); i < len(n.Fields); i++ {
		if _, twice := places[n.Fields[i].Key]; !twice {
			places[n.Fields[i].Key] = i
		}
	}
	if i, ok := places[key]; ok {
		return &n.Fields[i]
	}
	return nil
}
