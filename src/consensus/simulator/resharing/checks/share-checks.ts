import { sameBytes } from '../../../../base/same-bytes.js';
import type { ValidatorSet } from '../../../../generated/ledger.js';
import { CHEAP_BLS } from '../cheap-curve.js';
import type { FinalBlocks } from '../final-blocks.js';
import type { HostView } from '../resharing-model.js';
import { type BlockChecks, isGarbageTo } from './block-checks.js';

/** Checks the files of honest validators once they have followed the chain past an epoch. */
export class ShareChecks {
  readonly #blocks: FinalBlocks;
  readonly #ended: BlockChecks;

  constructor(blocks: FinalBlocks, ended: BlockChecks) {
    this.#blocks = blocks;
    this.#ended = ended;
  }

  /** Called when an honest validator has done everything that its blocks require. */
  onSettled(host: HostView): void {
    const { validators: set, epoch } = this.#setOf(host);
    const at = set.findIndex(({ identity_key: key }) => sameBytes(key, host.identity.publicKey));
    if (at >= 0 && this.canHold(host, epoch) && !this.holds(host)) {
      host.fail(`has no share of epoch ${epoch}`);
    }
    const { record } = host.disk;
    if (record !== undefined && record.epoch < epoch) host.fail(`keeps the secrets of epoch ${record.epoch}`);
    this.#checkKeys(host, at, epoch);
  }

  /** Whether a validator has the share of its last block's epoch. */
  holds(host: HostView): boolean {
    const { validators } = this.#setOf(host);
    const { share } = host.disk.durable;
    const at = validators.findIndex(({ identity_key: key }) => sameBytes(key, host.identity.publicKey));
    return (
      share?.index === at && sameBytes(CHEAP_BLS.publicKey(share.share), validators[at]?.share_public_key)
    );
  }

  /** Whether a member must hold the share of an epoch: no dealing that counts sealed garbage to it. */
  canHold(host: HostView, epoch: bigint): boolean {
    for (let last = epoch - 1n; last >= 0n; last--) {
      const ended = this.#ended.ended(last);
      if (ended === undefined || host.unread.has(last)) return false;
      const { context, used } = ended;
      if (used.length === 0) continue;
      const player = context.players.indexOf(host.index);
      return used.every((dealing) => !isGarbageTo(dealing, player, context));
    }
    return true;
  }

  /** A validator keeps the private half of its key in the chain, and none of earlier epochs. */
  #checkKeys(host: HostView, at: number, epoch: bigint): void {
    if (at < 0) return;
    const { keys } = host.disk.durable;
    const own = this.#blocks.at(host.height).encryptionKeys[at];
    if (!keys.some(({ publicKey }) => sameBytes(publicKey, own))) host.fail('has erased its encryption key');
    // Its own dealing of this epoch announces one more.
    const announced = host.disk.record?.own?.encryption_key;
    const old = keys.filter(
      ({ publicKey }) => !sameBytes(publicKey, own) && !sameBytes(publicKey, announced),
    );
    if (old.length > 0 && !host.unread.has(epoch - 1n)) host.fail('keeps old encryption keys');
  }

  #setOf(host: HostView): ValidatorSet {
    return this.#blocks.at(host.height).validators;
  }
}
