import { LRUCache } from 'lru-cache';
import type { Crypto } from '../../crypto/crypto.js';
import type { ValidatorSet } from '../../generated/ledger.js';
import {
  finalizeMessage,
  notarizeMessage,
  nullifyMessage,
  voteIdentityMessage,
} from '../../proofs/verify/certificate-message.js';
import type { Certificate, Vote, VoteMessage } from '../core/types.js';
import { hashBytes, messageName } from './conversions.js';
import type { AssembledVotes, VoteSignatures } from './ports.js';

/** The part of the signature worker used here, which holds the epochs' keys. */
export interface ThresholdSigner {
  /** Returns a partial signature, 96 bytes. */
  sign(epoch: bigint, message: Uint8Array): Promise<Uint8Array>;
  assemble(
    epoch: bigint,
    message: Uint8Array,
    partials: readonly { readonly index: number; readonly signature: Uint8Array }[],
  ): Promise<{ readonly signature?: Uint8Array; readonly bad: readonly number[] }>;
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): Promise<boolean>;
}

export interface ThresholdSignaturesOptions {
  readonly crypto: Pick<Crypto, 'ed25519'>;
  readonly signer: ThresholdSigner;
  readonly chainId: bigint;
  /** The identity key's seed, 32 bytes. */
  readonly identitySeed: Uint8Array;
  readonly validatorsAt: (epoch: bigint) => Pick<ValidatorSet, 'validators' | 'group_public_key'> | undefined;
  /** This validator's index in the set of an epoch, or -1. */
  readonly indexIn: (epoch: number) => number;
}

/** Number of this validator's votes cached for resending: those of the kept views, with some margin. */
const KEPT_VOTES = 256;

/** Signs votes with the group key share and identity key of one of several validators. */
export class ThresholdSignatures implements VoteSignatures {
  readonly #options: ThresholdSignaturesOptions;
  readonly #own = new LRUCache<string, Promise<Pick<Vote, 'partial' | 'signature'>>>({ max: KEPT_VOTES });

  constructor(options: ThresholdSignaturesOptions) {
    this.#options = options;
  }

  sign(message: VoteMessage): Promise<Pick<Vote, 'partial' | 'signature'>> {
    const name = messageName(message);
    const known = this.#own.get(name);
    if (known !== undefined) return known;
    const made = this.#sign(message);
    this.#own.set(name, made);
    made.catch(() => this.#own.delete(name));
    return made;
  }

  async assemble(message: VoteMessage, votes: readonly Vote[], own: boolean): Promise<AssembledVotes> {
    const { signer, chainId, indexIn } = this.#options;
    const partials = votes.map((vote) => ({ index: vote.signer, signature: vote.partial }));
    if (own) {
      const { partial } = await this.sign(message);
      partials.unshift({ index: indexIn(message.epoch), signature: partial });
    }
    const bytes = voteBytes(chainId, message);
    const { signature, bad } = await signer.assemble(BigInt(message.epoch), bytes, partials);
    return { signature, bad };
  }

  async isCertified(certificate: Certificate): Promise<boolean> {
    const { signer, chainId, validatorsAt } = this.#options;
    // The group key is the same in all epochs, and epoch 0's set is always known.
    const set = validatorsAt(BigInt(certificate.epoch)) ?? validatorsAt(0n);
    if (set === undefined) return false;
    return signer.verify(certificate.signature, voteBytes(chainId, certificate), set.group_public_key);
  }

  isSigned(vote: Vote): boolean {
    const { crypto, chainId, validatorsAt } = this.#options;
    const signer = validatorsAt(BigInt(vote.epoch))?.validators[vote.signer];
    if (signer === undefined) return false;
    const message = voteIdentityMessage(voteBytes(chainId, vote));
    return crypto.ed25519.verify(vote.signature, message, signer.identity_key);
  }

  async #sign(message: VoteMessage): Promise<Pick<Vote, 'partial' | 'signature'>> {
    const { crypto, signer, chainId, identitySeed } = this.#options;
    const bytes = voteBytes(chainId, message);
    const partial = await signer.sign(BigInt(message.epoch), bytes);
    return { partial, signature: crypto.ed25519.sign(voteIdentityMessage(bytes), identitySeed) };
  }
}

/** Returns the message that a vote signs with a key share, and a certificate with the group key. */
function voteBytes(chainId: bigint, { kind, ...voted }: VoteMessage): Uint8Array {
  const at = { chainId, epoch: BigInt(voted.epoch), view: BigInt(voted.view) };
  if (kind === 'nullify') return nullifyMessage(at);
  const block = { ...at, parentView: BigInt(voted.parentView), hash: hashBytes(voted.hash) };
  return kind === 'notarize' ? notarizeMessage(block) : finalizeMessage(block);
}
