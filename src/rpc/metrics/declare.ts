import { Counter, Gauge, type Registry } from 'prom-client';

/** The values of a metric, by the value of its only label. */
export type Labelled = () => Iterable<readonly [label: string, value: number]>;

/** Declares metrics whose values are read on each scrape. */
export class Declarations {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** @param value returns undefined to omit the metric */
  gauge(name: string, help: string, value: () => number | undefined): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.reset();
        const current = value();
        if (current === undefined) this.remove();
        else this.set(current);
      },
    });
  }

  gauges(name: string, help: string, label: string, values: Labelled): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [of, value] of values()) this.set({ [label]: of }, value);
      },
    });
  }

  /** @param value returns undefined to omit the metric */
  counter(name: string, help: string, value: () => number | undefined): void {
    new Counter({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.reset();
        const current = value();
        if (current === undefined) this.remove();
        else this.inc(current);
      },
    });
  }

  counters(name: string, help: string, label: string, values: Labelled): void {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [of, value] of values()) this.inc({ [label]: of }, value);
      },
    });
  }
}
