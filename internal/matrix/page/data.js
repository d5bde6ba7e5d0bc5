// The matrix, with the numbers of the embedded data put back into texts.
const data = JSON.parse(document.getElementById('data').textContent);

for (const agent of data.agents) {
  agent.tags ||= [];
  for (const on of agent.on) {
    on.cells = on.cells.map(([setting, value, native, reason, finer]) => ({
      setting: data.texts[setting], value: data.texts[value], native: data.texts[native],
      reason: data.reasons[reason], finer: finer === 1, agent, host: on.host,
    }));
  }
  agent.rows = rowsOf(agent);
  agent.about = [agent.name, agent.title, agent.description, ...agent.tags].join('\n').toLowerCase();
}

// rowsOf lays the cells of a subagent out: a row for each setting, and one for
// each value of a finer fact.
function rowsOf(agent) {
  const rows = new Map();
  for (const on of agent.on) {
    for (const cell of on.cells) {
      const key = JSON.stringify([cell.setting, cell.finer, cell.finer ? cell.value : '']);
      if (!rows.has(key)) {
        rows.set(key, { setting: cell.setting, value: cell.value, finer: cell.finer, cells: data.hosts.map(() => null) });
      }
      rows.get(key).cells[on.host] = cell;
    }
  }
  return [...rows.values()].sort((a, b) => place(a.setting) - place(b.setting));
}

// place orders settings: the neutral keys as the manifest's schema has them, then
// those of the hosts' blocks.
function place(setting) {
  const at = data.order.indexOf(setting.split('#')[0]);
  return at < 0 ? data.order.length : at;
}

// filesOf unpacks the native files of a subagent: a list of { path, language,
// host, text }.
async function filesOf(agent) {
  const packed = Uint8Array.from(atob(agent.files), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const texts = await new Response(stream).json();
  const files = agent.on.flatMap(on => on.files.map(file => ({ ...file, host: on.host })));
  return files.map((file, i) => ({ ...file, text: texts[i] }));
}

function levelName(cell) {
  const { level } = data.levels[cell.reason.level];
  return level === 'enforced' && cell.reason.code ? level + '*' : level;
}

// element makes an element with attributes and children. Texts become text
// nodes: nothing of the manifest is ever read as HTML.
function element(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) e.setAttribute(name, '');
    else if (value !== false && value != null) e.setAttribute(name, value);
  }
  e.append(...children.filter(child => child != null));
  return e;
}

// chip shows a level with its sign, its word and its colour.
function chip(index, word) {
  const { level, sign } = data.levels[index];
  return element('span', { class: 'level ' + level }, element('span', { 'aria-hidden': 'true' }, sign), ' ' + (word || level));
}
