import { sameBytes } from '../../../../base/same-bytes.js';
import { expectScalar } from '../../../../crypto/scalars/scalars.js';
import type { Complaint, Dealing } from '../../../../generated/ledger.js';
import type { DealtAck, DealtShare } from '../../../../generated/mesh.js';
import { toHex } from '../../../../idl/hex.js';
import { quorumOf } from '../../../../ledger/validators/quorum.js';
import { ackMessage, commitmentsDigest } from '../../../../ledger/validators/signed-messages.js';
import { CURVE_TASKS, isEvaluation, pointOf, scalarOf, sharedPoint, unsealed } from '../cheap-curve.js';
import { CHAIN_ID } from '../final-blocks.js';
import type { HostView, ResharingMessage } from '../resharing-model.js';
import type { ResharingWorld } from '../resharing-scenario.js';
import { RESHARING_CRYPTO } from '../sim-identities.js';
import type { EpochContext, EpochContexts } from './epoch-contexts.js';

/** An honest dealer's dealing of an epoch, as far as it is known. */
interface Dealt {
  readonly digest: string;
  readonly encryptionKey: string | undefined;
  /** Players whose evaluation a faulty validator can read. */
  readonly known: Set<number>;
  /** Number of evaluations that determine the polynomial. */
  readonly revealing: number;
}

/** Checks each message of an honest validator before it leaves. */
export class MessageChecks {
  readonly #world: ResharingWorld;
  readonly #contexts: EpochContexts;
  /** By epoch and dealer. */
  readonly #dealt = new Map<string, Dealt>();
  /** The digest that an honest player has acknowledged, by epoch, dealer and player. */
  readonly #acks = new Map<string, string>();
  /** Commitments by digest, of all messages so far. */
  readonly #commitments = new Map<string, readonly Uint8Array[]>();
  /** Digests of commitments, because most messages share them. */
  readonly #digests = new WeakMap<readonly Uint8Array[], string>();
  /** Dealings that have passed; each is sent to many. */
  readonly #checked = new WeakSet<Dealing>();
  /** The evaluation sealed with each ephemeral point, and its player. */
  readonly #sealed = new Map<string, string>();
  /** The points that open these evaluations. */
  readonly #keys = new Set<string>();

  constructor(world: ResharingWorld, contexts: EpochContexts) {
    this.#world = world;
    this.#contexts = contexts;
  }

  /** @param message of any validator */
  onReceived({ kind, value }: ResharingMessage): void {
    if (kind === 'dealt_share') this.#digest(value.commitments);
  }

  onSend(host: HostView, to: number, { kind, value }: ResharingMessage): void {
    const context = this.#contexts(value.epoch);
    if (context === undefined) {
      host.fail(`sends a ${kind} of epoch ${value.epoch} before the next members are settled`);
      return;
    }
    switch (kind) {
      case 'dealt_share':
        this.#share(host, to, value, context);
        break;
      case 'dealt_ack':
        this.#ack(host, to, value, context);
        break;
      case 'dealing':
        this.#dealing(host, value, context);
        break;
      case 'complaint':
        this.#complaint(host, value, context);
        break;
    }
  }

  #share(host: HostView, to: number, dealt: DealtShare, { dealers, players }: EpochContext): void {
    const { epoch, dealer, commitments, share } = dealt;
    if (dealers[dealer] !== host.index) host.fail('deals in the name of another');
    const player = players.indexOf(to);
    if (player < 0 || !isEvaluation(commitments, player, share))
      host.fail(`sends ${to} an evaluation that is not its own`);
    const { record } = host.disk;
    const own = record?.epoch === epoch ? record.own : undefined;
    const isKept =
      own !== undefined &&
      own.polynomial.length === commitments.length &&
      own.polynomial.every((one, at) => sameBytes(pointOf(expectScalar(one)), commitments[at]));
    if (!isKept) host.fail('sends evaluations of a polynomial that is not on its disk');
    if (own !== undefined) this.#expectKey(host, own.encryption_key);
    this.#know(host, this.#one(host, dealt), player, to);
  }

  #ack(host: HostView, to: number, { epoch, dealer, ack }: DealtAck, context: EpochContext): void {
    const { dealers, players, currentSet, nextPlayers } = context;
    const player = players.indexOf(host.index);
    if (ack.player !== player || dealers[dealer] !== to)
      host.fail('acknowledges as another player, or to another than the dealer');
    const { record } = host.disk;
    const kept = record?.epoch === epoch ? record.received.find((one) => one.dealer === dealer) : undefined;
    if (kept === undefined) {
      host.fail(`acknowledges an evaluation of ${to} that is not on its disk`);
      return;
    }
    const { commitments_digest: digest, share } = kept;
    const message = ackMessage(CHAIN_ID, { epoch, dealer, player, digest });
    if (!RESHARING_CRYPTO.ed25519.verify(ack.signature, message, host.identity.publicKey))
      host.fail(`acknowledges another polynomial of ${to} than that on its disk`);
    const name = `${epoch}/${dealer}/${host.index}`;
    const before = this.#acks.get(name) ?? toHex(digest);
    if (before !== toHex(digest)) host.fail(`acknowledges two polynomials of ${to}`);
    this.#acks.set(name, before);
    const commitments = this.#commitments.get(before);
    if (commitments === undefined) return;
    if (!isEvaluation(commitments, player, share))
      host.fail(`acknowledges an evaluation of ${to} that does not match its commitments`);
    const isDealt =
      commitments.length === quorumOf(nextPlayers.length) &&
      sameBytes(commitments[0], currentSet.validators[dealer]?.share_public_key);
    if (!isDealt) host.fail(`acknowledges a polynomial of ${to} that no dealing may have`);
  }

  #dealing(host: HostView, dealing: Dealing, context: EpochContext): void {
    if (this.#checked.has(dealing)) return;
    this.#checked.add(dealing);
    const { epoch, dealer, commitments, encryption_key: key, sealed } = dealing;
    if (context.dealers[dealer] !== host.index) host.fail("sends another's dealing");
    const refused = CURVE_TASKS.check_dealing({ dealing, context });
    if (refused !== undefined) host.fail(`makes an invalid dealing: ${refused.message}`);
    this.#expectKey(host, key);
    const one = this.#one(host, dealing, toHex(key));
    for (const share of sealed) {
      const { player, ephemeral } = share;
      const privateKey = scalarOf(context.nextPlayers[player]?.encryption_key ?? new Uint8Array(0)) ?? 0n;
      const evaluation = unsealed(privateKey, share, { epoch, dealer, player });
      if (!isEvaluation(commitments, player, evaluation)) host.fail(`seals garbage to player ${player}`);
      if (isEvaluation(commitments, player, share.share))
        host.fail(`publishes the evaluation of player ${player}`);
      this.#know(host, one, player, context.players[player] ?? -1);
      // A mask that is used twice gives away the difference of two evaluations, or both.
      const name = toHex(ephemeral);
      const content = `${epoch}/${dealer}/${player} ${toHex(share.share)}`;
      if ((this.#sealed.get(name) ?? content) !== content)
        host.fail('seals two evaluations with one ephemeral point');
      this.#sealed.set(name, content);
      this.#keys.add(toHex(sharedPoint(ephemeral, privateKey)));
    }
  }

  #complaint(host: HostView, complaint: Complaint, context: EpochContext): void {
    const { dealer, player, shared } = complaint;
    const accused = context.dealers[dealer] ?? -1;
    if (context.players[player] !== host.index) host.fail('complains in the name of another');
    if (this.#world.isHonest(accused)) host.fail(`complains about ${accused}, which is honest`);
    if (this.#keys.has(toHex(shared))) host.fail("opens an honest dealer's sealed share to everybody");
  }

  /** The dealing that this one must be, because an honest dealer makes one an epoch. */
  #one(host: HostView, { epoch, dealer, commitments }: Dealing | DealtShare, encryptionKey?: string): Dealt {
    const name = `${epoch}/${dealer}`;
    const digest = this.#digest(commitments);
    const before = this.#dealt.get(name);
    if (before !== undefined && before.digest !== digest) host.fail('deals two polynomials in one epoch');
    const key = encryptionKey ?? before?.encryptionKey;
    if (key !== (before?.encryptionKey ?? key)) host.fail('announces two encryption keys in one epoch');
    const known = before?.known ?? new Set<number>();
    const dealt = { digest, encryptionKey: key, known, revealing: commitments.length };
    this.#dealt.set(name, dealt);
    return dealt;
  }

  /** Notes who can read an evaluation: fewer than determine the polynomial may be known to faulty validators. */
  #know(host: HostView, { known, revealing }: Dealt, player: number, reader: number): void {
    if (this.#world.isHonest(reader)) return;
    known.add(player);
    if (known.size >= revealing) host.fail('deals enough to faulty validators to reveal its share');
  }

  #expectKey(host: HostView, publicKey: Uint8Array): void {
    if (!host.disk.durable.keys.some((key) => sameBytes(key.publicKey, publicKey)))
      host.fail('announces an encryption key that is not on its disk');
  }

  #digest(commitments: readonly Uint8Array[]): string {
    const known = this.#digests.get(commitments);
    if (known !== undefined) return known;
    const digest = toHex(commitmentsDigest(RESHARING_CRYPTO, commitments));
    this.#digests.set(commitments, digest);
    this.#commitments.set(digest, commitments);
    return digest;
  }
}
