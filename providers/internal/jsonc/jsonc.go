// Package jsonc turns JSON with comments and trailing commas into JSON of the
// same length, so that every place in it stays the same.
package jsonc

// Plain gives the text as plain JSON, with blanks where comments and trailing
// commas stood, and says whether there were any. What is no JSON in another way
// stays as it is.
func Plain(text []byte) (plain []byte, changed bool) {
	out := make([]byte, len(text))
	copy(out, text)
	comma := -1 // a comma that nothing has followed yet
	for i := 0; i < len(out); i++ {
		switch b := out[i]; {
		case b == '"':
			comma = -1
			i = stringEnd(out, i)
		case b == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := commentEnd(out, i)
			blank(out[i:end])
			changed = true
			i = end - 1
		case b == ',':
			comma = i
		case b == '}' || b == ']':
			if comma >= 0 {
				out[comma] = ' '
				changed = true
			}
			comma = -1
		case b != ' ' && b != '\t' && b != '\n' && b != '\r':
			comma = -1
		}
	}
	return out, changed
}

// stringEnd gives the place of the quote that closes the text at start.
func stringEnd(text []byte, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"', '\n':
			return i
		}
	}
	return len(text)
}

// commentEnd gives the place after the comment at start, which for one to the
// end of the line is that of the line feed.
func commentEnd(text []byte, start int) int {
	line := text[start+1] == '/'
	for i := start + 2; i < len(text); i++ {
		switch {
		case line && text[i] == '\n':
			return i
		case !line && text[i] == '/' && text[i-1] == '*' && i > start+2:
			return i + 1
		}
	}
	return len(text)
}

func blank(text []byte) {
	for i, b := range text {
		if b != '\n' {
			text[i] = ' '
		}
	}
}
