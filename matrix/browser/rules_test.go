//go:build browser

package browser

// audit lists what is wrong with the structure of the page.
const audit = `() => {
  const problems = [];
  const visible = e => e.checkVisibility({ visibilityProperty: true });
  const name = e => e.outerHTML.slice(0, 90);
  const want = (ok, what) => { if (!ok) problems.push(what); };
  want(document.documentElement.lang, 'the page has no language');
  want(document.title, 'the page has no title');
  want(document.querySelectorAll('main').length === 1, 'the page has not one main part');
  want(document.querySelectorAll('h1').length === 1, 'the page has not one h1');

  const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
  for (const id of new Set(ids)) want(ids.filter(i => i === id).length === 1, 'the id ' + id + ' is not unique');
  for (const e of document.querySelectorAll('[aria-labelledby], [aria-describedby]')) {
    for (const id of ((e.getAttribute('aria-labelledby') || '') + ' ' + (e.getAttribute('aria-describedby') || '')).split(' ').filter(Boolean)) {
      want(document.getElementById(id), name(e) + ' refers to ' + id + ', which is not there');
    }
  }

  for (const e of document.querySelectorAll('input, select, textarea')) {
    want(e.labels.length > 0 && e.labels[0].textContent.trim(), 'no label: ' + name(e));
  }
  for (const e of document.querySelectorAll('fieldset')) want(e.querySelector('legend')?.textContent.trim(), 'no legend: ' + name(e));
  for (const e of document.querySelectorAll('button, a[href], summary')) {
    want((e.getAttribute('aria-label') || e.textContent).trim(), 'no name: ' + name(e));
    want(!e.querySelector('button, a[href], input, select'), 'a control within a control: ' + name(e));
  }
  for (const e of document.querySelectorAll('dialog, [role=search], pre[tabindex]')) {
    const by = document.getElementById(e.getAttribute('aria-labelledby'));
    want((e.getAttribute('aria-label') || !e.open && e.tagName === 'DIALOG' || by?.textContent || '').toString().trim(), 'no name: ' + name(e));
  }
  for (const e of document.querySelectorAll('[tabindex]')) want(e.tabIndex <= 0, 'a tabindex above 0: ' + name(e));

  for (const table of document.querySelectorAll('table:not([hidden])')) {
    want(table.caption?.textContent.trim(), 'a table without caption');
    for (const th of table.querySelectorAll('th')) {
      want(['col', 'row', 'rowgroup'].includes(th.scope), 'a th without scope: ' + name(th));
      want(th.textContent.trim(), 'an empty th: ' + name(th));
    }
    for (const row of table.querySelectorAll('tbody tr')) {
      want(row.querySelector('td[colspan]') || row.querySelector('th'), 'a row without header: ' + name(row));
      const span = [...row.cells].filter(c => !c.hidden).reduce((n, c) => n + c.colSpan, 0);
      const columns = [...table.tHead.rows[0].cells].filter(c => !c.hidden).length;
      want(span === columns || row.cells.length === 1, 'a row of ' + span + ' cells under ' + columns + ' heads');
    }
  }

  // Blocks in place of rows and cells lose their meaning unless a role says it.
  for (const e of document.querySelectorAll('#matrix, #matrix thead, #matrix tbody, #matrix tr, #matrix th, #matrix td')) {
    const kind = { TABLE: 'table', THEAD: 'rowgroup', TBODY: 'rowgroup', TR: 'row', TH: 'columnheader rowheader', TD: 'cell' }[e.tagName];
    const block = !getComputedStyle(e).display.startsWith('table');
    want(!block || !e.checkVisibility() || kind.includes(e.getAttribute('role') || 'none'), 'no role: ' + name(e));
  }

  const levels = [...document.querySelectorAll('h1, h2, h3, h4')].filter(visible).map(h => Number(h.tagName[1]));
  levels.reduce((before, level) => { want(level <= before + 1, 'a heading of level ' + level + ' after ' + before); return level; }, 0);

  const open = document.querySelector('dialog[open]');
  for (const e of (open || document).querySelectorAll('button, a[href], input, select, summary')) {
    if (!visible(e)) continue;
    const box = e.getBoundingClientRect();
    const inline = e.tagName === 'A' || e.closest('label'); // whose label is part of the target
    want(inline || box.height >= 24 && box.width >= 24, 'a target of ' + box.width.toFixed() + ' by ' + box.height.toFixed() + ' px: ' + name(e));
  }
  return [...new Set(problems)].slice(0, 20);
}`

// contrasts gives the contrast of every kind of text with its ground, after the
// formula of WCAG 2.
const contrasts = `() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = color => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const ground = e => {
    const layers = [];
    for (; e; e = e.parentElement) {
      const c = rgba(getComputedStyle(e).backgroundColor);
      layers.push(c);
      if (c[3] === 1) break;
    }
    return layers.reverse().reduce((below, c) => below.map((v, i) => v * (1 - c[3]) + c[i] * c[3]), [255, 255, 255]);
  };
  const luminance = c => {
    const [r, g, b] = c.map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const seen = new Map();
  const walker = document.createTreeWalker(document.querySelector('dialog[open]') || document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || ['SCRIPT', 'STYLE', 'NOSCRIPT', 'OPTION'].includes(e.tagName) || !e.checkVisibility()) continue;
    const key = e.tagName + '.' + e.className;
    const value = ratio(rgba(getComputedStyle(e).color).slice(0, 3), ground(e));
    if (!seen.has(key) || seen.get(key).ratio > value) {
      seen.set(key, { what: key + ' ' + walker.currentNode.data.trim().slice(0, 30), ratio: value });
    }
  }
  for (const level of ['enforced', 'advisory', 'inherited', 'unsupported']) {
    const e = document.createElement('span');
    e.className = 'level ' + level;
    document.body.append(e);
    seen.set(level, { what: 'the level ' + level, ratio: ratio(rgba(getComputedStyle(e).color).slice(0, 3), ground(e)) });
    e.remove();
  }
  return [...seen.values()];
}`
