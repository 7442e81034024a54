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

/** Maximum number of stored pairs of one validator, so that none can hide another's; the first ones are enough. */
export const MAX_EVIDENCE_A_SIGNER = 32;

/** Name of the validator with an index in the set of an epoch; undefined if the set is not known. */
export type SignerName = (epoch: bigint, signer: number) => string | undefined;

/** Stores conflicting votes for operators, under "e" ‖ be64 epoch ‖ be64 view ‖ be32 signer ‖ u8 kind. */
export class EvidenceStore {
  readonly #store: Pick<Store, 'get' | 'scan' | 'write'>;
  readonly #nameOf: SignerName;
  readonly #counts = new Map<string, number>();

  constructor(store: Pick<Store, 'get' | 'scan' | 'write'>, nameOf: SignerName) {
    this.#store = store;
    this.#nameOf = nameOf;
    for (const [key] of this.#entries()) {
      const view = Buffer.from(key.buffer, key.byteOffset, key.length);
      this.#count(this.#name(view.readBigUInt64BE(1), view.readUInt32BE(17)));
    }
  }

  /** @returns whether the pair was new and stored */
  async add(first: Vote, second: Vote): Promise<boolean> {
    const key = keyOf(second);
    const name = this.#name(BigInt(second.epoch), second.signer);
    if ((this.#counts.get(name) ?? 0) >= MAX_EVIDENCE_A_SIGNER) return false;
    if (this.#store.get(COLUMN, key) !== undefined) return false;
    this.#count(name);
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

  /** Indices change between epochs, so an unknown set counts by itself. */
  #name(epoch: bigint, signer: number): string {
    return this.#nameOf(epoch, signer) ?? `${epoch}/${signer}`;
  }

  #count(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  #entries() {
    return this.#store.scan(COLUMN, { gte: Uint8Array.of(PREFIX), lt: Uint8Array.of(PREFIX + 1) });
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
