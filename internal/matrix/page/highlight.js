// What is marked in a native file, format by format. Of two that start at the
// same place the first counts.
const quoted = /"(?:\\.|[^"\\\n])*"/.source;
const grammars = {
  json: grammar({ key: quoted + '(?=\\s*:)', string: quoted, word: '\\b(?:true|false|null)\\b', number: '-?\\b\\d[\\d.eE+-]*' }),
  yaml: grammar({
    comment: '(?<=^|\\s)#.*', key: `(?<=^[ \\t-]*)(?:${quoted}|[\\w$./*-]+)(?=:(?:\\s|$))`,
    string: quoted + "|'(?:''|[^'\\n])*'", word: '\\b(?:true|false|null|allow|ask|deny)\\b', number: '(?<=[:\\s,[])-?\\d[\\d.]*(?=\\s*(?:[,}\\]]|$))',
  }),
  toml: grammar({
    comment: '#.*', table: '^\\s*\\[\\[?[^\\]\\n]*\\]\\]?', key: `^\\s*(?:${quoted}|[\\w.-]+)(?=\\s*=)`,
    string: `"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|${quoted}|'[^'\\n]*'`, word: '\\b(?:true|false)\\b', number: '-?\\b\\d[\\d.]*',
  }),
  body: grammar({ code: '^```[\\s\\S]*?^```|`[^`\\n]+`', heading: '^#{1,6} .*', strong: '\\*\\*[^*\\n]+\\*\\*' }),
};
grammars.yml = grammars.yaml;

function grammar(kinds) {
  return new RegExp(Object.entries(kinds).map(([kind, source]) => `(?<${kind}>${source})`).join('|'), 'gm');
}

// highlight gives the text as nodes, with what its format marks in spans.
function highlight(text, language) {
  const out = document.createDocumentFragment();
  const head = language === 'md' && /^---\n[\s\S]*?\n---(?:\n|$)/.exec(text);
  if (head) {
    mark(out, head[0], grammars.yaml);
    mark(out, text.slice(head[0].length), grammars.body);
  } else {
    mark(out, text, grammars[language] || grammars.body);
  }
  return out;
}

function mark(out, text, pattern) {
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match[0] === '') continue;
    const kind = Object.keys(match.groups).find(k => match.groups[k] !== undefined);
    out.append(text.slice(end, match.index), element('span', { class: 'h-' + kind }, match[0]));
    end = match.index + match[0].length;
  }
  out.append(text.slice(end));
}
