// Writes the tables of docs/metrics.md from the declarations of the metrics. Needs a build.
// usage: node scripts/metrics.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs';

const { declaredMetrics } = await import('../dist/src/rpc/metrics/declared-metrics.js');
const { LABELS, NATIVE_LABEL_PREFIX } = await import('../dist/src/rpc/metrics/labels.js');

const page = new URL('../docs/metrics.md', import.meta.url);
/** Sections of the page by metric name; the first match wins. */
const GROUPS = [
  ['HTTP and RPC', /^heddle_(http|rpc|quota)_/],
  ['WebSockets', /^heddle_websocket_/],
  ['Threads and queues', /^heddle_(thread|event_loop|queue|worker)/],
  ['Chain', /^heddle_(chain|block|parallel|execution|opening|checkpoint)_/],
  ['Pool', /^heddle_pool_/],
  ['Store', /^heddle_store_/],
  ['Consensus, on nodes that seal', /^heddle_consensus_/],
  ['Mesh, on validators', /^heddle_mesh_/],
  ['Following, on followers', /^heddle_follow_/],
  ['Node', /^heddle_/],
  ['Process and Node.js', /^(process|nodejs)_/],
];

function unitOf({ name, type }) {
  const [, unit] = /_(seconds|bytes)(?:_total)?$/.exec(name) ?? [];
  if (unit !== undefined) return unit;
  return type === 'gauge' && /_(info|usable|connected|available|stopped|up)$/.test(name) ? '' : 'number';
}

const cell = (text) => text.replaceAll('|', '\\|');
function table(rows) {
  const cells = rows.map((row) => row.map(cell));
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`;
  const [head, ...others] = cells;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('\n');
}

const metrics = declaredMetrics();
const labels = [...new Set(metrics.flatMap(({ labels }) => labels))].sort();
const unknown = labels.filter((label) => !(label in LABELS) && !label.startsWith(NATIVE_LABEL_PREFIX));
const unused = Object.keys(LABELS).filter((label) => !labels.includes(label));
if (unknown.length + unused.length > 0) {
  throw new Error(`src/rpc/metrics/labels.ts: missing ${unknown.join(', ')}; unused ${unused.join(', ')}`);
}

const groupOf = ({ name }) => GROUPS.find(([, pattern]) => pattern.test(name))?.[0];
const groups = GROUPS.map(([title]) => {
  const rows = metrics
    .filter((metric) => groupOf(metric) === title)
    .map((metric) => [
      `\`${metric.name}\``,
      metric.type,
      unitOf(metric),
      metric.labels.map((label) => `\`${label}\``).join(', '),
      metric.help,
    ]);
  return `### ${title}\n\n${table([['name', 'type', 'unit', 'labels', 'meaning'], ...rows])}`;
});
const labelRows = Object.entries(LABELS).map(([label, meaning]) => [`\`${label}\``, meaning]);
labelRows.push([
  `\`${NATIVE_LABEL_PREFIX}…\``,
  'a part with a native implementation: `true` if that is in use, `false` for the fallback',
]);
const section = [...groups, `### Labels\n\n${table([['label', 'meaning'], ...labelRows])}`].join('\n\n');

const present = readFileSync(page, 'utf8');
const wanted = present.replace(
  /(<!-- metrics: from src\/rpc\/metrics -->\n)[\s\S]*?(\n<!-- end -->)/,
  (_, start, end) => `${start}\n${section}\n${end}`,
);
if (present !== wanted) {
  if (process.argv.includes('--check')) {
    console.error('docs/metrics.md does not match the declarations: run npm run docs');
    process.exitCode = 1;
  } else writeFileSync(page, wanted);
}
