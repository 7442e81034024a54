import { readIdentityFile } from '../../../../src/consensus/files/identity-file.js';
import { readShareFile } from '../../../../src/consensus/files/share-file.js';
import { validatorPaths } from '../../../../src/consensus/files/validator-directory.js';
import type { Crypto, ThresholdBls } from '../../../../src/crypto/crypto.js';
import { loadBls } from '../../../../src/crypto/load-bls.js';
import { loadCrypto } from '../../../../src/crypto/load-crypto.js';
import type { Vote, VotedMessage } from '../../../../src/generated/mesh.js';
import {
  finalizeMessage,
  notarizeMessage,
  nullifyMessage,
  voteIdentityMessage,
} from '../../../../src/proofs/verify/certificate-message.js';

/** Fields of a vote's message with a default for each but the kind and the view. */
export type Voted = Pick<VotedMessage, 'kind' | 'view'> & Partial<VotedMessage>;

export const NO_HASH: Uint8Array = new Uint8Array(32);

/** Signs any vote with a validator's real keys, without a journal. */
export class VoteForge {
  readonly index: number;
  readonly seed: Uint8Array;
  readonly crypto: Crypto;
  readonly #bls: ThresholdBls;
  readonly #share: Uint8Array;
  readonly #chainId: bigint;

  private constructor(
    parts: { readonly crypto: Crypto; readonly bls: ThresholdBls },
    keys: { readonly seed: Uint8Array; readonly share: Uint8Array; readonly index: number },
    chainId: bigint,
  ) {
    this.crypto = parts.crypto;
    this.#bls = parts.bls;
    this.seed = keys.seed;
    this.#share = keys.share;
    this.index = keys.index;
    this.#chainId = chainId;
  }

  /** @param directory of the validator whose keys to use */
  static async open(directory: string, chainId: bigint): Promise<VoteForge> {
    const paths = validatorPaths(directory);
    const crypto = await loadCrypto('auto');
    const { seed } = await readIdentityFile(crypto, paths.identity);
    const held = await readShareFile(paths.share);
    if (held === undefined) throw new Error(`${paths.share}: there is no share`);
    const { share, index } = held;
    return new VoteForge({ crypto, bls: await loadBls('auto') }, { seed, share, index }, chainId);
  }

  /** A vote whose two signatures are valid. */
  vote(voted: Voted): Vote {
    const message = filled(voted);
    const bytes = this.#bytes(message);
    return {
      ...message,
      signer: this.index,
      partial: this.#bls.sign(bytes, this.#share),
      signature: this.crypto.ed25519.sign(voteIdentityMessage(bytes), this.seed),
    };
  }

  /** A vote with a valid identity signature and a partial signature of another message. */
  badPartial(voted: Voted): Vote {
    const vote = this.vote(voted);
    return { ...vote, partial: this.#bls.sign(Uint8Array.of(1), this.#share) };
  }

  /** A vote without valid signatures, which costs next to nothing. */
  unsigned(voted: Voted, signer: number = this.index): Vote {
    return { ...filled(voted), signer, partial: new Uint8Array(96), signature: new Uint8Array(64) };
  }

  /** A point of the right form that signs nothing, 96 bytes. */
  get strayPoint(): Uint8Array {
    return this.#bls.sign(Uint8Array.of(2), this.#share);
  }

  #bytes({ kind, epoch, view, parent_view: parentView, block_hash: hash }: VotedMessage): Uint8Array {
    const at = { chainId: this.#chainId, epoch, view };
    if (kind.type === 'nullify') return nullifyMessage(at);
    const block = { ...at, parentView, hash };
    return kind.type === 'notarize' ? notarizeMessage(block) : finalizeMessage(block);
  }
}

function filled({ kind, view, epoch = 0n, parent_view = 0n, block_hash = NO_HASH }: Voted): VotedMessage {
  const isNullify = kind.type === 'nullify';
  return {
    kind,
    epoch,
    view,
    parent_view: isNullify ? 0n : parent_view,
    block_hash: isNullify ? NO_HASH : block_hash,
  };
}
