// Runs in a report's page: draws each of its plots, and again when the reader's colour scheme changes.
import uPlot from 'uplot';
import type { Plot, PlotLine } from '../plot.js';

const HEIGHT = 220;
const LEAST_WIDTH = 120;
/** Room above the largest value. */
const HEADROOM = 1.05;
const FONT = '11px system-ui, sans-serif';

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 });
const EXACT = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

const scheme = matchMedia('(prefers-color-scheme: dark)');
for (const figure of document.querySelectorAll<HTMLElement>('figure.plot')) show(figure);

function show(figure: HTMLElement): void {
  const area = figure.querySelector<HTMLElement>('.plot-area');
  const text = figure.querySelector('script')?.textContent;
  if (area === null || text == null) return;
  const plot = JSON.parse(text) as Plot;
  const keys = [...figure.querySelectorAll<HTMLElement>('.plot-key li')];
  const size = () => ({ width: Math.max(LEAST_WIDTH, area.clientWidth), height: HEIGHT });
  const draw = () => new uPlot({ ...optionsOf(plot, keys), ...size() }, dataOf(plot), area);
  let drawn = draw();
  new ResizeObserver(() => drawn.setSize(size())).observe(area);
  // A canvas keeps the colours that it was drawn with.
  scheme.addEventListener('change', () => {
    drawn.destroy();
    drawn = draw();
  });
}

function linesOf({ groups }: Plot): PlotLine[] {
  return groups.flatMap(({ lines }) => lines);
}

function dataOf({ groups }: Plot): uPlot.AlignedData {
  const tables = groups.map(({ at, lines }) => [at, ...lines.map(({ values }) => values)]);
  return uPlot.join(tables as unknown as uPlot.AlignedData[]);
}

function optionsOf(plot: Plot, keys: readonly HTMLElement[]): Omit<uPlot.Options, 'width' | 'height'> {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: FONT,
    labelFont: FONT,
    labelSize: 18,
    values: (_: uPlot, values: readonly (number | null)[]) =>
      values.map((value) => (value === null ? '' : COMPACT.format(value))),
  };
  const { x, y } = plot;
  const decades = { grid: { ...axis.grid, filter: powersOfTen } };
  const fromZero: uPlot.Range.Function = (_, _least, most) => [0, y.most ?? (most > 0 ? most * HEADROOM : 1)];
  const toEnd: uPlot.Range.Function = (_, _least, most) => [0, most];
  return {
    legend: { show: false },
    // Plots with the same horizontal axis move their cursors together.
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false }, sync: { key: x.label } },
    scales: {
      x: { time: false, ...(x.isLogarithmic ? { distr: 3 } : { range: toEnd }) },
      y: y.isLogarithmic ? { distr: 3 } : { range: fromZero },
    },
    axes: [
      { ...axis, label: x.label, size: 24, space: 60, ...(x.isLogarithmic && decades) },
      { ...axis, label: y.label, size: 46, space: 32, ...(y.isLogarithmic && decades) },
    ],
    series: [{}, ...linesOf(plot).map((line, place) => seriesOf(line, keys[place]))],
    hooks: { setCursor: [(drawn: uPlot) => tellValues(drawn, keys)] },
  };
}

/** Leaves out the lines between decades, unless there are hardly any decades. */
function powersOfTen(_: uPlot, splits: number[]): (number | null)[] {
  const isPower = (value: number) => Number.isInteger(Math.log10(value));
  return splits.filter(isPower).length < 2 ? splits : splits.map((value) => (isPower(value) ? value : null));
}

function seriesOf({ label, shape, isEarlier }: PlotLine, key: HTMLElement | undefined): uPlot.Series {
  const tone = key === undefined ? '' : getComputedStyle(key).getPropertyValue('--tone').trim();
  const steps = shape === 'steps' ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
  return {
    label,
    stroke: tone,
    width: 1.5,
    alpha: isEarlier ? 0.5 : 1,
    // Without `show`, points appear where there is room for them.
    points: { size: 4, fill: tone, ...(steps === undefined ? {} : { show: false }) },
    ...(shape === 'dashes' || isEarlier ? { dash: [5, 4] } : {}),
    ...(steps === undefined ? {} : { paths: steps, fill: `${tone}33` }),
  };
}

/** Shows the values under the cursor beside the names of the lines, and in their place without a cursor. */
function tellValues({ cursor, data }: uPlot, keys: readonly HTMLElement[]): void {
  const at = cursor.idx;
  for (const [place, key] of keys.entries()) {
    const value = at == null ? undefined : data[place + 1]?.[at];
    const element = key.querySelector<HTMLElement>('.plot-value');
    if (element === null) continue;
    element.dataset['summary'] ??= element.textContent ?? '';
    element.textContent = value == null ? element.dataset['summary'] : EXACT.format(value);
  }
}
