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

/** What a block's items may do to the validators, and what the end of an epoch makes of them. */
export interface EpochRules {
  /**
   * Why a block cannot have these items after this state; undefined where it can.
   * @throws ExecutionError
   */
  problem(before: EpochState, block: ItemsPlace, items: EpochItems): Promise<string | undefined>;
  /**
   * What comes after an epoch.
   * @param ended as the last block leaves it, its dealings included
   * @throws ExecutionError
   */
  next(ended: Omit<EpochState, 'entries'>): Promise<NextEpoch>;
}

/** The block that has the items. */
export interface ItemsPlace {
  readonly chainId: bigint;
  readonly height: bigint;
}

/**
 * The rules by which every node comes to the same validators:
 *
 * 1. Changes stand in the first half of an epoch, dealings in the second: the next members are settled before anybody deals.
 * 2. A change is approved by a quorum of the epoch's validators, goes together with those before it, and stands in its epoch
 *    once: what a later change undid cannot be done again with the approvals that are there.
 * 3. A dealing is one of a present validator for the next members, valid by `check-dealing.ts`, and its dealer's only one.
 * 4. An epoch has at most a quorum of dealings, which is what the next shares are made of.
 */
export class ValidatorRules implements EpochRules {
  readonly #crypto: Crypto;
  readonly #workers: Pick<ExecutionPool, 'run'>;

  /** @param workers for the work on points */
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
      if (names.has(name)) return 'a change: it stands in its epoch twice';
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

/** The same for all approvals of one change in one epoch. */
function nameOf({ epoch, change }: ApprovedChange): string {
  return `${epoch}/${toHex(ledger.ValidatorChange.encode(change))}`;
}

/** Who the next validators are, as far as the changes go that are in blocks. */
export function membersAfter(
  crypto: Pick<Crypto, 'sha256'>,
  { validators, changes, parameters }: Pick<EpochState, 'validators' | 'changes' | 'parameters'>,
): readonly Member[] {
  const all = changes.map(({ change }) => change);
  const next = nextMembers(crypto, validators, all, parameters.ceremony);
  // Each was let into its block after those before it.
  if (!next.ok) throw new TypeError(`changes in the state do not go together: ${next.refusal.message}`);
  return next.members;
}
