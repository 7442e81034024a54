import { sealIdentity } from '../../crypto/sealing/seal-identity.js';
import type { SealKey } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import type { Certificate, Vote, VoteMessage } from '../core/types.js';
import type { AssembledVotes, VoteSignatures } from '../shell/ports.js';
import type { ThresholdSigner } from '../shell/threshold-signatures.js';
import { nameOf } from './model.js';
import { CHAIN_ID } from './sim-blocks.js';

const PARTIAL_BYTES = 96;
const IDENTITY_BYTES = 64;
/** Signer of a certificate: the group. */
const GROUP = -1;

type Purpose = 'partial' | 'identity' | 'certificate';

/** Stand-ins for signatures: a hash of the message, the signer and the purpose. Only this file makes them. */
export class SimKeys {
  readonly #quorum: number;
  /** Votes by message and signer, because a process signs a vote again whenever it repeats it. */
  readonly #votes = new Map<string, Map<number, Vote>>();
  /** Blocks that a quorum has notarized or finalized, with epoch and view. */
  readonly #notarized = new Set<string>();

  constructor(quorum: number) {
    this.#quorum = quorum;
  }

  /** The votes of all that have signed a message, by signer. */
  signersOf(message: VoteMessage): ReadonlyMap<number, Vote> {
    return this.#votes.get(nameOf(message)) ?? NOBODY;
  }

  hasQuorum(message: VoteMessage): boolean {
    return this.signersOf(message).size >= this.#quorum;
  }

  isNotarized(epoch: number, view: number, hash: string): boolean {
    return this.#notarized.has(`${epoch}/${view} ${hash}`);
  }

  vote(message: VoteMessage, signer: number): Vote {
    const name = nameOf(message);
    const votes = this.#votes.get(name) ?? new Map<number, Vote>();
    this.#votes.set(name, votes);
    const signed = votes.get(signer);
    if (signed !== undefined) return signed;
    const { kind, epoch, view, parentView, hash } = message;
    const partial = signatureOf(name, signer, 'partial', PARTIAL_BYTES);
    const signature = signatureOf(name, signer, 'identity', IDENTITY_BYTES);
    const vote = { kind, epoch, view, parentView, hash, signer, partial, signature };
    votes.set(signer, vote);
    if (kind !== 'nullify' && votes.size >= this.#quorum) this.#notarized.add(`${epoch}/${view} ${hash}`);
    return vote;
  }

  isPartial(message: VoteMessage, signer: number, partial: Uint8Array): boolean {
    return isSignature(partial, nameOf(message), signer, 'partial');
  }

  isSigned(vote: Vote): boolean {
    return isSignature(vote.signature, nameOf(vote), vote.signer, 'identity');
  }

  isCertified(certificate: Certificate): boolean {
    return isSignature(certificate.signature, nameOf(certificate), GROUP, 'certificate');
  }

  /** A share's signature of a message besides votes, made with the share of an epoch. */
  sign(epoch: bigint, message: Uint8Array, signer: number): Uint8Array {
    return signatureOf(shareName(epoch, message), signer, 'partial', PARTIAL_BYTES);
  }

  isShareOf(epoch: bigint, message: Uint8Array, signer: number, partial: Uint8Array): boolean {
    return isSignature(partial, shareName(epoch, message), signer, 'partial');
  }

  /** The group's signature of a message besides votes; anyone can check it. */
  signByGroup(message: Uint8Array): Uint8Array {
    return signatureOf(toHex(message), GROUP, 'certificate', PARTIAL_BYTES);
  }

  isByGroup(message: Uint8Array, signature: Uint8Array): boolean {
    return isSignature(signature, toHex(message), GROUP, 'certificate');
  }

  /** The group's signature of a message that a quorum has signed. */
  certify(message: VoteMessage): Uint8Array | undefined {
    if (!this.hasQuorum(message)) return undefined;
    return signatureOf(nameOf(message), GROUP, 'certificate', PARTIAL_BYTES);
  }
}

function shareName(epoch: bigint, message: Uint8Array): string {
  return `${epoch} ${toHex(message)}`;
}

const NOBODY: ReadonlyMap<number, Vote> = new Map();

/** What a validator signs with. */
export interface SimSigner {
  readonly keys: SimKeys;
  readonly quorum: number;
  readonly self: number;
  /** Resolves after the time that a signature takes, or rejects if the worker failed. */
  readonly work: () => Promise<void>;
}

export interface SimSignaturesOptions extends SimSigner {
  /** Called with each message before it is signed. */
  readonly onSign: (message: VoteMessage) => void;
  readonly onSignFailed: (message: VoteMessage) => void;
  readonly onAssemble: (message: VoteMessage, votes: readonly Vote[], own: boolean) => void;
  /** Called with each certificate before it is checked. */
  readonly onCheck: (certificate: Certificate) => void;
  /** Called when the worker of an assembly has failed. */
  readonly onAssemblyFailed: (message: VoteMessage) => void;
  /** Called with each certificate that turned out valid. @param isOwn whether it was made here */
  readonly onCertified: (certificate: Certificate, isOwn: boolean) => void;
  /** Called with the signers of invalid partial signatures; undefined for an invalid certificate. */
  readonly onInvalid: (signers: readonly number[] | undefined, epoch: number) => void;
}

export class SimSignatures implements VoteSignatures {
  readonly #options: SimSignaturesOptions;

  constructor(options: SimSignaturesOptions) {
    this.#options = options;
  }

  async sign(message: VoteMessage): Promise<Pick<Vote, 'partial' | 'signature'>> {
    const { keys, self, work, onSign, onSignFailed } = this.#options;
    onSign(message);
    const vote = keys.vote(message, self);
    try {
      await work();
    } catch (error) {
      onSignFailed(message);
      throw error;
    }
    return vote;
  }

  async assemble(message: VoteMessage, votes: readonly Vote[], own: boolean): Promise<AssembledVotes> {
    const { keys, quorum, self, work, onAssemble, onAssemblyFailed, onCertified, onInvalid } = this.#options;
    onAssemble(message, votes, own);
    await work().catch((error: unknown) => {
      onAssemblyFailed(message);
      throw error;
    });
    const bad = votes.filter(({ signer, partial }) => !keys.isPartial(message, signer, partial));
    const good = new Set(votes.filter((vote) => !bad.includes(vote)).map(({ signer }) => signer));
    if (own) good.add(self);
    const signature = good.size >= quorum ? keys.certify(message) : undefined;
    if (signature !== undefined) onCertified({ ...message, signature }, true);
    const signers = bad.map(({ signer }) => signer);
    if (signers.length > 0) onInvalid(signers, message.epoch);
    return { signature, bad: signers };
  }

  async isCertified(certificate: Certificate): Promise<boolean> {
    const { keys, work, onCheck, onCertified, onInvalid } = this.#options;
    onCheck(certificate);
    await work();
    const isValid = keys.isCertified(certificate);
    if (isValid) onCertified(certificate, false);
    else onInvalid(undefined, certificate.epoch);
    return isValid;
  }

  isSigned(vote: Vote): boolean {
    return this.#options.keys.isSigned(vote);
  }
}

export function isSealKey(keys: SimKeys, { height, signature }: SealKey): boolean {
  return keys.isByGroup(sealIdentity(CHAIN_ID, height), signature);
}

/** Signs and assembles the keys of heights with stand-ins for signatures. */
export function simSealSigner(signer: SimSigner): Pick<ThresholdSigner, 'sign' | 'assemble'> {
  const { keys, quorum, self, work } = signer;
  return {
    sign: async (epoch, message) => {
      await work();
      return keys.sign(epoch, message, self);
    },
    assemble: async (epoch, message, partials) => {
      await work();
      const bad = partials
        .filter(({ index, signature }) => !keys.isShareOf(epoch, message, index, signature))
        .map(({ index }) => index);
      if (partials.length - bad.length < quorum) return { bad };
      return { signature: keys.signByGroup(message), bad };
    },
  };
}

function signatureOf(name: string, signer: number, purpose: Purpose, length: number): Uint8Array {
  const signature = new Uint8Array(length);
  new DataView(signature.buffer).setUint32(0, hashOf(name, signer, purpose));
  return signature;
}

function isSignature(signature: Uint8Array, name: string, signer: number, purpose: Purpose): boolean {
  const value = new DataView(signature.buffer, signature.byteOffset).getUint32(0);
  return value === hashOf(name, signer, purpose);
}

/** FNV-1a, 32 bits; never 0, so that zero bytes are no signature. */
function hashOf(name: string, signer: number, purpose: Purpose): number {
  let hash = 0x811c9dc5 ^ (signer + 2) ^ (purpose.length << 16);
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return (hash | 1) >>> 0;
}
