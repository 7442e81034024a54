import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A page that needs no network. */
export interface PageContent {
  readonly title: string;
  /** HTML; the element `plots` receives the charts that name no other. */
  readonly body: string;
  /** Values for the script, by the id of their element. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Has uPlot, `dataOf(id)` and `addPlot(options, series, id of the element)` at hand. */
  readonly script: string;
  /** Rules after those that all pages share. */
  readonly style?: string;
}

const STYLE = `
:root { color-scheme: light; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 16px; color: #1b1f24; background: #fff; }
h1 { font-size: 20px; margin: 0; }
p { margin: 4px 0 16px; color: #555b64; }
table { border-collapse: collapse; margin-bottom: 20px; }
th, td { text-align: right; padding: 3px 14px 3px 0; font-variant-numeric: tabular-nums; }
th { font-weight: 600; color: #555b64; }
th:first-child, td:first-child { text-align: left; }
.u-title { font-size: 15px; }
`;

const SCRIPT = `
const dataOf = (id) => JSON.parse(document.getElementById(id).textContent);
const shown = (_, value) => (value == null ? '' : Number(value.toPrecision(4)).toLocaleString('en'));
function addPlot({ height = 240, ...options }, series, id = 'plots') {
  const place = document.createElement('div');
  document.getElementById(id).append(place);
  const size = () => ({ width: Math.min(1100, document.body.clientWidth - 32), height });
  const plot = new uPlot({ ...options, ...size() }, series, place);
  addEventListener('resize', () => plot.setSize(size()));
}
`;

/** Renders one self-contained HTML page with charts. */
export function htmlPage({ title, body, data, script, style = '' }: PageContent): string {
  const values = Object.entries(data).map(
    ([id, value]) => `<script type="application/json" id="${escapeHtml(id)}">${json(value)}</script>\n`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${asset(import.meta.resolve('uplot/dist/uPlot.min.css'))}${STYLE}${style}</style>
</head>
<body>
${body}
${values.join('')}<script>${asset(import.meta.resolve('uplot/dist/uPlot.iife.min.js'))}</script>
<script>${SCRIPT}${script}</script>
</body>
</html>
`;
}

/** A table row; the cells are text. */
export function row(cells: readonly string[], tag: 'td' | 'th' = 'td'): string {
  return `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>\n`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A number for readers: two decimals at most. */
export function number(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

/** @param share 0 to 1 */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function asset(url: string): string {
  return readFileSync(fileURLToPath(url), 'utf8');
}

/** JSON that cannot end its script element early. */
function json(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
