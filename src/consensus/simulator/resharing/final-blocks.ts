import { EpochRules } from '../../../chain/epochs/epoch-rules.js';
import { afterBlock, type EpochItems, type EpochState } from '../../../chain/epochs/epoch-state.js';
import { ItemChecks } from '../../../chain/epochs/item-checks.js';
import { pickEpochItems } from '../../../chain/epochs/pick-epoch-items.js';
import { evaluationFor, randomPolynomial } from '../../../crypto/dkg/polynomial.js';
import { encodeScalar, type RandomBytes } from '../../../crypto/scalars/scalars.js';
import type { BlockItem, ValidatorSet } from '../../../generated/ledger.js';
import { toHex } from '../../../idl/hex.js';
import { ledger } from '../../../ledger/codecs.js';
import { quorumOf } from '../../../ledger/validators/quorum.js';
import type { EncryptionKey } from '../../files/encryption-file.js';
import type { ValidatorIdentity } from '../../files/identity-file.js';
import { CHEAP_BLS, CURVE_TASKS, type CurveTasks, pointOf } from './cheap-curve.js';
import { RESHARING_CRYPTO } from './sim-identities.js';

export const CHAIN_ID = 7n;

export interface FinalBlock {
  readonly height: bigint;
  /** The validator that proposed it, by its number in the run. */
  readonly proposer: number;
  readonly items: EpochItems;
  readonly encodedItems: readonly Uint8Array[];
  /** The state after the block. */
  readonly epochs: EpochState;
}

/** An entry of the state that a block replaced. */
export interface Replaced {
  readonly height: bigint;
  readonly raw: Uint8Array;
}

/** Runs curve tasks at once, for the chain itself. */
const RULE_WORKERS = {
  run: async <K extends keyof CurveTasks>(task: K, input: CurveTasks[K]['input']) => CURVE_TASKS[task](input),
};

/** The chain that agreement makes, in this simulation by itself: real rules and states, one final block after another. */
export class FinalBlocks {
  readonly #rules = new EpochRules(
    RESHARING_CRYPTO,
    RULE_WORKERS,
    new ItemChecks(RESHARING_CRYPTO, RULE_WORKERS),
  );
  readonly #blocks: FinalBlock[] = [];
  readonly #sets: ValidatorSet[];
  /** The former entries of the state by hex key, oldest first. */
  readonly #replaced = new Map<string, Replaced[]>();
  readonly #genesis: EpochState;

  constructor(genesis: EpochState) {
    this.#genesis = genesis;
    this.#sets = [genesis.validators];
  }

  get height(): bigint {
    return BigInt(this.#blocks.length);
  }

  /** The state after the last block. */
  get epochs(): EpochState {
    return this.at(this.height);
  }

  at(height: bigint): EpochState {
    return this.block(height)?.epochs ?? this.#genesis;
  }

  block(height: bigint): FinalBlock | undefined {
    return this.#blocks[Number(height) - 1];
  }

  setOf(epoch: bigint): ValidatorSet | undefined {
    return this.#sets[Number(epoch)];
  }

  replaced(key: string): readonly Replaced[] {
    return this.#replaced.get(key) ?? [];
  }

  /** Why a block on the last one cannot hold these items. */
  problem(items: EpochItems): Promise<string | undefined> {
    return this.#rules.problem(this.epochs, { chainId: CHAIN_ID, height: this.height + 1n }, items);
  }

  /** Appends a block with all of the offered items that it can hold. */
  async append(proposer: number, offered: EpochItems): Promise<FinalBlock> {
    const height = this.height + 1n;
    const before = this.epochs;
    const place = { parent: { epochs: before }, env: { chainId: CHAIN_ID, height } };
    const items = await pickEpochItems(this.#rules, place, offered);
    const { state, writes } = await afterBlock(RESHARING_CRYPTO, before, height, items, (ended) =>
      this.#rules.next(ended),
    );
    for (const { key, previous } of writes) {
      if (previous === undefined) continue;
      const name = toHex(key);
      const replaced = this.#replaced.get(name) ?? [];
      this.#replaced.set(name, replaced);
      replaced.push({ height, raw: previous });
    }
    if (state.validators.epoch !== before.validators.epoch) this.#sets.push(state.validators);
    const block = { height, proposer, items, encodedItems: encoded(items), epochs: state };
    this.#blocks.push(block);
    return block;
  }
}

function encoded({ dealings, changes, complaints }: EpochItems): Uint8Array[] {
  const items: BlockItem[] = [
    ...dealings.map((value) => ({ type: 'dealing', value }) as const),
    ...changes.map((value) => ({ type: 'change', value }) as const),
    ...complaints.map((value) => ({ type: 'complaint', value }) as const),
  ];
  return items.map((item) => ledger.BlockItem.encode(item));
}

/** A first state as a ceremony leaves it, with the shares of its members. */
export function bornState(
  random: RandomBytes,
  members: readonly { readonly identity: ValidatorIdentity; readonly key: EncryptionKey }[],
  epochLength: number,
): { readonly state: EpochState; readonly shares: readonly Uint8Array[] } {
  const quorum = quorumOf(members.length);
  const polynomial = randomPolynomial(quorum, random);
  const shares = members.map((_, index) => encodeScalar(evaluationFor(polynomial, index)));
  const validators = members.map(({ identity: { address, publicKey } }, index) => ({
    index,
    address,
    identity_key: publicKey,
    share_public_key: CHEAP_BLS.publicKey(shares[index] ?? new Uint8Array(0)),
  }));
  const group = pointOf(polynomial[0] ?? 0n);
  return {
    shares,
    state: {
      parameters: { epoch_length: BigInt(epochLength), ceremony: true },
      validators: { epoch: 0n, quorum, group_public_key: group, validators },
      encryptionKeys: members.map(({ key }) => key.publicKey),
      changes: [],
      dealings: [],
      complaints: [],
      entries: new Map(),
    },
  };
}
