// Writes the architecture picture and tables from docs/architecture.json.
// usage: node scripts/architecture.mjs [--check]
import { read, table, writeGenerated } from './generated-pages.mjs';

const { threads, layers } = JSON.parse(read('docs/architecture.json'));

const WIDTH = 1000;
const CARD = 58;
const GAP = 14;
const TOP = 44;
/** Left edge and width of each column. */
const PEERS = { x: 24, width: 128 };
const CENTRE = { x: 250, width: 300 };
const RIGHT = { x: 704, width: 240 };
const STORE_READS = { left: 206, right: 970 };
const COLOURS = {
  front: ['#dcfce7', '#15803d', '#12301f', '#4ade80'],
  main: ['#dbeafe', '#1d4ed8', '#152a4d', '#7db0ff'],
  calls: ['#ffedd5', '#c2410c', '#3d2412', '#fdba74'],
  chain: ['#f3e8ff', '#7e22ce', '#2f1c45', '#d8b4fe'],
  writer: ['#ccfbf1', '#0f766e', '#0d3632', '#5eead4'],
};
const STYLE = `
    .page { fill: #f8fafc; stroke: #cbd5e1 }
    .part { fill: #ffffff; stroke: #94a3b8 }
    text { fill: #334155; font-size: 12px }
    .name { fill: #0f172a; font-size: 14px; font-weight: 600 }
    .middle { text-anchor: middle }
    .arrow { fill: none; stroke: #475569; stroke-width: 1.6; marker-end: url(#head) }
    .both { marker-start: url(#head) }
    .head { fill: #475569 }
    .read { fill: none; stroke: #0f766e; stroke-width: 1.6; stroke-dasharray: 5 4; marker-end: url(#read-head) }
    .read-head, .read-label { fill: #0f766e }
${Object.entries(COLOURS)
  .map(
    ([place, [fill, ink]]) =>
      `    .${place} { fill: ${fill}; stroke: ${ink} } .${place}-name { fill: ${ink} }`,
  )
  .join('\n')}
    @media (prefers-color-scheme: dark) {
      .page { fill: #0f172a; stroke: #334155 }
      .part { fill: #1e293b; stroke: #64748b }
      text { fill: #cbd5e1 }
      .name { fill: #f1f5f9 }
      .arrow { stroke: #94a3b8 }
      .head { fill: #94a3b8 }
      .read { stroke: #5eead4 }
      .read-head, .read-label { fill: #5eead4 }
${Object.entries(COLOURS)
  .map(
    ([place, [, , fill, ink]]) =>
      `      .${place} { fill: ${fill}; stroke: ${ink} } .${place}-name { fill: ${ink} }`,
  )
  .join('\n')}
    }`;

const inPlace = (place) => threads.filter((thread) => thread.place === place);
const one = (place) => inPlace(place)[0];
const box = (style, { x, width }, y, height) =>
  `<rect class="${style}" x="${x}" y="${y}" width="${width}" height="${height}" rx="9" stroke-width="1.4"/>`;
const text = (style, x, y, words) => `<text class="${style}" x="${x}" y="${y}">${words}</text>`;
const arrow = (style, d) => `<path class="${style}" d="${d}"/>`;

function partsOf({ parts }, y, height) {
  const at = { x: CENTRE.x + 14, width: CENTRE.width - 28 };
  const centre = CENTRE.x + CENTRE.width / 2;
  const pitch = (height - 42) / parts.length;
  return parts.flatMap(([name, note], i) => {
    const top = y + 36 + i * pitch;
    const middle = top + (pitch - 8) / 2;
    return [
      box('part', at, top, pitch - 8),
      text('name middle', centre, middle - 3, name),
      text('middle', centre, middle + 14, note),
    ];
  });
}

/** Draws a thread of the middle column, with its worker cards on its right. */
function band(thread, workers, y) {
  const height = Math.max(44 + thread.parts.length * 48, workers.length * (CARD + GAP) - GAP);
  const gap = workers.length < 2 ? 0 : (height - workers.length * CARD) / (workers.length - 1);
  const drawn = [
    box(thread.place, CENTRE, y, height),
    `<text x="${CENTRE.x + 14}" y="${y + 23}"><tspan class="${thread.place}-name" font-size="14" font-weight="700">${thread.name}</tspan>${thread.count === '1' ? '' : `  · ${thread.count}`}</text>`,
    ...partsOf(thread, y, height),
    ...workers.flatMap((worker, i) => {
      const top = y + i * (CARD + gap);
      const centre = top + CARD / 2;
      return [
        box(worker.place, RIGHT, top, CARD),
        text(`name ${worker.place}-name`, RIGHT.x + 14, top + 20, worker.name),
        text('', RIGHT.x + 14, top + 36, worker.count === '1' ? '1 thread' : worker.count),
        text('', RIGHT.x + 14, top + 51, worker.note),
        arrow('arrow both', `M${CENTRE.x + CENTRE.width + 4},${centre} H${RIGHT.x - 4}`),
        text('middle', (CENTRE.x + CENTRE.width + RIGHT.x) / 2, centre - 7, worker.link),
        worker.readsStore === false
          ? ''
          : arrow('read', `M${STORE_READS.right},${centre} H${RIGHT.x + RIGHT.width + 4}`),
      ];
    }),
    arrow('read', `M${STORE_READS.left},${y + height - 16} H${CENTRE.x - 4}`),
  ];
  return { drawn, bottom: y + height };
}

function outside(y, name, notes, label) {
  const height = 30 + notes.length * 17;
  const centre = PEERS.x + PEERS.width / 2;
  return [
    box('part', PEERS, y, height),
    text('name middle', centre, y + 21, name),
    ...notes.map((note, i) => text('middle', centre, y + 38 + i * 17, note)),
    arrow('arrow both', `M${PEERS.x + PEERS.width + 4},${y + 34} H${CENTRE.x - 4}`),
    text('middle', (PEERS.x + PEERS.width + STORE_READS.left) / 2, y + 27, label),
  ];
}

function picture() {
  const front = band(one('front'), inPlace('calls'), TOP);
  const mainTop = front.bottom + 58;
  const main = band(one('main'), inPlace('chain'), mainTop);
  const writer = one('writer');
  const writerTop = main.bottom + 52;
  const storeTop = writerTop + 44 + 46;
  const centre = CENTRE.x + CENTRE.width / 2;
  const height = storeTop + 44 + 24;
  const store = { x: PEERS.x, width: WIDTH - 2 * PEERS.x };
  const lines = [
    box('page', { x: 1, width: WIDTH - 2 }, 1, height - 2),
    ...front.drawn,
    ...main.drawn,
    ...outside(TOP + 22, 'Clients', ['heddle/client', 'heddle CLI', 'curl, Prometheus'], 'HTTP'),
    ...outside(mainTop + 50, 'Other nodes', ['validators', 'followed nodes'], 'blocks'),
    arrow('arrow', `M${centre - 60},${front.bottom + 4} V${mainTop - 4}`),
    text('', centre - 52, front.bottom + 33, 'submissions, pool reads'),
    arrow('arrow', `M${centre - 100},${mainTop - 4} V${front.bottom + 4}`),
    `<text style="text-anchor: end" x="${centre - 108}" y="${front.bottom + 33}">tip</text>`,
    box('writer', CENTRE, writerTop, 44),
    text('name middle writer-name', centre, writerTop + 19, writer.name),
    text('middle', centre, writerTop + 36, writer.note),
    arrow('arrow', `M${centre},${main.bottom + 4} V${writerTop - 4}`),
    text('', centre + 9, main.bottom + 31, `${writer.link}, synced before anyone is told`),
    box('writer', store, storeTop, 44),
    text('name writer-name', store.x + 18, storeTop + 27, 'RocksDB'),
    text(
      '',
      store.x + 96,
      storeTop + 27,
      'blocks, receipts, indexes, state at every kept height, tree pages',
    ),
    `<text style="text-anchor: end" x="${store.x + store.width - 18}" y="${storeTop + 27}">one handle shared by all threads</text>`,
    arrow('arrow', `M${centre},${writerTop + 48} V${storeTop - 4}`),
    text('', centre + 9, writerTop + 71, 'write, fsync'),
    `<path class="read" style="marker-end: none" d="M${STORE_READS.left},${storeTop} V${front.bottom - 16}"/>`,
    `<path class="read" style="marker-end: none" d="M${STORE_READS.right},${storeTop} V${TOP + CARD / 2}"/>`,
    `<text class="read-label" style="text-anchor: end" x="${STORE_READS.left - 9}" y="${storeTop - 20}">reads</text>`,
    `<text class="read-label" style="text-anchor: end" x="${STORE_READS.right - 9}" y="${storeTop - 20}">reads</text>`,
  ];
  const marker = (id, orient) =>
    `<marker id="${id}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="${orient}"><path class="${id}" d="M0,0 L10,5 L0,10 z"/></marker>`;
  return `<!-- Generated by scripts/architecture.mjs from docs/architecture.json: edit that file. -->
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif">
  <title id="title">Threads and data flow of a Heddle node</title>
  <style>${STYLE}
  </style>
  <defs>
    ${marker('head', 'auto-start-reverse')}
    ${marker('read-head', 'auto')}
  </defs>
  ${lines.filter(Boolean).join('\n  ')}
</svg>
`;
}

const SECTIONS = {
  picture: () => {
    const names = threads
      .filter(({ place }) => place !== 'command')
      .map(({ name }) => name.toLowerCase())
      .join(', ');
    return (folder) => `![Threads and data flow of a node: ${names}](${folder}architecture.svg)`;
  },
  threads: () => () =>
    table([
      ['thread', 'shown as', 'count', 'does', 'never does', 'entry'],
      ...threads.map(({ name, shown = '', count, does, never, entry }) => [
        name,
        shown,
        count,
        does,
        never,
        `\`${entry}\``,
      ]),
    ]),
  layers: () => () =>
    table([
      ['layer', 'folder', 'holds'],
      ...layers.flatMap(({ name, folders }) =>
        Object.entries(folders).map(([path, holds], i) => [i === 0 ? name : '', `\`${path}\``, holds]),
      ),
    ]),
};

function filled(page) {
  const folder = page.startsWith('docs/') ? '' : 'docs/';
  return read(page).replace(
    /(<!-- (picture|threads|layers): from docs\/architecture\.json -->\n)[\s\S]*?(\n<!-- end -->)/g,
    (_, start, name, end) => `${start}\n${SECTIONS[name]()(folder)}\n${end}`,
  );
}

const files = { 'docs/architecture.svg': picture() };
for (const page of ['README.md', 'docs/architecture.md']) files[page] = filled(page);
writeGenerated(files, 'docs/architecture.json');
