const detail = document.getElementById('detail');
const files = document.getElementById('files');

for (const dialog of [detail, files]) {
  dialog.querySelector('.close').addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', event => {
    if (event.target === dialog) dialog.close(); // beside the box
  });
}

// show opens a dialog. The browser gives the focus back when it closes.
function show(dialog, title, ...body) {
  dialog.querySelector('h2').textContent = title;
  const room = dialog.querySelector('.body');
  room.replaceChildren(...body);
  dialog.showModal();
  dialog.scrollTop = room.scrollTop = 0;
}

// openCell tells all about one cell.
function openCell(cell) {
  const host = data.hosts[cell.host];
  show(detail, `${cell.setting} on ${host.title}`,
    element('p', { class: 'whose' }, cell.agent.name),
    facts(cell),
    filesButton(cell.agent, cell.host));
}

// openHost tells what a host does with each setting of a subagent, the weakest
// first.
function openHost(agent, host) {
  const cells = agent.rows.map(row => row.cells[host]).filter(cell => cell && state.levels.has(cell.reason.level));
  cells.sort((a, b) => b.reason.level - a.reason.level || (b.reason.code ? 1 : 0) - (a.reason.code ? 1 : 0));
  show(detail, `${agent.name} on ${data.hosts[host].title}`,
    ...cells.flatMap(cell => [element('h3', {}, cell.setting), facts(cell)]),
    filesButton(agent, host));
}

function filesButton(agent, host) {
  const button = element('button', { type: 'button' }, 'Show the native files');
  button.addEventListener('click', () => {
    detail.close();
    openFiles(agent, host);
  });
  return element('p', {}, button);
}

// facts is the list of what is known about a cell.
function facts(cell) {
  const { reason } = cell;
  const list = element('dl', { class: 'facts' });
  const add = (term, ...what) => list.append(element('div', {}, element('dt', {}, term), element('dd', {}, ...what)));
  add('Level', chip(reason.level, levelName(cell)));
  if (cell.value) add('In the manifest', element('code', {}, cell.value));
  if (cell.native) add('In the file', element('code', {}, cell.native));
  add('Why', reason.why);
  if (reason.from) add('From version', reason.from);
  if (reason.when) add('When', reason.when);
  add('Source', ...linked(reason.source));
  if (reason.others?.length) add('Otherwise', element('ul', {}, ...reason.others.map(other)));
  return list;
}

// other is what holds for another version or under another condition.
function other(row) {
  const when = [row.from && `from ${row.from}`, row.until && `up to ${row.until}`, row.when && `when ${row.when}`].filter(Boolean).join(', ');
  const index = data.levels.findIndex(l => l.level === row.level);
  return element('li', {}, chip(index), (when ? ` ${when}` : '') + `: ${row.why} (`, ...linked(row.source), ')');
}

// linked makes links of public issues and addresses. Nothing is loaded from them
// unless a person follows them.
function linked(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(/\b([\w.-]+\/[\w.-]+)(?: PR )?#(\d+)|https:\/\/[^\s;,)]+/g)) {
    const to = match[1] ? `https://github.com/${match[1]}/issues/${match[2]}` : match[0];
    parts.push(text.slice(end, match.index), element('a', { href: to, rel: 'noreferrer' }, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts.filter(part => part !== '');
}

// openFiles shows the native files of a subagent side by side, those of one host
// in view.
async function openFiles(agent, host) {
  const list = (await filesOf(agent)).filter(file => state.hosts.has(file.host));
  const columns = list.map(file => {
    const title = data.hosts[file.host].title;
    const text = element('pre', { tabindex: 0, 'aria-label': `${title}, ${file.path}` });
    text.append(highlight(file.text, file.language));
    return element('section', { 'aria-label': title, 'data-host': file.host }, element('h3', {}, title), element('p', { class: 'path' }, file.path), text);
  });
  show(files, `Native files of ${agent.name}`, element('div', { class: 'columns' }, ...columns));
  columns.find(column => column.dataset.host === String(host))?.scrollIntoView({ block: 'nearest', inline: 'start' });
}
