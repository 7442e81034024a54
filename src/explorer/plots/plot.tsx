import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

/** One line of a plot. */
export interface Series {
  readonly name: string;
  /** Times in seconds, ascending. */
  readonly times: readonly number[];
  readonly values: readonly number[];
}

const HEIGHT = 140;

/** A small plot of one value over time. The text below it says the same in words. */
export function Plot({
  series,
  unit,
  format,
}: {
  readonly series: Series;
  readonly unit: string;
  readonly format: (value: number) => string;
}) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const { name, times, values } = series;
  const hasData = values.length > 1;

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
  }, [hasData, name, unit]);

  useEffect(() => {
    plot.current?.setData([[...times], [...values]]);
  }, [times, values, hasData]);

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
      { ...axis, space: 60, size: 24 },
      { ...axis, size: 44, space: 30 },
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
