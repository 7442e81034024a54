/** Label values read of one metric: a node has a few threads and pools. */
const MAX_SERIES = 64;

/** Values of a metric by the value of its label; a metric without labels has one, of the empty text. */
export type Series = ReadonlyMap<string, number>;

/**
 * Reads some metrics of a Prometheus text. Lines of other metrics, and malformed ones, are skipped.
 * @param wanted names of metrics, each with the label to read; values that differ only in other labels are added up
 */
export function readMetrics(
  text: string,
  wanted: Readonly<Record<string, string>>,
): ReadonlyMap<string, Series> {
  const found = new Map<string, Map<string, number>>();
  for (const line of text.split('\n')) {
    const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{([^}]*)\})? (\S+)$/.exec(line) ?? [];
    const label = Object.hasOwn(wanted, name) ? wanted[name] : undefined;
    const number = Number(value);
    if (label === undefined || value === '' || !Number.isFinite(number) || number < 0) continue;
    const series = found.get(name) ?? new Map<string, number>();
    found.set(name, series);
    const key = labelValue(labels, label);
    if (series.has(key) || series.size < MAX_SERIES) series.set(key, (series.get(key) ?? 0) + number);
  }
  return found;
}

function labelValue(labels: string, name: string): string {
  for (const pair of labels.split(',')) {
    const [, key, value = ''] = /^(\w+)="([^"\\]{0,64})"$/.exec(pair) ?? [];
    if (key === name) return value;
  }
  return '';
}
