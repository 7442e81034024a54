import type { Crypto } from '../../crypto/crypto.js';
import type { TaskRunner } from '../../execution/task-runner.js';
import type { ValidatorTasks } from '../../execution/validator-tasks.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import type { DisputedShare } from '../../ledger/validators/check-complaint-points.js';
import type { ValidatorRefusal } from '../../ledger/validators/refusal.js';
import { be64 } from '../../storage/big-endian.js';

type CheckWorkers = Pick<TaskRunner<Pick<ValidatorTasks, 'check_dealing' | 'check_complaint'>>, 'run'>;

type DealingToCheck = ValidatorTasks['check_dealing']['input'];
type Verdict = Promise<ValidatorRefusal | undefined>;

/**
 * Checks dealings and complaints in workers, where each takes milliseconds, and remembers which are valid: a node needs
 * the verdict when an item arrives, when it proposes the item, and when a block includes it.
 *
 * Remembers the last valid dealing of each dealer, and the last valid complaint about each. Only the dealer itself can
 * make another valid one, so nobody displaces another's. What is invalid is checked each time.
 */
export class ItemChecks {
  readonly #crypto: Crypto;
  readonly #workers: CheckWorkers;
  /** Digests of valid items, with all that decides about them, by dealer. */
  readonly #dealings = new Map<number, string>();
  readonly #complaints = new Map<number, string>();
  /** Running checks by digest. */
  readonly #running = new Map<string, Verdict>();

  constructor(crypto: Crypto, workers: CheckWorkers) {
    this.#crypto = crypto;
    this.#workers = workers;
  }

  /** Checks a dealing of correct form by all other rules; undefined if it is valid. @throws ExecutionError */
  dealing(input: DealingToCheck): Verdict {
    const digest = toHex(this.#crypto.sha256(encodeDealing(input)));
    const check = () => this.#workers.run('check_dealing', input);
    return this.#once(this.#dealings, input.dealing.dealer, digest, check);
  }

  /** Like {@link dealing}, for the proof of a complaint. */
  complaint(input: DisputedShare): Verdict {
    const digest = toHex(this.#crypto.sha256(encodeComplaint(input)));
    const check = () => this.#workers.run('check_complaint', input);
    return this.#once(this.#complaints, input.complaint.dealer, digest, check);
  }

  async #once(valid: Map<number, string>, dealer: number, digest: string, check: () => Verdict): Verdict {
    if (valid.get(dealer) === digest) return undefined;
    const running = this.#running.get(digest) ?? check();
    this.#running.set(digest, running);
    try {
      const refused = await running;
      if (refused === undefined) valid.set(dealer, digest);
      return refused;
    } finally {
      this.#running.delete(digest);
    }
  }
}

function encodeDealing({ dealing, context }: DealingToCheck): Uint8Array {
  const { chainId, epoch, currentSet, nextPlayers } = context;
  const holder = currentSet.validators[dealing.dealer];
  return Buffer.concat([
    ...[be64(chainId), be64(epoch), be64(BigInt(nextPlayers.length))],
    ...(holder === undefined ? [] : [holder.identity_key, holder.share_public_key]),
    ...nextPlayers.flatMap(({ identity_key, encryption_key }) => [identity_key, encryption_key]),
    ledger.Dealing.encode(dealing),
  ]);
}

function encodeComplaint(disputed: DisputedShare): Uint8Array {
  const { chainId, complaint, commitments, encryptionKey } = disputed;
  const { ephemeral, share } = disputed.sealed;
  const encoded = ledger.Complaint.encode(complaint);
  return Buffer.concat([be64(chainId), encryptionKey, encoded, ephemeral, share, ...commitments]);
}
