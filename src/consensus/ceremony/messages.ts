import { sameBytes } from '../../base/same-bytes.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { CeremonyBody, CeremonyMessage, CeremonyStatement } from '../../generated/mesh.js';
import { meshCodecs } from '../../generated/mesh-codecs.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';

/** Maximum message size in bytes; commitments, responses and approvals of a hundred participants take about 10 KiB. */
export const MAX_CEREMONY_MESSAGE_BYTES = 32_768;

const DOMAIN = new TextEncoder().encode('heddle/ceremony-message/1');

/** The kinds of bodies, in the order of their variant bytes. */
const KINDS = ['hello', 'commitments', 'evaluation', 'response', 'reveals', 'approval', 'finished'] as const;

export type BodyKind = CeremonyBody['type'];

/** One attempt of one ceremony. */
export interface Session {
  /** sha256 of the configuration, 32 bytes. */
  readonly configuration: Uint8Array;
  readonly attempt: number;
}

/** A message with a valid signature. */
export interface OpenedMessage {
  readonly attempt: number;
  readonly body: CeremonyBody;
  /** Proves to others that the sender signed the body. */
  readonly statement: CeremonyStatement;
}

export function signMessage(
  crypto: Pick<Crypto, 'sha256'>,
  sign: (message: Uint8Array) => Uint8Array,
  { configuration, attempt }: Session,
  sender: number,
  body: CeremonyBody,
): { readonly encoded: Uint8Array; readonly statement: CeremonyStatement } {
  const digest = crypto.sha256(meshCodecs.CeremonyBody.encode(body));
  const signature = sign(signedBytes({ configuration, attempt }, sender, body.type, digest));
  const encoded = meshCodecs.CeremonyMessage.encode({ configuration, attempt, sender, body, signature });
  return { encoded, statement: { participant: sender, digest, signature } };
}

/**
 * Decodes and verifies a participant's message.
 * @param identityKey the participant's public key
 * @returns the message, or a description of the error
 */
export function openMessage(
  crypto: Pick<Crypto, 'sha256' | 'ed25519'>,
  encoded: Uint8Array,
  expected: {
    readonly configuration: Uint8Array;
    readonly sender: number;
    readonly identityKey: Uint8Array;
  },
): OpenedMessage | string {
  if (encoded.length > MAX_CEREMONY_MESSAGE_BYTES) return 'a message that is too long';
  const message = decode(encoded);
  if (message === undefined) return 'not a ceremony message';
  const { configuration, attempt, sender, body, signature } = message;
  if (!sameBytes(configuration, expected.configuration)) return 'another configuration';
  if (sender !== expected.sender) return "another participant's message";
  const digest = crypto.sha256(meshCodecs.CeremonyBody.encode(body));
  const signed = signedBytes({ configuration, attempt }, sender, body.type, digest);
  if (!crypto.ed25519.verify(signature, signed, expected.identityKey)) return 'an invalid signature';
  return { attempt, body, statement: { participant: sender, digest, signature } };
}

/** True if a statement proves that the participant signed a body of this kind. */
export function isValidStatement(
  crypto: { readonly ed25519: Pick<Crypto['ed25519'], 'verify'> },
  session: Session,
  kind: BodyKind,
  { participant, digest, signature }: CeremonyStatement,
  identityKey: Uint8Array | undefined,
): boolean {
  return (
    identityKey !== undefined &&
    crypto.ed25519.verify(signature, signedBytes(session, participant, kind, digest), identityKey)
  );
}

function signedBytes(
  { configuration, attempt }: Session,
  sender: number,
  kind: BodyKind,
  digest: Uint8Array,
): Uint8Array {
  const fields = new Uint8Array(9);
  const view = new DataView(fields.buffer);
  view.setUint32(0, attempt, true);
  view.setUint32(4, sender, true);
  view.setUint8(8, KINDS.indexOf(kind));
  return Uint8Array.from(Buffer.concat([DOMAIN, configuration, fields, digest]));
}

function decode(encoded: Uint8Array): CeremonyMessage | undefined {
  try {
    return meshCodecs.CeremonyMessage.decode(encoded);
  } catch (error) {
    if (error instanceof BorshError) return undefined;
    throw error;
  }
}
