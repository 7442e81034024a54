import { sameBytes } from '../../base/same-bytes.js';
import type { BlsKeyCheck } from '../../crypto/crypto.js';
import { areSealingProofs } from '../../crypto/dkg/sealing-proof.js';
import type { SealedShare } from '../../generated/ledger.js';
import type { CeremonyBody, CeremonyConfiguration } from '../../generated/mesh.js';
import type { IdentityCrypto } from '../../ledger/validators/check-dealing.js';
import { checkCommitments } from '../../ledger/validators/check-dealing-points.js';
import { quorumOf } from '../../ledger/validators/quorum.js';
import { isStrictlyAscending } from '../../ledger/validators/refusal.js';
import type { BodyKind, OpenedMessage } from './ceremony-messages.js';
import { ceremonyContext } from './outcome.js';
import { approvalMessage } from './transcript.js';

export type ReceiveResult =
  | { readonly type: 'new' | 'known' }
  /** The sender signed a body that breaks the rules; everybody comes to the same result. */
  | { readonly type: 'malformed'; readonly reason: string }
  /** The sender signed another message of this kind before. */
  | { readonly type: 'equivocation' };

type Value<K extends BodyKind> = Extract<CeremonyBody, { readonly type: K }>['value'];

/** The kinds of an attempt that everybody gets, and relays. */
export const PUBLIC_KINDS = ['hello', 'commitments', 'response', 'sealed', 'complaint', 'approval'] as const;
export type PublicKind = (typeof PUBLIC_KINDS)[number];

/** The participants' public messages in one attempt: one per kind and participant, so memory is bounded. */
export class ReceivedMessages {
  readonly #parts: ReceivedMessagesOptions;
  readonly #kept = new Map<PublicKind, Map<number, OpenedMessage>>();

  constructor(parts: ReceivedMessagesOptions) {
    this.#parts = parts;
  }

  /** The values of a kind, ascending by participant. */
  of<K extends PublicKind>(kind: K): Map<number, Value<K>> {
    const messages = [...(this.#kept.get(kind)?.values() ?? [])].sort((a, b) => a.sender - b.sender);
    return new Map(messages.map(({ sender, body }) => [sender, body.value as Value<K>]));
  }

  has(kind: PublicKind, participant: number): boolean {
    return this.#kept.get(kind)?.has(participant) ?? false;
  }

  /** True if there is a message of the kind from each participant. */
  isComplete(kind: PublicKind): boolean {
    return this.#kept.get(kind)?.size === this.#parts.configuration.validators.length;
  }

  /** sha256(borsh(body)) of a kept message. */
  digest(kind: PublicKind, participant: number): Uint8Array | undefined {
    return this.#kept.get(kind)?.get(participant)?.digest;
  }

  all(): Uint8Array[] {
    return [...this.#kept.keys()].flatMap((kind) => this.allOf(kind));
  }

  allOf(kind: PublicKind): Uint8Array[] {
    return [...(this.#kept.get(kind)?.values() ?? [])].map(({ encoded }) => encoded);
  }

  add(message: OpenedMessage & { readonly body: { readonly type: PublicKind } }): ReceiveResult {
    const { body, sender, digest } = message;
    const kept = this.#kept.get(body.type) ?? new Map<number, OpenedMessage>();
    const before = kept.get(sender);
    if (before !== undefined) return { type: sameBytes(before.digest, digest) ? 'known' : 'equivocation' };
    const reason = this.#problem(sender, body);
    if (reason !== undefined) return { type: 'malformed', reason };
    this.#kept.set(body.type, kept.set(sender, message));
    return { type: 'new' };
  }

  /** The rule that a body breaks by itself, independent of other messages. */
  #problem(sender: number, body: CeremonyBody): string | undefined {
    const { bls, crypto, configuration } = this.#parts;
    const { validators } = configuration;
    const isOther = (participant: number) => participant < validators.length && participant !== sender;
    switch (body.type) {
      case 'commitments':
        if (body.value.length !== quorumOf(validators.length)) return 'commitments of the wrong degree';
        return checkCommitments(bls, body.value)?.message;
      case 'response':
        return isStrictlyAscending(body.value) && body.value.every(isOther)
          ? undefined
          : 'expected other participants in ascending order';
      case 'sealed':
        return this.#sealedProblem(sender, body.value, isOther);
      case 'complaint': {
        const { epoch, dealer, player } = body.value;
        return epoch === 0n && player === sender && isOther(dealer)
          ? undefined
          : "another participant's complaint";
      }
      case 'approval': {
        const { transcript, signature, commitments } = body.value;
        if (commitments.length !== validators.length) return 'an approval without all commitments';
        const key = validators[sender]?.identity_key ?? new Uint8Array(0);
        const isSigned = crypto.ed25519.verify(signature, approvalMessage(transcript), key);
        return isSigned ? undefined : 'an approval with an invalid signature';
      }
      default:
        return undefined;
    }
  }

  #sealedProblem(
    dealer: number,
    sealed: readonly SealedShare[],
    isOther: (participant: number) => boolean,
  ): string | undefined {
    const players = sealed.map(({ player }) => player);
    if (!isStrictlyAscending(players) || !players.every(isOther)) {
      return 'expected sealed shares of other participants in ascending order';
    }
    const { bls, crypto, configuration } = this.#parts;
    if (!sealed.every(({ ephemeral }) => bls.isPublicKey(ephemeral))) {
      return 'a sealed share without a valid point';
    }
    const proofs = sealed.map(({ player, ...share }) => ({
      ...share,
      context: ceremonyContext(configuration, dealer, player),
      encryptionKey: configuration.validators[player]?.encryption_key ?? new Uint8Array(0),
    }));
    return areSealingProofs(crypto, proofs).includes(false)
      ? 'a sealed share without a valid proof'
      : undefined;
  }
}

export interface ReceivedMessagesOptions {
  readonly crypto: IdentityCrypto;
  readonly bls: BlsKeyCheck;
  readonly configuration: Pick<CeremonyConfiguration, 'chain_id' | 'validators'>;
}
