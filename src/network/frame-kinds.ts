/**
 * The mesh's frame kinds: number on the wire, type, size limit, priority class and receive rate. A frame is `u32le
 * length ‖ u8 number ‖ payload`; the length is the payload's, and the payload is the Borsh encoding of the kind's type
 * in idl/mesh.idl.
 */

import { meshCodecs } from '../generated/mesh-codecs.js';
import type { BorshCodec } from '../idl/codecs/codec.js';
import { MAX_BODY_BYTES } from '../ledger/constants.js';

/** Protocol version of the mesh; validators with different versions cannot connect. */
export const MESH_VERSION = 2;

export type FrameKind = keyof typeof KINDS;

export type FrameValues = {
  readonly [K in FrameKind]: (typeof KINDS)[K] extends Spec<K, infer V> ? V : never;
};

/** Kinds that users of the mesh send and handle; it handles the others itself. */
export type MessageKind = Exclude<FrameKind, 'hello' | 'ping' | 'pong'>;

/** Priority classes, most urgent first; frames of one class are sent in order. */
export const FRAME_CLASSES = ['control', 'vote', 'block', 'sync', 'gossip'] as const;

export type FrameClass = (typeof FRAME_CLASSES)[number];

/** Sustained rate at which a peer may send; the burst is twice that. */
export interface FrameRate {
  readonly framesPerSecond: number;
  readonly bytesPerSecond: number;
}

interface Spec<K, V> {
  readonly kind: K;
  /** Number on the wire, 3 to 255; lower ones are used for parts of large messages. */
  readonly number: number;
  readonly codec: BorshCodec<V>;
  readonly maxBytes: number;
  readonly class: FrameClass;
  readonly rate: FrameRate;
}

export type FrameSpec<K extends FrameKind = FrameKind> = Spec<K, FrameValues[K]>;

const KIB = 1024;
const MIB = 1024 * KIB;

/** Allowance for headers and other data around a body. */
const BODY_OVERHEAD_BYTES = 64 * KIB;
const MAX_BLOCK_BYTES = MAX_BODY_BYTES + BODY_OVERHEAD_BYTES;

const SMALL: FrameRate = { framesPerSecond: 4_000, bytesPerSecond: MIB };
const REQUESTS: FrameRate = { framesPerSecond: 200, bytesPerSecond: 16 * KIB };
const BLOCKS: FrameRate = { framesPerSecond: 400, bytesPerSecond: 64 * MIB };
const RARE: FrameRate = { framesPerSecond: 200, bytesPerSecond: 4 * MIB };

function spec<K extends string, V>(
  kind: K,
  number: number,
  codec: BorshCodec<V>,
  frameClass: FrameClass,
  maxBytes: number,
  rate: FrameRate,
): Spec<K, V> {
  return { kind, number, codec, class: frameClass, maxBytes, rate };
}

const KINDS = {
  hello: spec('hello', 3, meshCodecs.Hello, 'control', 64, { framesPerSecond: 1, bytesPerSecond: 64 }),
  ping: spec('ping', 4, meshCodecs.Ping, 'control', 8, { framesPerSecond: 20, bytesPerSecond: KIB }),
  pong: spec('pong', 5, meshCodecs.Pong, 'control', 8, { framesPerSecond: 20, bytesPerSecond: KIB }),
  vote: spec('vote', 16, meshCodecs.Vote, 'vote', 256, SMALL),
  certificate: spec('certificate', 17, meshCodecs.VoteCertificate, 'vote', 256, SMALL),
  seal_share: spec('seal_share', 18, meshCodecs.SealShare, 'vote', 256, SMALL),
  get_block: spec('get_block', 24, meshCodecs.GetBlock, 'vote', 64, REQUESTS),
  get_certificates: spec('get_certificates', 25, meshCodecs.GetCertificates, 'vote', 64, REQUESTS),
  get_finalized: spec('get_finalized', 26, meshCodecs.GetFinalized, 'vote', 64, REQUESTS),
  proposal: spec('proposal', 32, meshCodecs.Proposal, 'block', MAX_BLOCK_BYTES, BLOCKS),
  block: spec('block', 33, meshCodecs.BlockAnswer, 'block', MAX_BLOCK_BYTES, BLOCKS),
  finalized: spec('finalized', 41, meshCodecs.Finalized, 'sync', MAX_BLOCK_BYTES, BLOCKS),
  dealt_share: spec('dealt_share', 42, meshCodecs.DealtShare, 'sync', 64 * KIB, RARE),
  dealt_ack: spec('dealt_ack', 43, meshCodecs.DealtAck, 'sync', 256, RARE),
  dealing: spec('dealing', 44, meshCodecs.Dealing, 'sync', 64 * KIB, RARE),
  approval: spec('approval', 45, meshCodecs.ChangeApproval, 'sync', KIB, RARE),
  complaint: spec('complaint', 47, meshCodecs.Complaint, 'sync', 256, RARE),
  ceremony: spec('ceremony', 46, meshCodecs.CeremonyFrame, 'sync', MIB, RARE),
  // A bundle may fill a block.
  transactions: spec('transactions', 64, meshCodecs.Transactions, 'gossip', MAX_BLOCK_BYTES, {
    framesPerSecond: 2_000,
    bytesPerSecond: 8 * MIB,
  }),
};

export const FRAME_KINDS: { readonly [K in FrameKind]: FrameSpec<K> } = KINDS;

export const FRAME_NUMBERS: ReadonlyMap<number, FrameSpec> = new Map(
  Object.values<FrameSpec>(FRAME_KINDS).map((frame) => [frame.number, frame]),
);
