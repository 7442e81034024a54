import { createHash } from 'node:crypto';
import { nodeSha256Pairs } from '../../../native-free/crypto/sha256-pairs.js';
import type { AccountRecord } from '../../../src/generated/ledger.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { contractKeys } from '../../../src/proofs/snapshot/chunk-rule.js';
import type { CutSources } from '../../../src/proofs/snapshot/cut.js';
import type { RandomSource } from '../../support/random-source.js';

export const HASHES = {
  sha256: (data: Uint8Array) => new Uint8Array(createHash('sha256').update(data).digest()),
  sha256Pairs: nodeSha256Pairs,
};

/** A state, as a map. */
export class ModelState {
  readonly #values = new Map<string, Uint8Array>();
  readonly #blobs = new Map<string, Uint8Array>();

  set(key: Uint8Array, value: Uint8Array): void {
    this.#values.set(Buffer.from(key).toString('hex'), value);
  }

  /** Puts an account under its key. */
  account(address: Uint8Array, record: AccountRecord): Uint8Array {
    const key = HASHES.sha256(Buffer.concat([Uint8Array.of(0), address]));
    this.set(key, ledger.AccountRecord.encode(record));
    return key;
  }

  /** The address of the contract that an account deploys as its `index`-th. */
  static contractAddress(deployer: Uint8Array, index: bigint): Uint8Array {
    const number = Buffer.alloc(8);
    number.writeBigUInt64LE(index);
    return HASHES.sha256(Buffer.concat([Uint8Array.of(1), deployer, number])).slice(12);
  }

  /** Keeps a code or text. @returns its SHA-256 hash */
  blob(bytes: Uint8Array): Uint8Array {
    const hash = HASHES.sha256(bytes);
    this.#blobs.set(Buffer.from(hash).toString('hex'), bytes);
    return hash;
  }

  blobOf(hash: Uint8Array): Uint8Array | undefined {
    return this.#blobs.get(Buffer.from(hash).toString('hex'));
  }

  value(key: Uint8Array): Uint8Array | undefined {
    return this.#values.get(Buffer.from(key).toString('hex'));
  }

  get entries(): [Uint8Array, Uint8Array][] {
    return [...this.#values]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [new Uint8Array(Buffer.from(key, 'hex')), value]);
  }

  sources(): CutSources {
    return {
      hashes: HASHES,
      entries: this.entries,
      isContract: contractKeys(HASHES, (key) => {
        const value = this.value(key);
        return value === undefined ? undefined : ledger.AccountRecord.decode(value);
      }),
      blob: ({ hash }) => this.blobOf(hash),
    };
  }
}

const CODE = {
  vm: { type: 'wasm' },
  abi_version: 1,
  upgrade_policy: { type: 'immutable' },
  deployed_at: 1n,
} as const;

/** A state with plain accounts, slots of random sizes, and contracts, some of which share their code. */
export function randomState(
  random: RandomSource,
  size: {
    readonly accounts: number;
    readonly slots: number;
    readonly contracts: number;
    readonly codeBytes: number;
  },
): ModelState {
  const state = new ModelState();
  for (let i = 0; i < size.accounts; i++) {
    const lanes = Array.from({ length: random.below(3) }, (_, lane) => ({ lane, next_nonce: BigInt(i) }));
    state.account(random.bytes(20), { balance: BigInt(i), lanes, deploy_index: 0n });
  }
  for (let i = 0; i < size.slots; i++) state.set(random.bytes(32), random.bytes(random.below(2_000)));
  const deployer = random.bytes(20);
  const codes = Array.from({ length: 4 }, () => state.blob(random.bytes(size.codeBytes + random.below(999))));
  for (let i = 0; i < size.contracts; i++) {
    const code = codes[random.below(codes.length)] ?? state.blob(random.bytes(10));
    state.account(ModelState.contractAddress(deployer, BigInt(i)), {
      balance: 0n,
      lanes: [],
      deploy_index: 0n,
      contract: {
        ...CODE,
        deployer,
        code_hash: code,
        code_size: size.codeBytes,
        ...(i % 2 === 0 ? { idl_hash: state.blob(random.bytes(100)) } : {}),
        ...(i % 3 === 0
          ? { pending_upgrade: { code_hash: state.blob(random.bytes(50)), abi_version: 1, ready_at: 9n } }
          : {}),
      },
    });
  }
  if (size.contracts > 0) {
    state.account(deployer, { balance: 1n, lanes: [], deploy_index: BigInt(size.contracts) });
    // A slot that holds the bytes of a contract's record, which names code that does not exist.
    const lie = { ...CODE, deployer, code_hash: random.bytes(32), code_size: 1 };
    state.set(
      random.bytes(32),
      ledger.AccountRecord.encode({ balance: 0n, lanes: [], deploy_index: 0n, contract: lie }),
    );
  }
  return state;
}
