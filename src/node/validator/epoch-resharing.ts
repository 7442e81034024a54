import { sameBytes } from '../../base/same-bytes.js';
import { membersAfter } from '../../chain/epochs/epoch-rules.js';
import type { EpochState } from '../../chain/epochs/epoch-state.js';
import type { Log } from '../../config/log.js';
import type { ValidatorIdentity } from '../../consensus/files/identity-file.js';
import type { ResharingFile } from '../../consensus/files/record-file.js';
import { type DealerEffect, type DealerEvent, ResharingDealer } from '../../consensus/resharing/dealer.js';
import { type PlayerEffect, type PlayerEvent, ResharingPlayer } from '../../consensus/resharing/player.js';
import type { Bls, Crypto } from '../../crypto/crypto.js';
import type { RandomBytes } from '../../crypto/scalars/scalars.js';
import type { TaskRunner } from '../../execution/task-runner.js';
import type { ValidatorTasks } from '../../execution/validator-tasks.js';
import type { Dealing } from '../../generated/ledger.js';
import type { DealtAck, DealtShare } from '../../generated/mesh.js';
import { toHex } from '../../idl/hex.js';
import type { DealingContext } from '../../ledger/validators/check-dealing.js';
import type { Member } from '../../ledger/validators/members.js';
import type { ShareKeeper } from './share-keeper.js';

/** The parts for resharing that stay the same in every epoch. */
export interface ResharingParts {
  readonly crypto: Crypto;
  readonly bls: Pick<Bls, 'publicKey'>;
  readonly random: RandomBytes;
  readonly chainId: bigint;
  readonly identity: ValidatorIdentity;
  readonly shares: ShareKeeper;
  readonly workers: Pick<TaskRunner<ValidatorTasks>, 'run'>;
  readonly log: Log;
  /** Sends a message to the validator with this identity, in hexadecimal. */
  readonly send: (identity: string, message: DealtMessage) => void;
  readonly drop: (identity: string, reason: string) => void;
  /** Called with this validator's dealing, and again with a better one that replaces it. */
  readonly onDealing: (dealing: Dealing) => void;
}

export type DealtMessage =
  | { readonly type: 'dealt_share'; readonly value: DealtShare }
  | { readonly type: 'dealt_ack'; readonly value: DealtAck };

/**
 * This node's part in one epoch's resharing: as a dealer if it has a usable share, as a player if it is in the next
 * set. Calls must not overlap; state is synced before any message is sent.
 */
export class EpochResharing {
  readonly context: DealingContext;
  readonly #parts: ResharingParts;
  readonly #file: ResharingFile;
  readonly #dealer: ResharingDealer | undefined;
  readonly #player: ResharingPlayer;
  /** Index by identity in hexadecimal, in the current set and in the next one. */
  readonly #present: ReadonlyMap<string, number>;
  readonly #next: ReadonlyMap<string, number>;
  /** Queues work after the running step. */
  readonly #later: (work: () => Promise<void>) => void;

  constructor(
    parts: ResharingParts,
    state: EpochState,
    file: ResharingFile,
    later: (work: () => Promise<void>) => void,
    nextPlayers: readonly Pick<Member, 'identity_key'>[] = membersAfter(parts.crypto, state),
  ) {
    this.#parts = parts;
    this.#file = file;
    this.#later = later;
    const { crypto, bls, random, chainId, identity, shares } = parts;
    const { validators: currentSet } = state;
    this.context = { chainId, epoch: currentSet.epoch, currentSet: currentSet, nextPlayers };
    this.#present = indices(currentSet.validators);
    this.#next = indices(nextPlayers);
    const own = toHex(identity.publicKey);
    const presentIndex = this.#present.get(own);
    const nextIndex = this.#next.get(own);
    const sign = (message: Uint8Array) => crypto.ed25519.sign(message, identity.seed);
    const common = { crypto, bls, sign, context: this.context };
    const share = shares.share;
    const present =
      share !== undefined && presentIndex !== undefined && share.index === presentIndex
        ? { index: presentIndex, share: share.share }
        : undefined;
    const isWhole =
      present !== undefined &&
      sameBytes(bls.publicKey(present.share), currentSet.validators[present.index]?.share_public_key);
    const { polynomial, received } = file.record;
    // A share whose journal is lost is not used for anything (rule 9).
    if (present !== undefined && isWhole && shares.matchesJournal) {
      const { index, share: secret } = present;
      const kept = polynomial.length === 0 ? {} : { polynomial };
      this.#dealer = new ResharingDealer({ ...common, random, index, share: secret, ...kept });
    }
    this.#player = new ResharingPlayer({
      ...common,
      received,
      ...(nextIndex === undefined ? {} : { index: nextIndex }),
      ...(present !== undefined && isWhole ? { present } : {}),
    });
  }

  get epoch(): bigint {
    return this.context.epoch;
  }

  async start(): Promise<void> {
    await this.#deal({ type: 'start' });
  }

  async resend(): Promise<void> {
    await this.#deal({ type: 'again' });
  }

  async onDeadline(): Promise<void> {
    await this.#deal({ type: 'deadline' });
  }

  /** Called once this validator's dealing is in the chain. */
  async onDealingsIncluded(dealings: readonly Dealing[]): Promise<void> {
    const own = this.#present.get(toHex(this.#parts.identity.publicKey));
    if (dealings.some(({ dealer }) => dealer === own)) await this.#deal({ type: 'included' });
  }

  async onPeerConnected(identity: string): Promise<void> {
    const player = this.#next.get(identity);
    if (player !== undefined) await this.#deal({ type: 'connected', player });
  }

  async onDealtShare(identity: string, dealt: DealtShare): Promise<void> {
    const from = this.#present.get(identity);
    if (from !== undefined) await this.#play({ type: 'dealt', from, dealt });
  }

  async onDealtAck(identity: string, ack: DealtAck): Promise<void> {
    const from = this.#next.get(identity);
    if (from !== undefined) await this.#deal({ type: 'acknowledged', from, ack });
  }

  /** Called when the epoch's last block is final. */
  async final(event: Extract<PlayerEvent, { readonly type: 'final' }>): Promise<void> {
    await this.#deal({ type: 'final' });
    await this.#play(event);
  }

  async #deal(event: DealerEvent): Promise<void> {
    for (const effect of this.#dealer?.step(event) ?? []) await this.#followDealer(effect);
  }

  async #followDealer(effect: DealerEffect): Promise<void> {
    const { send, drop, onDealing } = this.#parts;
    switch (effect.type) {
      case 'persist':
        await this.#file.keep({ polynomial: effect.polynomial });
        break;
      case 'send': {
        const identity = this.#identityOf(this.context.nextPlayers, effect.player);
        if (identity === toHex(this.#parts.identity.publicKey)) {
          this.#later(() => this.onDealtShare(identity, effect.dealt));
        } else send(identity, { type: 'dealt_share', value: effect.dealt });
        break;
      }
      case 'dealing':
        onDealing(effect.dealing);
        break;
      case 'refuse':
        drop(this.#identityOf(this.context.nextPlayers, effect.player), effect.reason);
        break;
    }
  }

  async #play(event: PlayerEvent): Promise<void> {
    for (const effect of this.#player.step(event)) await this.#followPlayer(effect, event);
  }

  async #followPlayer(effect: PlayerEffect, event: PlayerEvent): Promise<void> {
    const { send, drop, shares, log } = this.#parts;
    switch (effect.type) {
      case 'check':
        this.#check(effect);
        break;
      case 'persist':
        await this.#file.keep({ received: effect.received });
        break;
      case 'send': {
        const identity = this.#identityOf(this.context.currentSet.validators, effect.dealer);
        if (identity === toHex(this.#parts.identity.publicKey)) {
          this.#later(() => this.onDealtAck(identity, effect.ack));
        } else send(identity, { type: 'dealt_ack', value: effect.ack });
        break;
      }
      case 'share': {
        // A validator that keeps its share already has it in the file, with its journal.
        if (event.type !== 'final' || !event.next.reshared) break;
        const { epoch, index, share } = effect;
        await shares.save({ epoch, index, share, journalId: shares.journalId });
        log.info({ epoch: epoch.toString(), index }, 'got a new share of the group key');
        break;
      }
      case 'lost':
        log.warn(
          { epoch: effect.epoch.toString(), reason: effect.reason },
          'this node has no share for the epoch',
        );
        break;
      case 'erase':
        await this.#file.erase();
        break;
      case 'refuse':
        drop(this.#identityOf(this.context.currentSet.validators, effect.dealer), effect.reason);
        break;
    }
  }

  /** Checks points in a worker, concurrently with everything else. */
  #check({ dealer, evaluation }: Extract<PlayerEffect, { readonly type: 'check' }>): void {
    const { workers, log } = this.#parts;
    workers.run('check_evaluation', evaluation).then(
      (refusal) => this.#later(() => this.#play({ type: 'checked', dealer, refusal })),
      // The dealer sends the share again.
      (error: unknown) => log.warn({ err: error, dealer }, 'a dealt share could not be checked'),
    );
  }

  #identityOf(members: readonly { readonly identity_key: Uint8Array }[], index: number): string {
    return toHex(members[index]?.identity_key ?? new Uint8Array(0));
  }
}

function indices(members: readonly { readonly identity_key: Uint8Array }[]): ReadonlyMap<string, number> {
  return new Map(members.map(({ identity_key }, index) => [toHex(identity_key), index]));
}
