import type { Crypto } from '../../crypto/crypto.js';
import type { ExecutionPool } from '../../execution/pool/execution-pool.js';
import type { ApprovedChange } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { checkChange } from '../../ledger/validators/check-change.js';
import { checkDealingForm } from '../../ledger/validators/check-dealing.js';
import { isDealingHeight } from '../../ledger/validators/epochs.js';
import { type Member, nextMembers } from '../../ledger/validators/members.js';
import type { EpochItems, EpochState, NextEpoch } from './epoch-state.js';

/** Rules for validator changes in blocks and at the end of an epoch. */
export interface EpochRules {
  /** Why a block on this state cannot contain these items; undefined if it can. @throws ExecutionError */
  problem(before: EpochState, block: ItemsPlace, items: EpochItems): Promise<string | undefined>;
  /**
   * The validator set after an epoch.
   * @param ended state after the epoch's last block, including that block's dealings
   * @throws ExecutionError
   */
  next(ended: Omit<EpochState, 'entries'>): Promise<NextEpoch>;
}

export interface ItemsPlace {
  readonly chainId: bigint;
  readonly height: bigint;
}

/**
 * Rules that give all nodes the same validators:
 *
 * 1. Changes belong in the first half of an epoch, dealings in the second: the next members are fixed before the first
 *    dealing.
 * 2. A change is approved by a quorum of the epoch's validators, is compatible with the changes before it, and occurs
 *    once per epoch, so that approvals cannot be replayed to redo a change that a later one undid.
 * 3. A dealing comes from a current validator, is addressed to the next members, is valid by `check-dealing.ts`, and is
 *    its dealer's only one.
 * 4. An epoch has at most a quorum of dealings, enough for the next shares.
 */
export class ValidatorRules implements EpochRules {
  readonly #crypto: Crypto;
  readonly #workers: Pick<ExecutionPool, 'run'>;

  /** @param workers for curve arithmetic */
  constructor(crypto: Crypto, workers: Pick<ExecutionPool, 'run'>) {
    this.#crypto = crypto;
    this.#workers = workers;
  }

  async problem(
    before: EpochState,
    { chainId, height }: ItemsPlace,
    { dealings, changes }: EpochItems,
  ): Promise<string | undefined> {
    if (dealings.length + changes.length === 0) return undefined;
    const half = isDealingHeight(height, before.parameters.epoch_length) ? 'second' : 'first';
    if (changes.length > 0 && half === 'second') return 'a change in the second half of its epoch';
    if (dealings.length > 0 && half === 'first') return 'a dealing in the first half of its epoch';
    return (
      this.#changeProblem(before, chainId, changes) ?? (await this.#dealingProblem(before, chainId, dealings))
    );
  }

  async next({ validators, changes, dealings, parameters }: Omit<EpochState, 'entries'>): Promise<NextEpoch> {
    if (dealings.length < validators.quorum) {
      return { set: { ...validators, epoch: validators.epoch + 1n }, reshared: false };
    }
    const members = membersAfter(this.#crypto, { validators, changes, parameters });
    const input = {
      present: validators,
      members,
      dealings: dealings.map(({ dealer, commitments }) => ({ dealer, commitments })),
    };
    return this.#workers.run('next_set', input);
  }

  /** Rule 2. */
  #changeProblem(before: EpochState, chainId: bigint, added: EpochItems['changes']): string | undefined {
    if (added.length === 0) return undefined;
    const { validators, changes, parameters } = before;
    const all = [...changes, ...added].map(({ change }) => change);
    const together = nextMembers(this.#crypto, validators, all, parameters.ceremony);
    if (!together.ok) return `a change: ${together.refusal.message}`;
    const context = { chainId, epoch: validators.epoch, set: validators };
    const names = new Set(changes.map(nameOf));
    for (const change of added) {
      const refused = checkChange(this.#crypto, change, context);
      if (refused !== undefined) return `a change: ${refused.message}`;
      const name = nameOf(change);
      if (names.has(name)) return 'a change: it occurs twice in its epoch';
      names.add(name);
    }
    return undefined;
  }

  /** Rules 3 and 4. */
  async #dealingProblem(
    before: EpochState,
    chainId: bigint,
    added: EpochItems['dealings'],
  ): Promise<string | undefined> {
    const { validators, dealings } = before;
    if (added.length === 0) return undefined;
    if (dealings.length + added.length > validators.quorum) {
      return `more than the ${validators.quorum} dealings that an epoch needs`;
    }
    const dealers = new Set(dealings.map(({ dealer }) => dealer));
    const nextPlayers = membersAfter(this.#crypto, before);
    const context = { chainId, epoch: validators.epoch, currentSet: validators, nextPlayers };
    for (const dealing of added) {
      if (dealers.has(dealing.dealer)) return `a second dealing of dealer ${dealing.dealer}`;
      dealers.add(dealing.dealer);
      const refused = checkDealingForm(dealing, context);
      if (refused !== undefined) return `a dealing: ${refused.message}`;
    }
    const refusals = await Promise.all(
      added.map((dealing) => this.#workers.run('check_dealing', { dealing, context })),
    );
    const refused = refusals.find((one) => one !== undefined);
    return refused === undefined ? undefined : `a dealing: ${refused.message}`;
  }
}

/** A name that all approvals of one change in one epoch share. */
function nameOf({ epoch, change }: ApprovedChange): string {
  return `${epoch}/${toHex(ledger.ValidatorChange.encode(change))}`;
}

/** The next epoch's members according to the changes in blocks so far. */
export function membersAfter(
  crypto: Pick<Crypto, 'sha256'>,
  { validators, changes, parameters }: Pick<EpochState, 'validators' | 'changes' | 'parameters'>,
): readonly Member[] {
  const all = changes.map(({ change }) => change);
  const next = nextMembers(crypto, validators, all, parameters.ceremony);
  // Each change was checked against the earlier ones when its block was built.
  if (!next.ok) throw new TypeError(`incompatible changes in the state: ${next.refusal.message}`);
  return next.members;
}
