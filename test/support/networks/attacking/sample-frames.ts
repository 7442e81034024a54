import { randomBytes } from 'node:crypto';
import type { Vote } from '../../../../src/generated/mesh.js';
import type { Codec } from '../../../../src/idl/codecs/codec.js';
import { BorshError } from '../../../../src/idl/codecs/codec-errors.js';
import {
  HEADER_BYTES,
  LARGE_NUMBER,
  LARGE_PAYLOAD_BYTES,
  PIECE_BYTES,
} from '../../../../src/network/frame-format.js';
import {
  FRAME_KINDS,
  type FrameKind,
  type FrameSpec,
  type FrameValues,
} from '../../../../src/network/frame-kinds.js';
import { rawFrame } from '../mesh-attacker.js';
import { framesOf } from './attack-link.js';

const POINT = new Uint8Array(96);
/** Room for the fields beside the longest content of a kind. */
const MARGIN_BYTES = 1_024;
/** Upper bound of the shortest message of a kind. */
const SHORT_BYTES = 512;

export const ALL_KINDS = Object.keys(FRAME_KINDS) as readonly FrameKind[];

export function random(length: number): Uint8Array {
  return Uint8Array.from(randomBytes(length));
}

/**
 * A message of a kind that decodes, of the largest size that the kind allows if its size varies. Its content is
 * random, so an honest validator has no use for it.
 * @param index the attacker's, in the validator set
 */
export function wellFormed(kind: FrameKind, index: number): Buffer {
  return framesOf(FRAME_KINDS[kind], payloadOf(kind, index));
}

function payloadOf(kind: FrameKind, index: number): Uint8Array {
  const voted = { epoch: 0n, view: 1n, parent_view: 0n, block_hash: random(32) };
  const signed = { signer: index, partial: POINT, signature: random(64) };
  const vote: Vote = { kind: { type: 'notarize' }, ...voted, ...signed };
  const room = FRAME_KINDS[kind].maxBytes - MARGIN_BYTES;
  const block = { header: random(400), body: random(room > 400 ? room - 400 : 0) };
  switch (kind) {
    case 'vote':
      return encoded(kind, vote);
    case 'certificate':
      return encoded(kind, { kind: { type: 'finalize' }, ...voted, signature: POINT });
    case 'seal_share':
      return encoded(kind, { epoch: 0n, height: 10n, signer: index, partial: POINT });
    case 'get_certificates':
      return encoded(kind, { epoch: 0n, from_view: 0n, to_view: 2n ** 53n - 1n });
    case 'get_finalized':
      return encoded(kind, { from_height: 1n, count: 2 ** 32 - 1 });
    case 'proposal':
      return encoded(kind, { vote, block });
    case 'block':
      return encoded(kind, { block_hash: random(32), block });
    case 'finalized':
      return encoded(kind, { from_height: 1n, blocks: [{ block }] });
    case 'approval': {
      const change = { type: 'remove', value: random(20) } as const;
      return encoded(kind, { epoch: 0n, change, approval: { index, signature: random(64) } });
    }
    case 'ceremony':
      return encoded(kind, { content: random(room) });
    case 'transactions':
      return encoded(kind, { items: [{ type: 'transaction', value: random(room) }] });
    default:
      return shortestOf(kind, FRAME_KINDS[kind].codec);
  }
}

/** Zeros of the least length that decode as a type. */
export function shortestOf(name: string, codec: Pick<Codec<unknown>, 'decode'>): Uint8Array {
  for (let length = 0; length <= SHORT_BYTES; length++) {
    const payload = new Uint8Array(length);
    try {
      codec.decode(payload);
      return payload;
    } catch (error) {
      // The type needs more bytes.
      if (!(error instanceof BorshError)) throw error;
    }
  }
  throw new Error(`no short ${name} consists of zeros`);
}

/** A message that is within the size limit of its kind and does not decode. */
export function malformed(kind: FrameKind): Buffer {
  const { maxBytes, number } = FRAME_KINDS[kind];
  // A length that no fixed layout has, and a count of items that the content cannot hold.
  return rawFrame(number, new Uint8Array(Math.min(maxBytes, 7)).fill(0xff));
}

/** The beginning of a message that is larger than its kind allows. */
export function oversized(kind: FrameKind): Buffer {
  const { maxBytes, number } = FRAME_KINDS[kind];
  if (maxBytes < PIECE_BYTES) return rawFrame(number, random(maxBytes + 1));
  const announcement = Buffer.alloc(HEADER_BYTES + LARGE_PAYLOAD_BYTES);
  announcement.writeUInt32LE(LARGE_PAYLOAD_BYTES, 0);
  announcement.writeUInt8(LARGE_NUMBER, 4);
  announcement.writeUInt8(number, HEADER_BYTES);
  announcement.writeUInt32LE(maxBytes + 1, HEADER_BYTES + 1);
  return announcement;
}

function encoded<K extends FrameKind>(kind: K, value: FrameValues[K]): Uint8Array {
  const spec: FrameSpec<K> = FRAME_KINDS[kind];
  return spec.codec.encode(value);
}
