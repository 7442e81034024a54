import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The current value of a series; undefined omits it. */
export type Reading = number | bigint | undefined;
/** The values of a metric, each with the values of its labels. */
export type Labelled = () => Iterable<readonly [labels: string | readonly string[], value: Reading]>;

/** Declares the metrics of a registry. Those with a source are read on each scrape, the others are updated. */
export class Declarations {
  readonly #registers: Registry[];

  constructor(registry: Registry) {
    this.#registers = [registry];
  }

  gauge(name: string, help: string, value: () => Reading | Promise<Reading>): void {
    new Gauge({
      name,
      help,
      registers: this.#registers,
      async collect() {
        const current = await value();
        if (current === undefined) this.remove();
        else this.set(Number(current));
      },
    });
  }

  counter(name: string, help: string, value: () => Reading): void {
    this.counters(name, help, [], () => [[[], value()]]);
  }

  gauges(name: string, help: string, label: string | readonly string[], values: Labelled): void {
    const labelNames = [label].flat();
    new Gauge({
      name,
      help,
      labelNames,
      registers: this.#registers,
      collect() {
        this.reset();
        for (const [of, value] of values())
          if (value !== undefined) this.set(labels(labelNames, of), Number(value));
      },
    });
  }

  counters(name: string, help: string, label: string | readonly string[], values: Labelled): void {
    const labelNames = [label].flat();
    new Counter({
      name,
      help,
      labelNames,
      registers: this.#registers,
      collect() {
        this.reset();
        if (labelNames.length === 0) this.remove();
        for (const [of, value] of values())
          if (value !== undefined) this.inc(labels(labelNames, of), Number(value));
      },
    });
  }

  /** A counter that its owner increments. @param values the values of its label that are there from the start */
  events<L extends string = never>(
    name: string,
    help: string,
    label?: L,
    values: readonly string[] = [],
  ): Counter<L> {
    const labelNames = label === undefined ? [] : [label];
    const counter = new Counter<L>({ name, help, labelNames, registers: this.#registers });
    for (const value of values) counter.inc(labels(labelNames, value) as Record<L, string>, 0);
    return counter;
  }

  histogram(name: string, help: string, buckets: number[]): Histogram {
    return new Histogram({ name, help, registers: this.#registers, buckets });
  }
}

function labels(names: readonly string[], values: string | readonly string[]): Record<string, string> {
  const each = [values].flat();
  return Object.fromEntries(names.map((name, place) => [name, each[place] ?? '']));
}
