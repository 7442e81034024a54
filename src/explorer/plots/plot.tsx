import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { isDark } from '../parts/theme.js';
import type { Series } from './block-series.js';

const HEIGHT = 140;

export interface PlotProps {
  readonly series: Series;
  readonly unit: string;
  readonly format: (value: number) => string;
}

/** A small plot of one value over time. The text below it says the same in words. */
export function Plot({ series, unit, format }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const { name, times, values } = series;
  const hasData = values.length > 1;
  const dark = isDark.value;

  useEffect(() => {
    const element = place.current;
    if (element === null || !hasData) return;
    const made = new uPlot(optionsOf(element, name, unit), [[], []], element);
    plot.current = made;
    const observer = new ResizeObserver(() =>
      made.setSize({ width: Math.max(120, element.clientWidth), height: HEIGHT }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = undefined;
    };
    // A canvas keeps the colours that it was drawn with.
  }, [hasData, name, unit, dark]);

  useEffect(() => {
    plot.current?.setData([[...times], [...values]]);
  }, [times, values, hasData, dark]);

  const last = values.at(-1);
  return (
    <figure class="plot">
      <figcaption>
        {name}
        {last !== undefined && <span class="plot-now"> {format(last)}</span>}
      </figcaption>
      {hasData ? (
        <div ref={place} class="plot-area" aria-hidden="true" />
      ) : (
        <p class="empty">Not enough data yet.</p>
      )}
      {hasData && (
        <p class="plot-range muted">
          lowest {format(Math.min(...values))}, highest {format(Math.max(...values))}
        </p>
      )}
    </figure>
  );
}

function timeOfDay(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(11, 19);
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

function compact(value: number): string {
  return COMPACT.format(value);
}

function optionsOf(element: HTMLElement, name: string, unit: string): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (variable: string) => style.getPropertyValue(variable).trim();
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  };
  return {
    width: Math.max(120, element.clientWidth),
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_, low, high) => [Math.min(0, low), high <= 0 ? 1 : high * 1.1] } },
    axes: [
      { ...axis, space: 70, size: 24, values: (_, times) => times.map(timeOfDay) },
      { ...axis, space: 30, size: 44, values: (_, values) => values.map(compact) },
    ],
    series: [
      {},
      {
        label: `${name} (${unit})`,
        stroke: colour('--accent'),
        fill: colour('--accent-soft'),
        width: 1.5,
        points: { show: false },
      },
    ],
  };
}
