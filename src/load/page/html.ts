/* Parts of the self-contained HTML pages of reports. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { percent } from '../../base/number-text.js';
import { shownLine } from '../../base/shown-text.js';
import { packageRoot } from '../../config/package-info.js';
import type { Plot, PlotLine, Tone } from './plot.js';

/** Texts from nodes and files are cut, so that a page stays readable. */
const MAX_CHARACTERS = 300;
/** A number with its unit, a change of one, or nothing. */
const NUMERIC = /^([≈+−-]? ?[\d,.]{1,20}( ?(%|\/s|[nµm]?s|MiB|×))?|=|)$/;

/** Renders one page that needs no network. @param body HTML */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${asset('style.css')}</style>
</head>
<body>
<main>
${body}
</main>
<script>${asset('draw.js')}</script>
</body>
</html>
`;
}

/** @param body HTML; an empty one makes no card */
export function card(title: string, body: string): string {
  if (body === '') return '';
  const head = title === '' ? '' : `<div class="card-head"><h2>${escapeHtml(title)}</h2></div>\n`;
  return `<section class="card">\n${head}${body}\n</section>`;
}

/** Cards beside each other where the page is wide enough; the empty ones are left out. */
export function cards(all: readonly string[]): string {
  const there = all.filter((each) => each !== '');
  return there.length === 0 ? '' : `<div class="cards">\n${there.join('\n')}\n</div>`;
}

/** What a run comes to, at the top of its page. @param evidence one sentence each */
export function verdictCard(sentence: string, evidence: readonly string[]): string {
  const list = evidence.map((each) => `<li>${escapeHtml(shown(each))}</li>`).join('');
  return `<section class="card verdict">
<p>${escapeHtml(shown(sentence))}</p>
${list === '' ? '' : `<ul class="muted">${list}</ul>`}
</section>`;
}

/** A figure of one line, with its unit. */
export interface PageFigure {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
}

export function figures(all: readonly PageFigure[]): string {
  const items = all.map(
    ({ name, value, note }) =>
      `<div class="figure"><dt>${escapeHtml(name)}</dt><dd><div class="figure-value">${escapeHtml(value)}</div>${note === undefined ? '' : `<div class="figure-note">${escapeHtml(note)}</div>`}</dd></div>`,
  );
  return `<dl class="figures">\n${items.join('\n')}\n</dl>`;
}

/**
 * A table that scrolls by itself where it is wider than the page, with its columns of numbers aligned to the right; nothing
 * without rows.
 * @param all number of rows that there are, if not all are given
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  all = rows.length,
): string {
  if (rows.length === 0) return '';
  const more =
    all > rows.length ? `<p class="muted">${number(all - rows.length)} more are not shown.</p>` : '';
  const isNumeric = head.map(
    (_, column) => column > 0 && rows.every((cells) => NUMERIC.test(cells[column] ?? '')),
  );
  const row = (cells: readonly string[], tag: 'td' | 'th') =>
    `<tr>${cells
      .map(
        (cell, column) =>
          `<${tag}${isNumeric[column] ? ' class="numeric"' : ''}>${escapeHtml(cell)}</${tag}>`,
      )
      .join('')}</tr>\n`;
  const body = rows.map((cells) => row(cells, 'td')).join('');
  return `<div class="scroll"><table><thead>${row(head, 'th')}</thead><tbody>${body}</tbody></table></div>${more}`;
}

/** Bars from zero, each with its value as text. */
export interface BarGroup {
  readonly name: string;
  readonly bars: readonly {
    readonly label: string;
    readonly tone: Tone;
    readonly value: number;
    readonly text: string;
  }[];
}

/** The longest bar of each group is its largest value: groups may be of different size. */
export function barGroups(groups: readonly BarGroup[]): string {
  const items = groups.map(({ name, bars }) => {
    const longest = Math.max(...bars.map(({ value }) => value));
    const lines = bars.map(({ label, tone, value, text }) => {
      const percentage = longest > 0 ? (Math.max(0, value) / longest) * 100 : 0;
      return `<div class="bar tone-${tone}"><span>${escapeHtml(label)}</span><i style="width:${percentage.toFixed(1)}%"></i><span>${escapeHtml(text)}</span></div>`;
    });
    return `<div>${name === '' ? '' : `<dt>${escapeHtml(name)}</dt>`}<dd>${lines.join('')}</dd></div>`;
  });
  return `<dl class="bars">\n${items.join('\n')}\n</dl>`;
}

/**
 * Counts by name as bars, the largest first; nothing without counts.
 * @param all what each count is shown as a share of
 * @param tone of the bars; with `good`, those of other names than `success` are bad
 */
export function countBars(counts: Readonly<Record<string, number>>, all: number, tone: Tone): string {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  if (entries.length === 0) return '';
  const bars = entries.map(([name, value]) => ({
    label: shown(name),
    tone: tone === 'good' && name !== 'success' ? 'bad' : tone,
    value,
    text: `${number(value)} (${percent(value / Math.max(1, all))})`,
  }));
  return barGroups([{ name: '', bars }]);
}

/** Plots beside and below each other, each with a key of its lines; the page's script draws them. */
export function plotGrid(plots: readonly Plot[]): string {
  return plots.length === 0 ? '' : `<div class="plots">\n${plots.map(plotFigure).join('\n')}\n</div>`;
}

function plotFigure(plot: Plot): string {
  const keys = plot.groups.flatMap(({ lines }) => lines.map(keyOf));
  return `<figure class="plot card"><figcaption>${escapeHtml(plot.title)}</figcaption>
<div class="plot-area" aria-hidden="true"></div>
<ul class="plot-key">${keys.join('')}</ul>
<script type="application/json">${json(plot)}</script></figure>`;
}

function keyOf({ label, tone, shape, isEarlier, values }: PlotLine): string {
  const classes = [
    `tone-${tone}`,
    ...(shape === 'dashes' ? ['dashes'] : []),
    ...(isEarlier ? ['earlier'] : []),
  ];
  const known = values.filter((value) => value !== null);
  const most = known.length === 0 ? 'no values' : `most ${number(Math.max(...known))}`;
  return `<li class="${classes.join(' ')}">${escapeHtml(label)} <span class="plot-value">${most}</span></li>`;
}

/** One line of text from elsewhere, cut, with escapes for characters that no reader would see. */
export function shown(text: string): string {
  return shownLine(text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A number for readers: two decimals at most. */
export function number(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

function asset(name: string): string {
  return readFileSync(join(packageRoot(), 'dist', 'report-page', name), 'utf8');
}

/** JSON that cannot end its script element early; numbers keep as many digits as a plot can show. */
function json(plot: Plot): string {
  const text = JSON.stringify(plot, (_, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(6)) : value,
  );
  return text.replaceAll('<', '\\u003c');
}
