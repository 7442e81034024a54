/**
 * The rule for cutting the state at a height into chunks. The cut depends on the state alone, so every node, and any
 * program that reads the state from outside, cuts it identically.
 *
 * 1. An entry weighs 32 bytes for its key plus the bytes of its value.
 * 2. A contract's record is an entry whose value is borsh(AccountRecord) with a contract, under the key of a contract
 *    created by its `deployer`. That key is sha256(0x00 ‖ address), where the address is the last 20 bytes of
 *    sha256(0x01 ‖ deployer20 ‖ u64le(i)) for an i below the `deploy_index` of the deployer's record. (Only the key
 *    distinguishes a record from a slot that holds the same bytes.)
 * 3. A record names blobs by their sha256, in this order: `code_hash`, `idl_hash`, and both of `pending_upgrade`.
 * 4. A blob belongs to the first entry, in key order, whose record names it, as code or as IDL text, and its bytes
 *    are added to that entry's weight. The weight of a subtree therefore does not depend on earlier cuts.
 * 5. The weight of a subtree is the sum of its entries' weights. Starting at the root, a subtree that weighs at most
 *    1 MiB, or has one entry, is a chunk; any other is cut into its two halves. A half without entries is not a
 *    chunk.
 * 6. Chunks are numbered from 0, left to right. An empty state has one empty chunk at depth 0.
 * 7. A chunk carries the blobs that belong to its entries, in the order in which the records name them.
 * 8. chunk_hash = sha256(borsh of prefix: hash, depth: u16, entries: SnapshotEntry[], blobs: bytes[]); chunks_root is
 *    the list root whose leaves are the chunk hashes.
 */

import { contractAddress } from '../../crypto/address.js';
import type { Sha256 } from '../../crypto/crypto.js';
import type { AccountRecord, ContractRecord } from '../../generated/ledger.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import { ledger } from '../../ledger/codecs.js';
import { accountKey } from '../../ledger/state-keys.js';
import { latin1 } from '../../storage/latin1.js';

/** Rule 5: maximum weight of a chunk with more than one entry, in bytes. */
export const MAX_CHUNK_BYTES = 1_048_576;

const KEY_BYTES = 32;
/** borsh(AccountRecord) without its lanes: balance, length of lanes, deploy_index, tag of the contract. */
const RECORD_BYTES = 16 + 4 + 8 + 1;
const LANE_BYTES = 12;

/** Weight of an entry without blobs, in bytes (rule 1). */
export function entryBytes(value: Uint8Array): number {
  return KEY_BYTES + value.length;
}

/** A code or IDL blob stored outside the state and named by it: its column and its sha256. */
export interface BlobRef {
  readonly kind: 'code' | 'idl';
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/** Decodes the contract in a value that may be an account's record; undefined if there is none. */
export function decodeContractValue(value: Uint8Array): ContractRecord | undefined {
  if (!mayNameContract(value)) return undefined;
  try {
    return ledger.AccountRecord.decode(value).contract;
  } catch (error) {
    if (error instanceof BorshError) return undefined;
    throw error;
  }
}

/** Checks one byte to rule out most values quickly: most are accounts without a contract. */
function mayNameContract(value: Uint8Array): boolean {
  if (value.length <= RECORD_BYTES) return false;
  const lanes = new DataView(value.buffer, value.byteOffset, value.byteLength).getUint32(16, true);
  return value[RECORD_BYTES - 1 + lanes * LANE_BYTES] === 1;
}

/** The blobs that a contract's record names (rule 3). */
export function referencedBlobs(record: ContractRecord): BlobRef[] {
  const { code_hash, idl_hash, pending_upgrade: pending } = record;
  const names: BlobRef[] = [{ kind: 'code', hash: code_hash }];
  if (idl_hash !== undefined) names.push({ kind: 'idl', hash: idl_hash });
  if (pending !== undefined) names.push({ kind: 'code', hash: pending.code_hash });
  if (pending?.idl_hash !== undefined) names.push({ kind: 'idl', hash: pending.idl_hash });
  return names;
}

/**
 * Tells contract records from slots that hold the same bytes (rule 2).
 * @param accountOf reads the account's record under a state key, at the height being cut
 */
export function contractKeys(
  crypto: Sha256,
  accountOf: (key: Uint8Array) => AccountRecord | undefined,
): IsContract {
  /** State keys of each deployer's contracts, as latin1 text, by deployer. */
  const keysByDeployer = new Map<string, ReadonlySet<string>>();
  const keysOf = (deployer: Uint8Array): ReadonlySet<string> => {
    const known = keysByDeployer.get(latin1(deployer));
    if (known !== undefined) return known;
    const made = accountOf(accountKey(crypto, deployer))?.deploy_index ?? 0n;
    const keys = new Set<string>();
    for (let index = 0n; index < made; index += 1n) {
      keys.add(latin1(accountKey(crypto, contractAddress(crypto, deployer, index))));
    }
    keysByDeployer.set(latin1(deployer), keys);
    return keys;
  };
  return (key, { deployer }) => keysOf(deployer).has(latin1(key));
}

/** True if a contract's record under a state key is that of the contract. */
export type IsContract = (key: Uint8Array, record: ContractRecord) => boolean;
