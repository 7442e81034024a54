import { answerAll, TickBatch } from '../../async/tick-batch.js';
import type { Store } from '../../storage/store.js';
import { WriteBatch } from '../../storage/write-batch.js';
import {
  compareRecords,
  notPrepaid,
  type QuotaStore,
  type TokenRecord,
  tooManyUnits,
  unknownToken,
} from './quota-store.js';

const PREFIX = 'token/';
const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface Change {
  readonly id: string;
  /** Undefined to delete the record. */
  readonly record: TokenRecord | undefined;
}

/**
 * Quota store in the node's own store, column `meta`, as JSON under `token/<id>`. Changes are visible at once; their
 * promises resolve once they are synced. Changes of one event loop tick share a write.
 */
export class EmbeddedQuotaStore implements QuotaStore {
  readonly #store: Store;
  /** The newest change of each record that is not written yet. */
  readonly #unwritten = new Map<string, Change>();
  readonly #batch = new TickBatch<Change, undefined>(
    () => void answerAll(this.#batch.take(), (changes) => this.#write(changes)),
  );

  constructor(store: Store) {
    this.#store = store;
  }

  async get(id: string): Promise<TokenRecord | undefined> {
    return this.#find(id);
  }

  async register(record: TokenRecord): Promise<TokenRecord> {
    const known = this.#find(record.id);
    if (known !== undefined) return known;
    await this.#put(record);
    // It may have been revoked meanwhile.
    return this.#find(record.id) ?? record;
  }

  async take(id: string, units: number): Promise<number> {
    const record = this.#find(id);
    const taken = record === undefined ? 0 : Math.min(units, record.left);
    if (record === undefined || taken <= 0) return 0;
    await this.#put({ ...record, left: record.left - taken });
    return taken;
  }

  async giveBack(id: string, units: number): Promise<void> {
    const record = this.#find(id);
    if (record === undefined || units <= 0) return;
    await this.#put({ ...record, left: record.left + units });
  }

  async topUp(id: string, units: number): Promise<TokenRecord> {
    const record = this.#known(id);
    if (record.units === undefined) throw notPrepaid(id);
    const total = record.units + units;
    if (!Number.isSafeInteger(total)) throw tooManyUnits();
    const changed = { ...record, units: total, left: record.left + units };
    await this.#put(changed);
    return changed;
  }

  async revoke(id: string, nowMs: number): Promise<TokenRecord> {
    const record = this.#known(id);
    if (record.revokedMs !== undefined) return record;
    const changed = { ...record, revokedMs: nowMs };
    await this.#put(changed);
    return changed;
  }

  async list(): Promise<readonly TokenRecord[]> {
    const gte = encoder.encode(PREFIX);
    const lt = encoder.encode(PREFIX.replace('/', '0'));
    const records = new Map<string, TokenRecord | undefined>();
    for (const [, value] of this.#store.scan('meta', { gte, lt })) {
      const record = parse(value);
      records.set(record.id, record);
    }
    for (const { id, record } of this.#unwritten.values()) records.set(id, record);
    return [...records.values()].filter((record) => record !== undefined).sort(compareRecords);
  }

  async purge(beforeMs: number): Promise<void> {
    const expired = (await this.list()).filter(({ expiresMs }) => expiresMs < beforeMs);
    await Promise.all(expired.map(({ id }) => this.#change({ id, record: undefined })));
  }

  #find(id: string): TokenRecord | undefined {
    const unwritten = this.#unwritten.get(id);
    if (unwritten !== undefined) return unwritten.record;
    const value = this.#store.get('meta', keyOf(id));
    return value === undefined ? undefined : parse(value);
  }

  #known(id: string): TokenRecord {
    const record = this.#find(id);
    if (record === undefined) throw unknownToken(id);
    return record;
  }

  #put(record: TokenRecord): Promise<void> {
    return this.#change({ id: record.id, record });
  }

  async #change(change: Change): Promise<void> {
    this.#unwritten.set(change.id, change);
    await this.#batch.add(change);
    if (this.#unwritten.get(change.id) === change) this.#unwritten.delete(change.id);
  }

  async #write(changes: readonly Change[]): Promise<undefined[]> {
    const batch = new WriteBatch();
    for (const { id, record } of changes) {
      if (record === undefined) batch.delete('meta', keyOf(id));
      else batch.put('meta', keyOf(id), encoder.encode(JSON.stringify(record)));
    }
    await this.#store.write(batch, { sync: true });
    return changes.map(() => undefined);
  }
}

function parse(value: Uint8Array): TokenRecord {
  return JSON.parse(decoder.decode(value)) as TokenRecord;
}

function keyOf(id: string): Uint8Array {
  return encoder.encode(`${PREFIX}${id}`);
}
