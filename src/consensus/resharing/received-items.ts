import { membersAfter } from '../../chain/epochs/epoch-rules.js';
import type { EpochState } from '../../chain/epochs/epoch-state.js';
import type { ItemChecks } from '../../chain/epochs/item-checks.js';
import type { Log } from '../../config/log.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { Complaint, Dealing } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { checkComplaintForm } from '../../ledger/validators/check-complaint.js';
import { checkDealingForm, type DealingContext } from '../../ledger/validators/check-dealing.js';
import { phaseAt } from '../../ledger/validators/epochs.js';
import type { Member } from '../../ledger/validators/members.js';
import { MAX_VALIDATORS } from '../../ledger/validators/quorum.js';

export interface ReceivedItemsOptions {
  readonly crypto: Crypto;
  readonly chainId: bigint;
  readonly checks: Pick<ItemChecks, 'dealing' | 'complaint'>;
  readonly log: Log;
  /** Drops the connection with the validator of this identity. */
  readonly drop: (identity: string, reason: string) => void;
  /** Called when the next block may have new work. */
  readonly onWork: () => void;
}

interface CheckedItem {
  /** Unique among the items being checked. */
  readonly name: string;
  readonly identity: string;
  readonly what: 'dealing' | 'complaint';
  readonly epoch: bigint;
}

/**
 * Dealings and complaints for this validator's proposals. A dealing is accepted only from its dealer and a complaint only
 * from its player, so that each pays for its own checks; an invalid one ends the connection. Never throws or rejects.
 */
export class ReceivedItems {
  readonly #options: ReceivedItemsOptions;
  /** Valid dealings of the state's epoch, by dealer. */
  readonly #dealings = new Map<number, Dealing>();
  /** Valid complaints of the state's epoch, by dealer. */
  readonly #complaints = new Map<number, Complaint>();
  /** Each validator's latest dealing that arrived ahead of this node's progress, by identity in hexadecimal. */
  readonly #earlyDealings = new Map<string, Dealing>();
  /** Complaints whose dealing is in no final block of this node yet, by the player's identity and the dealer. */
  readonly #earlyComplaints = new Map<string, { readonly identity: string; readonly complaint: Complaint }>();
  readonly #checking = new Set<string>();
  #state: EpochState | undefined;
  /** Of the state's epoch; undefined while its next members are not settled. */
  #context: (DealingContext & { readonly nextPlayers: readonly Member[] }) | undefined;

  constructor(options: ReceivedItemsOptions) {
    this.#options = options;
  }

  /** Those that no final block contains. */
  get dealings(): readonly Dealing[] {
    const included = new Set(this.#state?.dealings.map(({ dealer }) => dealer));
    return [...this.#dealings.values()].filter(({ dealer }) => !included.has(dealer));
  }

  /** Those that no final block contains, against dealings in final blocks. */
  get complaints(): readonly Complaint[] {
    const { dealings = [], complaints = [] } = this.#state ?? {};
    return [...this.#complaints.values()].filter(
      (complaint) => !('rule' in checkComplaintForm(complaint, dealings, complaints)),
    );
  }

  onState(state: EpochState, height: bigint): void {
    const before = this.#state;
    this.#state = state;
    const { validators, parameters } = state;
    if (before?.validators.epoch !== validators.epoch) {
      this.#dealings.clear();
      this.#complaints.clear();
      this.#context = undefined;
    }
    if (this.#context === undefined && phaseAt(height + 1n, parameters.epoch_length) !== 'changes') {
      this.#context = {
        chainId: this.#options.chainId,
        epoch: validators.epoch,
        currentSet: validators,
        nextPlayers: membersAfter(this.#options.crypto, state),
      };
    }
    this.#takeEarly();
  }

  addDealing(dealing: Dealing): void {
    this.#dealings.set(dealing.dealer, dealing);
  }

  addComplaint(complaint: Complaint): void {
    if (!this.#complaints.has(complaint.dealer)) this.#complaints.set(complaint.dealer, complaint);
  }

  async dealing(identity: string, dealing: Dealing): Promise<void> {
    const { drop, checks } = this.#options;
    const { epoch, dealer, sealed } = dealing;
    const context = this.#context;
    if (context === undefined || epoch !== context.epoch) {
      this.#keepEarly(identity, dealing);
      return;
    }
    const holder = context.currentSet.validators[dealer];
    if (holder === undefined || toHex(holder.identity_key) !== identity) {
      drop(identity, "another validator's dealing");
      return;
    }
    const known = this.#dealings.get(dealer);
    const isBetter = known === undefined || sealed.length < known.sealed.length;
    const name = `dealing ${dealer}`;
    if (!isBetter || this.#checking.has(name)) return;
    const malformed = checkDealingForm(dealing, context);
    if (malformed !== undefined) {
      drop(identity, `a malformed dealing: ${malformed.message}`);
      return;
    }
    await this.#check(
      { name, identity, what: 'dealing', epoch },
      () => checks.dealing({ dealing, context }),
      () => this.addDealing(dealing),
    );
  }

  async complaint(identity: string, complaint: Complaint): Promise<void> {
    const { drop, chainId, checks } = this.#options;
    const { epoch, dealer, player } = complaint;
    const state = this.#state;
    const context = this.#context;
    // A complaint of another epoch is late or early, not invalid.
    if (state === undefined || context === undefined || epoch !== context.epoch) return;
    const accused = context.currentSet.validators[dealer];
    const accuser = context.nextPlayers[player];
    if (accused === undefined || accuser === undefined || toHex(accuser.identity_key) !== identity) {
      drop(identity, "another validator's complaint");
      return;
    }
    const key = `${identity} ${dealer}`;
    const dealing = state.dealings.find((one) => one.dealer === dealer);
    if (dealing === undefined) {
      this.#earlyComplaints.set(key, { identity, complaint });
      return;
    }
    const name = `complaint ${key}`;
    if (this.#complaints.has(dealer) || this.#checking.has(name)) return;
    const found = checkComplaintForm(complaint, state.dealings, []);
    if ('rule' in found) {
      drop(identity, `a malformed complaint: ${found.message}`);
      return;
    }
    const { sealed } = found;
    const { encryption_key: encryptionKey } = accuser;
    const { commitments } = dealing;
    const input = { chainId, complaint, commitments, sealed, encryptionKey };
    await this.#check(
      { name, identity, what: 'complaint', epoch },
      () => checks.complaint(input),
      () => this.addComplaint(complaint),
    );
  }

  async #check(
    { name, identity, what, epoch }: CheckedItem,
    check: () => ReturnType<ItemChecks['dealing']>,
    add: () => void,
  ): Promise<void> {
    const { drop, log, onWork } = this.#options;
    this.#checking.add(name);
    try {
      const refused = await check();
      if (refused !== undefined) drop(identity, `an invalid ${what}: ${refused.message}`);
      else if (this.#state?.validators.epoch === epoch) {
        add();
        onWork();
      }
    } catch (error) {
      log.warn({ err: error, identity }, `a ${what} could not be checked`);
    } finally {
      this.#checking.delete(name);
    }
  }

  /** Keeps each dealer's last early dealing. A dealer may be some blocks ahead, perhaps in the next epoch. */
  #keepEarly(identity: string, dealing: Dealing): void {
    const epoch = this.#state?.validators.epoch ?? 0n;
    const isToCome = dealing.epoch === epoch + 1n || (dealing.epoch === epoch && this.#context === undefined);
    if (isToCome && (this.#earlyDealings.has(identity) || this.#earlyDealings.size < MAX_VALIDATORS)) {
      this.#earlyDealings.set(identity, dealing);
    }
  }

  /** Checks early items that are due now, concurrently like items that arrive now. */
  #takeEarly(): void {
    const state = this.#state;
    const context = this.#context;
    if (state === undefined || context === undefined) return;
    for (const [identity, dealing] of [...this.#earlyDealings]) {
      if (dealing.epoch > context.epoch) continue;
      this.#earlyDealings.delete(identity);
      void this.dealing(identity, dealing);
    }
    for (const [key, { identity, complaint }] of [...this.#earlyComplaints]) {
      const isDue = state.dealings.some(({ dealer }) => dealer === complaint.dealer);
      if (complaint.epoch === context.epoch && !isDue) continue;
      this.#earlyComplaints.delete(key);
      if (isDue) void this.complaint(identity, complaint);
    }
  }
}
