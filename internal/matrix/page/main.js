// The table is one stop of the Tab key; inside it the arrow keys move.
let current = null;

function focusCell(cell) {
  if (!cell) return;
  if (current) current.tabIndex = -1;
  current = cell;
  cell.tabIndex = 0;
  cell.focus();
}

// settleFocus sees to it that Tab reaches the table.
function settleFocus() {
  if (current?.isConnected && current.offsetParent) return;
  if (current) current.tabIndex = -1;
  current = table.querySelector('tbody:not([hidden]) [data-col]');
  if (current) current.tabIndex = 0;
}

table.addEventListener('focusin', event => {
  const cell = event.target.closest('[data-col]');
  if (!cell || cell === current) return;
  if (current) current.tabIndex = -1;
  current = cell;
  cell.tabIndex = 0;
});

function cellsOf(row) {
  return [...row.querySelectorAll('[data-col]')];
}

// nextBody is the next subagent in view, filled.
function nextBody(body, step) {
  do body = step > 0 ? body.nextElementSibling : body.previousElementSibling;
  while (body && (body.tagName !== 'TBODY' || body.hidden));
  if (body && !body.agent.filled) fill(body.agent);
  return body;
}

// nextRow is the next row that has a cell to go to.
function nextRow(row, step) {
  for (;;) {
    let next = step > 0 ? row.nextElementSibling : row.previousElementSibling;
    if (!next) {
      const body = nextBody(row.parentElement, step);
      next = body && (step > 0 ? body.firstElementChild : body.lastElementChild);
    }
    if (!next || cellsOf(next).length) return next;
    row = next;
  }
}

// inColumn is the cell of a row in a column, or the one before it.
function inColumn(row, column) {
  const cells = row ? cellsOf(row) : [];
  return cells.findLast(cell => Number(cell.dataset.col) <= column) || cells[0];
}

table.addEventListener('keydown', event => {
  const cell = event.target.closest('[data-col]');
  if (!cell || event.altKey || event.metaKey || event.ctrlKey) return;
  const row = cell.closest('tr');
  const column = Number(cell.dataset.col);
  const cells = cellsOf(row);
  const at = cells.indexOf(cell);
  const body = step => {
    const next = nextBody(row.parentElement, step);
    return inColumn(next && next.firstElementChild, column);
  };
  const target = {
    ArrowRight: () => cells[at + 1], ArrowLeft: () => cells[at - 1],
    ArrowDown: () => inColumn(nextRow(row, 1), column), ArrowUp: () => inColumn(nextRow(row, -1), column),
    Home: () => cells[0], End: () => cells.at(-1), PageDown: () => body(1), PageUp: () => body(-1),
  }[event.key];
  if (!target) return;
  event.preventDefault();
  focusCell(target());
});

const form = document.getElementById('filter');

function readFilter() {
  const checked = name => new Set([...form.querySelectorAll(`[name=${name}]:checked`)].map(box => Number(box.value)));
  state.query = form.querySelector('#query').value.trim().toLowerCase();
  state.tag = form.querySelector('#tag')?.value || '';
  state.hosts = checked('host');
  state.levels = checked('level');
  apply();
}

let waiting = 0;
form.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(readFilter, 60); // a person still typing
});
form.addEventListener('submit', event => event.preventDefault());
form.addEventListener('reset', () => {
  state.opened.clear();
  setTimeout(readFilter); // the fields change after the event
});

function openAll(open) {
  for (const agent of data.agents) state.opened.set(agent, open);
  apply();
}
document.getElementById('expand').addEventListener('click', () => openAll(true));
document.getElementById('collapse').addEventListener('click', () => openAll(false));

build();
form.hidden = false;
readFilter();
