// Where the window is narrow, rows stand as blocks. The roles keep them a table
// for screen readers all the same.
const table = document.getElementById('matrix');

// What the filter lets through, and which subagents a person opened or closed.
const state = { query: '', tag: '', hosts: new Set(), levels: new Set(), opened: new Map(), few: true };

// With so many subagents in view or fewer, all are open.
const few = 12;

// Rows are made when they come near the window: 500 subagents have tens of
// thousands of cells.
const near = new Set();
const watcher = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) {
    const agent = target.agent;
    if (isIntersecting) near.add(agent);
    else near.delete(agent);
    if (isIntersecting && !agent.filled) fill(agent);
  }
}, { rootMargin: '600px 0px' });

function build() {
  for (const agent of data.agents) {
    agent.body = element('tbody', { role: 'rowgroup' });
    agent.body.agent = agent;
    table.append(agent.body);
  }
}

function seen(cell) {
  return cell && state.hosts.has(cell.host) && state.levels.has(cell.reason.level);
}

function rowText(row) {
  row.text ??= [row.setting, row.value, ...row.cells.flatMap(cell => (cell ? [cell.native, cell.reason.why, cell.reason.source] : []))].join('\n').toLowerCase();
  return row.text;
}

// apply shows what the filter lets through.
function apply() {
  let cells = 0;
  const shown = data.agents.filter(agent => {
    const named = agent.about.includes(state.query);
    const tagged = !state.tag || agent.tags.includes(state.tag);
    agent.shownRows = tagged ? agent.rows.filter(row => row.cells.some(seen) && (named || rowText(row).includes(state.query))) : [];
    for (const row of agent.shownRows) cells += row.cells.filter(seen).length;
    return agent.shownRows.length > 0;
  });
  state.few = shown.length <= few;
  for (const agent of data.agents) {
    const hide = agent.shownRows.length === 0;
    agent.body.hidden = hide;
    if (hide) watcher.unobserve(agent.body);
    else if (near.has(agent)) fill(agent);
    else sketch(agent);
  }
  for (const head of table.tHead.querySelectorAll('[data-host]')) head.hidden = !state.hosts.has(Number(head.dataset.host));
  table.hidden = shown.length === 0;
  document.getElementById('none').hidden = shown.length > 0;
  document.getElementById('count').textContent =
    `${shown.length} of ${data.agents.length} subagents, ${cells} ${cells === 1 ? 'cell' : 'cells'}`;
  watch(shown);
  settleFocus();
}

// watch looks anew at what is near the window.
function watch(shown) {
  for (const agent of shown) {
    watcher.unobserve(agent.body);
    watcher.observe(agent.body);
  }
}

function isOpen(agent) {
  return state.opened.get(agent) ?? state.few;
}

// sketch keeps the room of a subagent whose rows are not in sight.
function sketch(agent) {
  agent.filled = false;
  const rows = [element('tr', { role: 'row', class: 'subagent' }, element('th', { scope: 'rowgroup', role: 'rowheader' }, agent.name))];
  if (isOpen(agent)) {
    const room = element('td', { role: 'cell', colspan: data.hosts.length + 1 });
    room.style.height = `${agent.shownRows.length * 3.2}rem`;
    rows.push(element('tr', { role: 'row' }, room));
  }
  agent.body.replaceChildren(...rows);
}

// fill makes the rows of a subagent.
function fill(agent) {
  agent.filled = true;
  const hosts = data.hosts.map((_, i) => i).filter(i => state.hosts.has(i));
  const rows = [summary(agent, hosts)];
  if (isOpen(agent)) rows.push(...agent.shownRows.map((row, i) => line(row, hosts, agent.shownRows[i - 1])));
  agent.body.replaceChildren(...rows);
  settleFocus();
}

// summary is the row of a subagent: its name, and how many settings of each
// level it has on each host.
function summary(agent, hosts) {
  const toggle = element('button', { type: 'button', class: 'toggle', 'aria-expanded': String(isOpen(agent)), 'data-col': 0, tabindex: -1 }, agent.name);
  toggle.addEventListener('click', () => {
    state.opened.set(agent, !isOpen(agent));
    fill(agent);
    focusCell(agent.body.querySelector('.toggle'));
  });
  const show = element('button', { type: 'button', class: 'files', 'data-col': 1, tabindex: -1 }, 'Files', hiddenText(` of ${agent.name}`));
  show.addEventListener('click', () => openFiles(agent));
  const tags = agent.tags.length ? element('span', { class: 'tags' }, ...agent.tags.map(tag => element('span', {}, tag))) : null;
  const head = element('th', { scope: 'rowgroup', role: 'rowheader' }, element('div', { class: 'name' }, element('span', {}, toggle, tags), show));
  return element('tr', { role: 'row', class: 'subagent' }, head, ...hosts.map(host => total(agent, host)));
}

function total(agent, host) {
  const title = data.hosts[host].title;
  if (!agent.on.some(on => on.host === host)) {
    return element('td', { role: 'cell', class: 'absent', 'data-label': title }, element('span', { 'aria-hidden': 'true' }, '–'), hiddenText('not rendered for it'));
  }
  const counts = data.levels.map(() => 0);
  for (const row of agent.shownRows) if (seen(row.cells[host])) counts[row.cells[host].reason.level]++;
  const parts = data.levels.map((level, i) => counts[i] && element('span', { class: 'level ' + level.level },
    element('span', { 'aria-hidden': 'true' }, level.sign), ` ${counts[i]}`, hiddenText(` ${level.level} `))).filter(Boolean);
  const button = element('button', { type: 'button', class: 'cell', 'data-col': host + 2, tabindex: -1 }, ...parts, parts.length ? null : '–', hiddenText(` on ${title}`));
  button.addEventListener('click', () => openHost(agent, host));
  return element('td', { role: 'cell', 'data-label': title }, button);
}

// line is the row of a setting. A finer fact is set in under the row that it
// belongs to.
function line(row, hosts, before) {
  const key = setting => setting.split('#')[0];
  const below = row.finer && before && key(before.setting) === key(row.setting);
  const head = element('th', { scope: 'row', role: 'rowheader' },
    element('span', { class: 'setting' }, row.finer && row.value ? `${row.setting}: ${row.value}` : row.setting),
    row.value && !row.finer ? element('span', { class: 'value' }, row.value) : null);
  return element('tr', { role: 'row', class: below ? 'finer' : null }, head, ...hosts.map(host => {
    const cell = row.cells[host];
    const label = { role: 'cell', 'data-label': data.hosts[host].title };
    if (!seen(cell)) return element('td', { class: 'absent', ...label });
    const button = element('button', { type: 'button', class: 'cell', 'data-col': host + 2, tabindex: -1 },
      chip(cell.reason.level, levelName(cell)), cell.native ? element('span', { class: 'native' }, cell.native) : null,
      hiddenText(`, ${cell.setting} on ${data.hosts[host].title}`));
    button.addEventListener('click', () => openCell(cell));
    return element('td', label, button);
  }));
}

function hiddenText(text) {
  return element('span', { class: 'hidden' }, text);
}
