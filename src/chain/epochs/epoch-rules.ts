import type { Crypto } from '../../crypto/crypto.js';
import type { PointTasks } from '../../execution/open-envelopes.js';
import type { TaskRunner } from '../../execution/task-runner.js';
import type { ValidatorTasks } from '../../execution/validator-tasks.js';
import type { ApprovedChange } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { addedKey, checkChange } from '../../ledger/validators/check-change.js';
import { checkComplaintForm, undisputed } from '../../ledger/validators/check-complaint.js';
import { checkDealingForm } from '../../ledger/validators/check-dealing.js';
import { phaseAt } from '../../ledger/validators/epochs.js';
import { type Member, nextMembers } from '../../ledger/validators/members.js';
import type { EpochItems, EpochState, NextEpoch } from './epoch-state.js';
import type { ItemChecks } from './item-checks.js';

/** Runs the curve arithmetic of the rules. */
export type RuleWorkers = Pick<TaskRunner<RuleTasks>, 'run'>;

type RuleTasks = Pick<ValidatorTasks, 'next_set'> & PointTasks;

export interface ItemsPlace {
  readonly chainId: bigint;
  readonly height: bigint;
}

/**
 * Rules that give all nodes the same validators:
 *
 * 1. Changes belong in the first third of an epoch, dealings in the second: the next members are fixed before the first
 *    dealing, and a third is left for complaints. `phaseAt` has the rule for short epochs.
 * 2. A change is approved by a quorum of the epoch's validators, is compatible with the changes before it, and occurs
 *    once per epoch, so that approvals cannot be replayed to redo a change that a later one undid. The encryption key
 *    of an added validator is a valid point.
 * 3. A dealing comes from a current validator, is addressed to the next members, is valid by `check-dealing.ts`, and is
 *    its dealer's only one.
 * 4. A complaint is about a dealing of the epoch in an earlier block or the same one, is valid by
 *    `check-complaint-points.ts`, and is the only one against that dealing. The epoch's last block may still hold one.
 * 5. The first dealings in block order that no complaint voids make the next shares, as many as a quorum. If there are
 *    fewer, set, quorum and shares stay and changes wait.
 * 6. From the next epoch on, a validator's encryption key is that of its dealing, whether or not the dealing was used;
 *    without a dealing its key stays.
 */
export class EpochRules {
  readonly #crypto: Crypto;
  readonly #workers: RuleWorkers;
  readonly #checks: ItemChecks;

  constructor(crypto: Crypto, workers: RuleWorkers, checks: ItemChecks) {
    this.#crypto = crypto;
    this.#workers = workers;
    this.#checks = checks;
  }

  /** Why a block on this state cannot contain these items; undefined if it can. @throws ExecutionError */
  async problem(
    before: EpochState,
    { chainId, height }: ItemsPlace,
    { dealings, changes, complaints }: EpochItems,
  ): Promise<string | undefined> {
    if (dealings.length + changes.length + complaints.length === 0) return undefined;
    const phase = phaseAt(height, before.parameters.epoch_length);
    if (changes.length > 0 && phase !== 'changes') return 'a change after the first third of its epoch';
    if (dealings.length > 0 && phase !== 'dealings')
      return 'a dealing outside of the second third of its epoch';
    const after = { ...before, dealings: [...before.dealings, ...dealings] };
    return (
      (await this.#changeProblem(before, chainId, changes)) ??
      (await this.#dealingProblem(before, chainId, dealings)) ??
      (await this.#complaintProblem(after, chainId, complaints))
    );
  }

  /**
   * The validator set after an epoch.
   * @param ended state after the epoch's last block, including that block's items
   * @throws ExecutionError
   */
  async next(ended: Omit<EpochState, 'entries'>): Promise<NextEpoch> {
    const { validators, dealings, complaints } = ended;
    const valid = undisputed(dealings, complaints).slice(0, validators.quorum);
    if (valid.length < validators.quorum) {
      return { set: { ...validators, epoch: validators.epoch + 1n }, reshared: false };
    }
    const input = {
      present: validators,
      members: membersAfter(this.#crypto, ended),
      dealings: valid.map(({ dealer, commitments }) => ({ dealer, commitments })),
    };
    return this.#workers.run('next_set', input);
  }

  /** Rule 2. */
  async #changeProblem(
    before: EpochState,
    chainId: bigint,
    added: EpochItems['changes'],
  ): Promise<string | undefined> {
    if (added.length === 0) return undefined;
    const { validators, encryptionKeys, changes, parameters } = before;
    const all = [...changes, ...added].map(({ change }) => change);
    const keyed = { set: validators, encryptionKeys };
    const together = nextMembers(this.#crypto, keyed, all, parameters.ceremony);
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
    const keys = added.flatMap(addedKey);
    const areValid = keys.length === 0 ? [] : await this.#workers.run('check_points', keys);
    return areValid.includes(false) ? 'a change: the encryption key is not a valid point' : undefined;
  }

  /** Rule 3. */
  async #dealingProblem(
    before: EpochState,
    chainId: bigint,
    added: EpochItems['dealings'],
  ): Promise<string | undefined> {
    const { validators, dealings } = before;
    if (added.length === 0) return undefined;
    const dealers = new Set(dealings.map(({ dealer }) => dealer));
    const nextPlayers = membersAfter(this.#crypto, before);
    const context = { chainId, epoch: validators.epoch, currentSet: validators, nextPlayers };
    for (const dealing of added) {
      if (dealers.has(dealing.dealer)) return `a second dealing of dealer ${dealing.dealer}`;
      dealers.add(dealing.dealer);
      const refused = checkDealingForm(dealing, context);
      if (refused !== undefined) return `a dealing: ${refused.message}`;
    }
    const refusals = await Promise.all(added.map((dealing) => this.#checks.dealing({ dealing, context })));
    const refused = refusals.find((one) => one !== undefined);
    return refused === undefined ? undefined : `a dealing: ${refused.message}`;
  }

  /** Rule 4. Ends at the first invalid complaint, because only faulty dealers can cause a valid one. */
  async #complaintProblem(
    before: EpochState,
    chainId: bigint,
    added: EpochItems['complaints'],
  ): Promise<string | undefined> {
    if (added.length === 0) return undefined;
    const { dealings, complaints } = before;
    const players = membersAfter(this.#crypto, before);
    for (const [place, complaint] of added.entries()) {
      const found = checkComplaintForm(complaint, dealings, [...complaints, ...added.slice(0, place)]);
      if ('rule' in found) return `a complaint: ${found.message}`;
      const refused = await this.#checks.complaint({
        chainId,
        complaint,
        commitments: found.dealing.commitments,
        sealed: found.sealed,
        encryptionKey: players[complaint.player]?.encryption_key ?? new Uint8Array(0),
      });
      if (refused !== undefined) return `a complaint: ${refused.message}`;
    }
    return undefined;
  }
}

/** A name that all approvals of one change in one epoch share. */
function nameOf({ epoch, change }: ApprovedChange): string {
  return `${epoch}/${toHex(ledger.ValidatorChange.encode(change))}`;
}

/** The next epoch's members according to the changes in blocks so far. */
export function membersAfter(crypto: Crypto, state: Omit<EpochState, 'entries'>): readonly Member[] {
  const { validators, encryptionKeys, changes, parameters } = state;
  const all = changes.map(({ change }) => change);
  const next = nextMembers(crypto, { set: validators, encryptionKeys }, all, parameters.ceremony);
  // Each change was checked against the earlier ones when its block was built.
  if (!next.ok) throw new TypeError(`incompatible changes in the state: ${next.refusal.message}`);
  return next.members;
}
