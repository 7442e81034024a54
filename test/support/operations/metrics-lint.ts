/** One sample line of the Prometheus text format. */
export interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;
/** Units other than base units, which `promtool check metrics` refuses. */
const WRONG_UNITS =
  /_(milliseconds|microseconds|nanoseconds|minutes|hours|days|ms|kilobytes|megabytes|gigabytes|kib|mib)(_|$)/;

export function readMetrics(text: string): MetricSample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(readSample);
}

/** Violations of the rules of `promtool check metrics` and of the format itself. */
export function lintMetrics(text: string): string[] {
  const problems: string[] = [];
  const types = new Map<string, string>();
  const helps = new Set<string>();
  const series = new Set<string>();
  if (!text.endsWith('\n')) problems.push('the last line has no end');
  for (const line of text.split('\n')) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (word === 'HELP') {
      if (helps.has(name)) problems.push(`${name}: HELP twice`);
      if (rest.trim() === '') problems.push(`${name}: no help text`);
      helps.add(name);
    } else if (word === 'TYPE') {
      if (types.has(name)) problems.push(`${name}: TYPE twice`);
      types.set(name, rest);
    }
  }
  for (const sample of readMetrics(text)) {
    const { name, labels, value } = sample;
    const family = familyOf(name, types);
    const type = types.get(family);
    if (type === undefined) problems.push(`${name}: no TYPE`);
    if (!helps.has(family)) problems.push(`${name}: no HELP`);
    const key = JSON.stringify([name, Object.entries(labels).sort()]);
    if (series.has(key)) problems.push(`${key}: twice`);
    series.add(key);
    if (Number.isNaN(value)) problems.push(`${key}: not a number`);
    if (type === 'counter' && value < 0) problems.push(`${key}: a negative counter`);
    for (const label of Object.keys(labels)) {
      if (label === 'le' && type === 'histogram') continue;
      if (label === 'quantile' && type === 'summary') continue;
      if (label === 'le' || label === 'quantile' || label.startsWith('__'))
        problems.push(`${key}: label ${label}`);
    }
  }
  for (const [name, type] of types) {
    if (type === 'counter' && !name.endsWith('_total')) problems.push(`${name}: a counter without _total`);
    if (type !== 'counter' && name.endsWith('_total')) problems.push(`${name}: a ${type} with _total`);
    if (/_(count|sum|bucket)$/.test(name)) problems.push(`${name}: a suffix of histograms`);
    if (/(^|_)(gauge|counter|histogram|summary)(_|$)/.test(name))
      problems.push(`${name}: its type in its name`);
    if (/[A-Z]/.test(name)) problems.push(`${name}: capitals`);
    if (WRONG_UNITS.test(name)) problems.push(`${name}: not in base units`);
  }
  return problems;
}

function readSample(line: string): MetricSample {
  const [, name, labelText = '', value] = SAMPLE.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  for (let rest = labelText; rest !== ''; ) {
    const [whole, label, text] = LABEL.exec(rest) ?? [];
    if (whole === undefined || label === undefined || text === undefined)
      throw new Error(`no labels: ${line}`);
    if (label in labels) throw new Error(`${label} twice: ${line}`);
    labels[label] = text;
    rest = rest.slice(whole.length);
  }
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) };
}

function familyOf(name: string, types: ReadonlyMap<string, string>): string {
  if (types.has(name)) return name;
  const family = name.replace(/_(bucket|sum|count)$/, '');
  const type = types.get(family);
  return type === 'histogram' || type === 'summary' ? family : name;
}
