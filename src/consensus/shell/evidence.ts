import { Buffer } from 'node:buffer';
import type { VoteEvidence } from '../../generated/mesh.js';
import { meshCodecs } from '../../generated/mesh-codecs.js';
import type { Store } from '../../storage/store.js';
import { WriteBatch } from '../../storage/write-batch.js';
import type { Vote } from '../core/types.js';
import { voteToWire } from '../core/wire.js';

const COLUMN = 'consensus';
const PREFIX = 'e'.charCodeAt(0);
const KEY_BYTES = 22;
const KINDS = { notarize: 0, nullify: 1, finalize: 2 } as const;

/** Maximum number of stored pairs; the first ones are evidence enough. */
const MAX_EVIDENCE = 1_000;

/** Stores conflicting votes for operators, under "e" ‖ be64 epoch ‖ be64 view ‖ be32 signer ‖ u8 kind. */
export class EvidenceStore {
  readonly #store: Pick<Store, 'get' | 'scan' | 'write'>;
  #count: number;

  constructor(store: Pick<Store, 'get' | 'scan' | 'write'>) {
    this.#store = store;
    this.#count = [...this.#entries()].length;
  }

  get count(): number {
    return this.#count;
  }

  /** @returns whether the pair was new and stored */
  async add(first: Vote, second: Vote): Promise<boolean> {
    const key = keyOf(second);
    if (this.#count >= MAX_EVIDENCE || this.#store.get(COLUMN, key) !== undefined) return false;
    this.#count++;
    const batch = new WriteBatch();
    const evidence = { first: voteToWire(first), second: voteToWire(second) };
    batch.put(COLUMN, key, meshCodecs.VoteEvidence.encode(evidence));
    await this.#store.write(batch, { sync: false });
    return true;
  }

  /** All evidence, by epoch and view. */
  list(): readonly VoteEvidence[] {
    return [...this.#entries()].map(([, value]) => meshCodecs.VoteEvidence.decode(value));
  }

  #entries() {
    return this.#store.scan(COLUMN, {
      gte: Uint8Array.of(PREFIX),
      lt: Uint8Array.of(PREFIX + 1),
      limit: MAX_EVIDENCE,
    });
  }
}

function keyOf({ epoch, view, signer, kind }: Vote): Uint8Array {
  const key = Buffer.alloc(KEY_BYTES);
  key.writeUInt8(PREFIX, 0);
  key.writeBigUInt64BE(BigInt(epoch), 1);
  key.writeBigUInt64BE(BigInt(view), 9);
  key.writeUInt32BE(signer, 17);
  key.writeUInt8(KINDS[kind], 21);
  return key;
}
