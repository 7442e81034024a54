import { parser } from '@prometheus-io/lezer-promql';
import { declaredMetrics } from '../../../src/rpc/metrics/declared-metrics.js';

/** Labels that Prometheus adds to every series of a target. */
const TARGET_LABELS = ['job', 'instance'];

/** Labels by series name, as a Prometheus that scrapes nodes has them. */
export function knownSeries(): ReadonlyMap<string, ReadonlySet<string>> {
  const series = new Map<string, ReadonlySet<string>>([['up', new Set(TARGET_LABELS)]]);
  for (const { name, type, labels } of declaredMetrics()) {
    const all = [...labels, ...TARGET_LABELS];
    if (type !== 'histogram') series.set(name, new Set(all));
    else {
      series.set(`${name}_bucket`, new Set([...all, 'le']));
      series.set(`${name}_sum`, new Set(all));
      series.set(`${name}_count`, new Set(all));
    }
  }
  return series;
}

/** Problems of a query: its syntax, and series and labels that no node has. */
export function lintQuery(query: string, series = knownSeries()): string[] {
  const problems: string[] = [];
  const available = new Set<string>();
  const named: string[] = [];
  let labels: ReadonlySet<string> | undefined;
  let isSelector = false;
  parser.parse(query).iterate({
    enter: ({ name, type, from, to }) => {
      const text = query.slice(from, to);
      if (type.isError) problems.push(`syntax error at ${from}`);
      if (name === 'VectorSelector') isSelector = true;
      if (name === 'Identifier') {
        labels = series.get(text);
        if (labels === undefined) problems.push(`no series ${text}`);
        for (const label of labels ?? []) available.add(label);
      }
      if (name !== 'LabelName') return;
      if (!isSelector) named.push(text);
      else if (labels?.has(text) === false) problems.push(`${text} is no label of its series`);
    },
    leave: ({ name }) => {
      if (name === 'VectorSelector') isSelector = false;
    },
  });
  for (const label of named) if (!available.has(label)) problems.push(`no series of the query has ${label}`);
  return problems;
}

/** Labels of a query's series, after its outermost aggregation if it has one. */
export function labelsOf(query: string, series = knownSeries()): ReadonlySet<string> {
  const by = /\b(?:sum|avg|max|min) by \(([^)]*)\)/.exec(query)?.[1];
  if (by !== undefined) return new Set(by.split(',').map((label) => label.trim()));
  const labels = new Set<string>();
  for (const [name] of query.matchAll(/[a-z_]+/g))
    for (const label of series.get(name) ?? []) labels.add(label);
  return labels;
}

/** A series that a query selects. */
export interface Selector {
  readonly name: string;
  /** True for a series with these labels, if the selector's conditions on labels hold. */
  matches(labels: Readonly<Record<string, string>>): boolean;
}

/** The selectors of a query, in order. */
export function selectorsOf(query: string): Selector[] {
  const selectors: Selector[] = [];
  parser.parse(query).iterate({
    enter: ({ name, from, to }) => {
      if (name !== 'VectorSelector') return;
      const text = query.slice(from, to);
      const conditions = [...text.matchAll(/(\w+)(=~|!~|!=|=)"((?:[^"\\]|\\.)*)"/g)].map(
        ([, label = '', operator = '', quoted = '']) => {
          const value = quoted.replaceAll('\\\\', '\\');
          const holds = (actual: string) =>
            operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(actual) : actual === value;
          return { label, isMet: (actual: string) => holds(actual) !== operator.startsWith('!') };
        },
      );
      selectors.push({
        name: /^\w+/.exec(text)?.[0] ?? '',
        matches: (labels) => conditions.every(({ label, isMet }) => isMet(labels[label] ?? '')),
      });
    },
  });
  return selectors;
}
