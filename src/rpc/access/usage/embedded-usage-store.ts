import type { Store } from '../../../storage/store.js';
import { WriteBatch } from '../../../storage/write-batch.js';
import { methodUse, type TokenDay, type TokenDayKey, type UsageQuery, type UsageStore } from './usage.js';
import { dayAfter, daysOf } from './usage-days.js';

const PREFIX = 'usage/';
const DAY_PREFIX = PREFIX.length + 'YYYY-MM-DD/'.length;
const PURGED_AT_ONCE = 1_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface StoredUsage {
  readonly subject: string;
  /** Calls and compute units by method. */
  readonly methods: Readonly<Record<string, readonly [calls: number, units: number]>>;
}

/** Usage in the node's own store, column `meta`, as JSON under `usage/<day>/<token id>`. */
export class EmbeddedUsageStore implements UsageStore {
  readonly isUp = true;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async add(usage: readonly TokenDay[]): Promise<void> {
    const batch = new WriteBatch();
    for (const added of usage) {
      const key = keyOf(added);
      batch.put('meta', key, encoder.encode(JSON.stringify(sum(this.#store.get('meta', key), added))));
    }
    await this.#store.write(batch, { sync: true });
  }

  async usage(query: UsageQuery): Promise<readonly TokenDay[]> {
    return query.token === undefined ? this.#ofAll(query) : this.#ofToken(query, query.token);
  }

  async purge(before: string): Promise<void> {
    const lt = encoder.encode(`${PREFIX}${before}/`);
    let gte: Uint8Array = encoder.encode(PREFIX);
    for (;;) {
      const batch = new WriteBatch();
      for (const [key] of this.#store.scan('meta', { gte, lt, limit: PURGED_AT_ONCE })) {
        batch.delete('meta', key);
        gte = key;
      }
      if (batch.count === 0) return;
      await this.#store.write(batch, { sync: false });
    }
  }

  #ofToken({ from, to, after, limit }: UsageQuery, token: string): readonly TokenDay[] {
    const days = daysOf(after === undefined ? from : dayAfter(after.day, 1), to);
    const keys = days.map((day) => keyOf({ day, token }));
    const entries = this.#store
      .getMany('meta', keys)
      .flatMap((value, at) => (value === undefined ? [] : [entryOf(days[at] ?? '', token, value)]));
    return entries.slice(0, limit);
  }

  #ofAll({ from, to, after, limit }: UsageQuery): readonly TokenDay[] {
    // The key after a key is the same with a zero byte appended.
    const gte =
      after === undefined
        ? encoder.encode(`${PREFIX}${from}/`)
        : encoder.encode(`${PREFIX}${after.day}/${after.token}\0`);
    // The digit 0 follows the slash.
    const lt = encoder.encode(`${PREFIX}${to}0`);
    return Array.from(this.#store.scan('meta', { gte, lt, limit }), ([key, value]) => {
      const text = decoder.decode(key);
      return entryOf(text.slice(PREFIX.length, DAY_PREFIX - 1), text.slice(DAY_PREFIX), value);
    });
  }
}

function keyOf({ day, token }: TokenDayKey): Uint8Array {
  return encoder.encode(`${PREFIX}${day}/${token}`);
}

function sum(stored: Uint8Array | undefined, { subject, methods: added }: TokenDay): StoredUsage {
  const methods = new Map(stored === undefined ? [] : Object.entries(parse(stored).methods));
  for (const { method, calls, units } of added) {
    const [knownCalls, knownUnits] = methods.get(method) ?? [0, 0];
    methods.set(method, [knownCalls + calls, knownUnits + units]);
  }
  return { subject, methods: Object.fromEntries(methods) };
}

function entryOf(day: string, token: string, value: Uint8Array): TokenDay {
  const { subject, methods } = parse(value);
  return {
    day,
    token,
    subject,
    methods: Object.entries(methods).map(([method, [calls, units]]) => methodUse(method, calls, units)),
  };
}

function parse(value: Uint8Array): StoredUsage {
  return JSON.parse(decoder.decode(value)) as StoredUsage;
}
