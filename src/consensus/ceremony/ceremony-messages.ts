import { sameBytes } from '../../base/same-bytes.js';
import type { Sha256 } from '../../crypto/crypto.js';
import type { CeremonyBody, CeremonyFault, CeremonyMessage } from '../../generated/mesh.js';
import { meshCodecs } from '../../generated/mesh-codecs.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import type { IdentityCrypto } from '../../ledger/validators/check-dealing.js';
import { isStrictlyAscending } from '../../ledger/validators/refusal.js';

/** Maximum message size in bytes; the final signatures of a hundred participants take 13 KiB. */
export const MAX_CEREMONY_MESSAGE_BYTES = 32_768;

const DOMAIN = new TextEncoder().encode('heddle/ceremony-message/1');

/** The kinds of bodies, in the order of their variant bytes. */
const KINDS = [
  'hello',
  'commitments',
  'evaluation',
  'response',
  'sealed',
  'complaint',
  'approval',
  'fault',
  'complete',
  'confirmation',
  'finished',
] as const;

export type BodyKind = CeremonyBody['type'];

/** A message with a valid signature of its sender. */
export interface OpenedMessage {
  readonly attempt: number;
  readonly sender: number;
  readonly body: CeremonyBody;
  /** sha256(borsh(body)), 32 bytes. */
  readonly digest: Uint8Array;
  readonly signature: Uint8Array;
  /** The whole message, for relaying. */
  readonly encoded: Uint8Array;
}

/** Signs and verifies the messages of one ceremony. */
export class CeremonyMessages {
  readonly #crypto: IdentityCrypto;
  readonly #configuration: Uint8Array;
  readonly #keys: readonly Uint8Array[];

  /**
   * @param configuration sha256 of the configuration, 32 bytes
   * @param keys identity keys by participant
   */
  constructor(crypto: IdentityCrypto, configuration: Uint8Array, keys: readonly Uint8Array[]) {
    this.#crypto = crypto;
    this.#configuration = configuration;
    this.#keys = keys;
  }

  get size(): number {
    return this.#keys.length;
  }

  sign(
    sign: (message: Uint8Array) => Uint8Array,
    attempt: number,
    sender: number,
    body: CeremonyBody,
  ): OpenedMessage {
    const digest = bodyDigest(this.#crypto, body);
    const signature = sign(this.#signed(attempt, sender, body.type, digest));
    const configuration = this.#configuration;
    const encoded = meshCodecs.CeremonyMessage.encode({ configuration, attempt, sender, body, signature });
    return { attempt, sender, body, digest, signature, encoded };
  }

  /** Decodes and verifies a participant's message. @returns the message, or a description of the error */
  open(encoded: Uint8Array): OpenedMessage | string {
    if (encoded.length > MAX_CEREMONY_MESSAGE_BYTES) return 'a message that is too long';
    const message = decode(encoded);
    if (message === undefined) return 'not a ceremony message';
    const { configuration, attempt, sender, body, signature } = message;
    if (!sameBytes(configuration, this.#configuration)) return 'another configuration';
    const digest = bodyDigest(this.#crypto, body);
    if (!this.isSigned(attempt, sender, body.type, digest, signature)) return 'an invalid signature';
    return { attempt, sender, body, digest, signature, encoded };
  }

  /** True if the participant signed a body of this kind and digest in an attempt. */
  isSigned(
    attempt: number,
    sender: number,
    kind: BodyKind,
    digest: Uint8Array,
    signature: Uint8Array,
  ): boolean {
    const key = this.#keys[sender];
    return (
      key !== undefined &&
      this.#crypto.ed25519.verify(signature, this.#signed(attempt, sender, kind, digest), key)
    );
  }

  /** The fault of the previous attempt in a hello, undefined in attempt 1, or a description of the error. */
  reasonOf(attempt: number, reason: Uint8Array): Accusation | undefined | string {
    if (attempt === 1) return reason.length === 0 ? undefined : 'a reason for the first attempt';
    const message = this.open(reason);
    if (typeof message === 'string') return message;
    const { body, sender } = message;
    if (message.attempt !== attempt - 1 || body.type !== 'fault')
      return 'not a fault of the previous attempt';
    const { participants } = body.value;
    const isKnown = participants.every((participant) => participant < this.#keys.length);
    if (!isKnown || !isStrictlyAscending(participants)) return 'a fault of unknown participants';
    return { accuser: sender, fault: body.value, encoded: reason };
  }

  #signed(attempt: number, sender: number, kind: BodyKind, digest: Uint8Array): Uint8Array {
    const fields = new Uint8Array(9);
    const view = new DataView(fields.buffer);
    view.setUint32(0, attempt, true);
    view.setUint32(4, sender, true);
    view.setUint8(8, KINDS.indexOf(kind));
    return Uint8Array.from(Buffer.concat([DOMAIN, this.#configuration, fields, digest]));
  }
}

/** A participant's signed claim about whose fault it is that an attempt ended. */
export interface Accusation {
  readonly accuser: number;
  readonly fault: CeremonyFault;
  /** The accuser's message, for the next hello. */
  readonly encoded: Uint8Array;
}

/** sha256(borsh(body)), 32 bytes. */
export function bodyDigest(crypto: Sha256, body: CeremonyBody): Uint8Array {
  return crypto.sha256(meshCodecs.CeremonyBody.encode(body));
}

function decode(encoded: Uint8Array): CeremonyMessage | undefined {
  try {
    return meshCodecs.CeremonyMessage.decode(encoded);
  } catch (error) {
    if (error instanceof BorshError) return undefined;
    throw error;
  }
}
