import type { PlottedSample } from './load-report.js';
import type { Plot, PlotAxis, PlotGroup, PlotLine, Tone } from './page/plot.js';

interface LineOf {
  readonly label: string;
  readonly tone: Tone;
  readonly shape?: 'dashes';
  readonly of: (sample: PlottedSample) => number | undefined;
}

interface PlotOf {
  readonly title: string;
  readonly y: PlotAxis;
  readonly lines: readonly LineOf[];
}

const X: PlotAxis = { label: 'seconds since the load began' };
const MIB = 1_024 * 1_024;

const percent = (share: number | undefined) => (share === undefined ? undefined : share * 100);
const mebibytes = (bytes: number | undefined) => (bytes === undefined ? undefined : bytes / MIB);

const LOAD: readonly PlotOf[] = [
  {
    title: 'Sent and sealed',
    y: { label: 'transactions a second' },
    lines: [
      { label: 'sent', tone: 'muted', of: ({ sent }) => sent },
      { label: 'sealed', tone: 'accent', of: ({ sealed }) => sealed },
    ],
  },
  {
    title: 'Accepted and refused',
    y: { label: 'transactions a second' },
    lines: [
      { label: 'accepted', tone: 'accent', of: ({ accepted }) => accepted },
      { label: 'refused', tone: 'bad', of: ({ refused }) => refused },
    ],
  },
  {
    title: 'Latency until accepted',
    y: { label: 'milliseconds' },
    lines: [
      { label: 'p50', tone: 'accent', of: ({ accepted_p50_ms: ms }) => ms },
      { label: 'p99', tone: 'waiting', of: ({ accepted_p99_ms: ms }) => ms },
    ],
  },
  {
    title: 'Latency until in a block',
    y: { label: 'milliseconds' },
    lines: [
      { label: 'p50', tone: 'accent', of: ({ sealed_p50_ms: ms }) => ms },
      { label: 'p99', tone: 'waiting', of: ({ sealed_p99_ms: ms }) => ms },
    ],
  },
  {
    title: 'Waiting transactions',
    y: { label: 'transactions' },
    lines: [
      { label: "in the node's pool", tone: 'accent', of: ({ pool }) => pool },
      { label: 'accepted, not sealed', tone: 'waiting', of: ({ unsealed }) => unsealed },
    ],
  },
  {
    title: 'Fill of blocks',
    y: { label: '% of the gas limit' },
    lines: [{ label: 'mean of the blocks', tone: 'accent', of: ({ fill }) => percent(fill) }],
  },
];

const USAGE: readonly PlotOf[] = [
  {
    title: 'Processor time of the node',
    y: { label: 'cores in use' },
    lines: [
      { label: 'all threads', tone: 'accent', of: ({ node }) => node?.cores },
      { label: 'main thread', tone: 'waiting', of: ({ node }) => node?.main?.cores },
      { label: 'busiest front thread', tone: 'blue', of: ({ node }) => node?.front?.cores },
    ],
  },
  {
    title: 'Threads of the node',
    y: { label: '% of the time busy', most: 100 },
    lines: [
      { label: 'main thread', tone: 'waiting', of: ({ node }) => percent(node?.main?.busy) },
      { label: 'busiest front thread', tone: 'blue', of: ({ node }) => percent(node?.front?.busy) },
      { label: 'block workers', tone: 'accent', of: ({ node }) => percent(node?.block_workers) },
    ],
  },
  {
    title: 'Processor time of the load generator',
    y: { label: 'cores in use' },
    lines: [{ label: 'all threads', tone: 'accent', of: ({ generator }) => generator?.cores }],
  },
  {
    title: 'Event loop of the load generator',
    y: { label: '% of the time busy', most: 100 },
    lines: [{ label: 'event loop', tone: 'waiting', of: ({ generator }) => percent(generator?.busy) }],
  },
  {
    title: 'Memory',
    y: { label: 'MiB resident' },
    lines: [
      { label: 'node', tone: 'accent', of: ({ node }) => mebibytes(node?.memory_bytes) },
      { label: 'load generator', tone: 'muted', of: ({ generator }) => mebibytes(generator?.memory_bytes) },
    ],
  },
];

/** Plots of a load, with those of an earlier one behind them. */
export function loadPlots(now: readonly PlottedSample[], earlier: readonly PlottedSample[] = []): Plot[] {
  return LOAD.map((plot) => drawn(plot, now, earlier));
}

/** Plots of processor time and memory, as far as they were measured. */
export function usagePlots(now: readonly PlottedSample[], earlier: readonly PlottedSample[] = []): Plot[] {
  return USAGE.map((plot) => drawn(plot, now, earlier)).filter(({ groups }) =>
    groups.some(({ lines }) => lines.length > 0),
  );
}

function drawn(
  { title, y, lines }: PlotOf,
  now: readonly PlottedSample[],
  earlier: readonly PlottedSample[],
): Plot {
  const groups = [groupOf(now, lines), groupOf(earlier, lines, true)];
  return { title, x: X, y, groups: groups.filter(({ at }) => at.length > 0) };
}

function groupOf(samples: readonly PlottedSample[], lines: readonly LineOf[], isEarlier = false): PlotGroup {
  const all = lines.map(({ of, label, ...line }): PlotLine => {
    const values = samples.map((sample) => of(sample) ?? null);
    return { ...line, ...(isEarlier ? { label: `${label}, earlier`, isEarlier } : { label }), values };
  });
  return {
    at: samples.map(({ at_s: at }) => at),
    lines: all.filter(({ values }) => values.some((value) => value !== null)),
  };
}
