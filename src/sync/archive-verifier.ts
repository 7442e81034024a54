import { sameBytes } from '../base/same-bytes.js';
import type { Hashes } from '../crypto/crypto.js';
import type { AccountRecord } from '../generated/ledger.js';
import type { ImportSnapshotChunkArgs } from '../generated/node-rpc-v1.js';
import { BorshError } from '../idl/codecs/codec-errors.js';
import { ledger } from '../ledger/codecs.js';
import { checkChunk } from '../proofs/snapshot/check-chunk.js';
import { contractKeys, decodeContractValue, referencedBlobs } from '../proofs/snapshot/chunk-rule.js';
import { type ChunkSummary, summarizeChunks } from '../proofs/snapshot/cut.js';
import type { StateEntry } from '../proofs/snapshot/subtree.js';
import { latin1 } from '../storage/latin1.js';
import type { TrustedSnapshot } from './light-snapshot.js';
import { SnapshotError } from './snapshot-error.js';

/** Size of borsh(AccountRecord) without lanes and contract: balance, length of lanes, deploy_index, tag. */
const PLAIN_RECORD_BYTES = 29;

/**
 * Verifies a whole snapshot without keeping its state. Chunks must come from left to right, without gaps. Memory holds
 * only the chunks' hashes and the records of contracts and their deployers.
 */
export class ArchiveVerifier {
  readonly #hashes: Hashes;
  readonly #snapshot: TrustedSnapshot;
  readonly #chunks: ChunkSummary[] = [];
  readonly #blobs = new Set<string>();
  readonly #deployers = new Map<string, AccountRecord>();
  readonly #naming: StateEntry[] = [];

  constructor(hashes: Hashes, snapshot: TrustedSnapshot) {
    this.#hashes = hashes;
    this.#snapshot = snapshot;
  }

  /** @throws SnapshotError `malformed`, `not_proved`, `wrong_blob`, `wrong_cut` */
  add(chunk: ImportSnapshotChunkArgs): void {
    const { checkpoint } = this.#snapshot.light;
    const index = this.#chunks.length;
    if (chunk.height !== checkpoint.height || chunk.index !== index) {
      throw new SnapshotError(
        'malformed',
        `expected chunk ${index} of height ${checkpoint.height}, got chunk ${chunk.index} of ${chunk.height}`,
      );
    }
    const checked = checkChunk(this.#hashes, chunk, checkpoint.state_root);
    if ('problem' in checked) {
      throw new SnapshotError(checked.problem, `chunk ${index}: ${checked.reason}`, { chunks: [index] });
    }
    const last = this.#chunks.at(-1);
    if (last !== undefined && Buffer.compare(last.prefix, checked.place.prefix) >= 0) {
      throw new SnapshotError('wrong_cut', `chunk ${index} does not follow the chunk before it`, {
        chunks: [index],
      });
    }
    for (const { hash } of checked.blobs) this.#blobs.add(latin1(hash));
    for (const entry of chunk.entries) this.#keepDeployer(entry);
    const naming = new Set(checked.namingKeys);
    this.#naming.push(...chunk.entries.filter(({ key }) => naming.has(key)));
    const { place, root, hash, bytes } = checked;
    this.#chunks.push({ ...place, root, hash, bytes, entries: chunk.entries.length, blobs: [] });
  }

  /** @throws SnapshotError `wrong_cut`, `missing_blob` */
  finish(): { readonly contracts: number } {
    const { checkpoint } = this.#snapshot.light;
    const cut = summarizeChunks(this.#hashes, this.#chunks);
    const agrees =
      this.#chunks.length === checkpoint.chunk_count &&
      sameBytes(cut.stateRoot, checkpoint.state_root) &&
      sameBytes(cut.chunksRoot, checkpoint.chunks_root) &&
      cut.entries === checkpoint.entries &&
      cut.bytes === checkpoint.bytes;
    if (!agrees) {
      throw new SnapshotError('wrong_cut', 'the chunks are valid, but do not match the checkpoint');
    }
    const isContract = contractKeys(this.#hashes, (key) => this.#deployers.get(latin1(key)));
    let contracts = 0;
    for (const { key, value } of this.#naming) {
      const contract = decodeContractValue(value);
      if (contract === undefined || !isContract(key, contract)) continue;
      contracts++;
      if (referencedBlobs(contract).some(({ hash }) => !this.#blobs.has(latin1(hash)))) {
        throw new SnapshotError('missing_blob', 'a contract refers to code or text that is in no chunk');
      }
    }
    return { contracts };
  }

  /** Keeps the record of an account that has deployed contracts; checking a few bytes rules out most other values. */
  #keepDeployer({ key, value }: StateEntry): void {
    if (value.length < PLAIN_RECORD_BYTES) return;
    const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
    const deployIndexAt = 20 + view.getUint32(16, true) * 12;
    if (deployIndexAt + 8 >= value.length || view.getBigUint64(deployIndexAt, true) === 0n) return;
    try {
      this.#deployers.set(latin1(key), ledger.AccountRecord.decode(value));
    } catch (error) {
      // The entry is a slot, not an account.
      if (!(error instanceof BorshError)) throw error;
    }
  }
}
