import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { MeshTypes } from '../../src/generated/mesh.js';
import { meshManifest } from '../../src/generated/mesh.js';
import { HEADER_BYTES, PIECE_BYTES } from '../../src/network/frame-format.js';
import {
  FRAME_CLASSES,
  FRAME_KINDS,
  FRAME_NUMBERS,
  type FrameKind,
  type FrameSpec,
} from '../../src/network/frame-kinds.js';
import { FrameReader } from '../../src/network/frame-reader.js';
import { PeerFault } from '../../src/network/mesh-error.js';
import { SendQueue } from '../../src/network/send-queue.js';
import { arbitraryOf } from '../support/arbitraries.js';
import { sweep } from '../support/sweep.js';

interface Sent {
  readonly kind: FrameKind;
  readonly payload: Uint8Array;
}

/** IDL type of each frame kind's payload. */
const TYPES: { readonly [K in FrameKind]: keyof MeshTypes } = {
  hello: 'Hello',
  ping: 'Ping',
  pong: 'Pong',
  vote: 'Vote',
  certificate: 'VoteCertificate',
  seal_share: 'SealShare',
  get_block: 'GetBlock',
  get_certificates: 'GetCertificates',
  get_finalized: 'GetFinalized',
  proposal: 'Proposal',
  block: 'BlockAnswer',
  finalized: 'Finalized',
  dealt_share: 'DealtShare',
  dealt_ack: 'DealtAck',
  dealing: 'Dealing',
  approval: 'ChangeApproval',
  complaint: 'Complaint',
  ceremony: 'CeremonyFrame',
  transactions: 'Transactions',
};

/** All queued bytes, in sending order. */
function drained(queue: SendQueue): Buffer {
  const parts: Buffer[] = [];
  for (let part = queue.next(PIECE_BYTES); part !== undefined; part = queue.next(PIECE_BYTES))
    parts.push(part);
  return Buffer.concat(parts);
}

function streamOf(messages: readonly Sent[]): Buffer {
  const queue = new SendQueue();
  for (const { kind, payload } of messages) assert.ok(queue.offer(FRAME_KINDS[kind], payload).accepted);
  return drained(queue);
}

/** Reads a stream that arrives in chunks. */
function readAll(chunks: Iterable<Uint8Array>, wants: (spec: FrameSpec) => boolean = () => true): Sent[] {
  const got: Sent[] = [];
  const reader = new FrameReader({
    begin: (spec) => wants(spec),
    message: ({ kind }, payload) => got.push({ kind, payload: new Uint8Array(payload) }),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return got;
}

/** Cuts bytes into chunks of the given sizes, repeatedly. */
function* cut(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** Messages in sending order: the most urgent class first. */
function byClass(messages: readonly Sent[]): Sent[] {
  return FRAME_CLASSES.flatMap((name) => messages.filter(({ kind }) => FRAME_KINDS[kind].class === name));
}

const anyKind = fc.constantFrom(...(Object.keys(FRAME_KINDS) as FrameKind[]));

const anyMessage: fc.Arbitrary<Sent> = anyKind.chain((kind) => {
  const most = Math.min(FRAME_KINDS[kind].maxBytes, 3 * PIECE_BYTES);
  const edges = [PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 2 * PIECE_BYTES].filter(
    (size) => size <= most,
  );
  return fc
    .oneof({ weight: 6, arbitrary: fc.nat(Math.min(most, 300)) }, fc.constantFrom(most, ...edges))
    .map((size) => ({ kind, payload: Uint8Array.from({ length: size }, (_, i) => (i * 31 + size) & 0xff) }));
});

const anyCut = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 100, max: 70_000 })), {
  minLength: 1,
  maxLength: 8,
});

describe('frames', () => {
  test('the same messages come out however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 12 }), anyCut, (messages, sizes) => {
        const stream = streamOf(messages);
        assert.deepEqual(readAll(cut(stream, sizes)), readAll([stream]));
      }),
      { numRuns: sweep(20) },
    );
  });

  test('messages of a class arrive in order and whole', () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 12 }), (messages) => {
        assert.deepEqual(byClass(readAll([streamOf(messages)])), byClass(messages));
      }),
      { numRuns: sweep(20) },
    );
  });

  test('unwanted messages are skipped, and nothing else is lost', () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 12 }), anyKind, anyCut, (messages, unwanted, sizes) => {
        const got = readAll(cut(streamOf(messages), sizes), ({ kind }) => kind !== unwanted);
        assert.deepEqual(byClass(got), byClass(messages.filter(({ kind }) => kind !== unwanted)));
      }),
      { numRuns: sweep(10) },
    );
  });

  test('any bytes are read or refused as a fault of the peer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(5), (bytes, number) => {
        // Half of the inputs begin with the header of an existing kind.
        if (number < 3 && bytes.length > HEADER_BYTES) bytes.set([bytes.length % 7, 0, 0, 0, number], 0);
        try {
          readAll([bytes]);
        } catch (error) {
          assert.ok(error instanceof PeerFault, String(error));
        }
      }),
      { numRuns: sweep(200) },
    );
  });

  for (const kind of Object.keys(FRAME_KINDS) as FrameKind[]) {
    test(`${kind}: values of its type pass through, and fit its limits`, () => {
      const { codec, maxBytes, number, rate } = FRAME_KINDS[kind];
      assert.equal(FRAME_NUMBERS.get(number)?.kind, kind);
      assert.ok(rate.framesPerSecond > 0 && rate.bytesPerSecond > 0);
      fc.assert(
        fc.property(arbitraryOf(meshManifest, TYPES[kind]), (value) => {
          const payload = codec.encode(value as never);
          assert.ok(payload.length <= maxBytes, `${payload.length} bytes`);
          const [got] = readAll([streamOf([{ kind, payload }])]);
          assert.deepEqual(codec.decode(got?.payload ?? new Uint8Array(0)), codec.decode(payload));
        }),
        { numRuns: sweep(3) },
      );
    });
  }

  test('a length above the kind’s limit is refused before anything is buffered', () => {
    for (const [number, spec] of FRAME_NUMBERS) {
      const header = Buffer.alloc(HEADER_BYTES);
      header.writeUInt32LE(Math.min(spec.maxBytes, PIECE_BYTES) + 1, 0);
      header.writeUInt8(number, 4);
      assert.throws(() => readAll([header]), { code: 'too_large' }, spec.kind);
    }
  });
});

describe('pieces of large messages', () => {
  const LARGE = 1;
  const PIECE = 2;
  const block = FRAME_KINDS.block;

  function frame(number: number, payload: Uint8Array): Buffer {
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(payload.length, 0);
    header.writeUInt8(number, 4);
    return Buffer.concat([header, payload]);
  }

  function announced(number: number, bytes: number): Buffer {
    const payload = Buffer.alloc(5);
    payload.writeUInt8(number, 0);
    payload.writeUInt32LE(bytes, 1);
    return frame(LARGE, payload);
  }

  const fullPiece = frame(PIECE, Buffer.concat([Buffer.of(block.number), Buffer.alloc(PIECE_BYTES)]));

  for (const [what, code, stream] of [
    ['an announcement above the limit', 'too_large', announced(block.number, block.maxBytes + 1)],
    ['an announcement of 4 GiB', 'too_large', announced(block.number, 0xffff_ffff)],
    ['an announcement of what needs no pieces', 'bad_frame', announced(block.number, PIECE_BYTES)],
    ['an announcement of an unknown kind', 'bad_frame', announced(99, 100_000)],
    ['an announcement that is too long', 'too_large', frame(LARGE, Buffer.alloc(6))],
    ['an announcement that is too short', 'bad_frame', frame(LARGE, Buffer.alloc(4))],
    ['an announcement of a piece', 'bad_frame', announced(PIECE, 100_000)],
    [
      'a second one of a class before the first has ended',
      'bad_frame',
      Buffer.concat([announced(block.number, 100_000), announced(FRAME_KINDS.proposal.number, 100_000)]),
    ],
    ['a piece of nothing', 'bad_frame', fullPiece],
    ['an empty piece', 'bad_frame', frame(PIECE, Buffer.alloc(0))],
    [
      'a piece of one byte',
      'bad_frame',
      Buffer.concat([announced(block.number, 100_000), frame(PIECE, Buffer.of(block.number, 1))]),
    ],
    [
      'a last piece that is too long',
      'bad_frame',
      Buffer.concat([announced(block.number, 100_000), fullPiece, fullPiece]),
    ],
    [
      'a piece of another kind',
      'bad_frame',
      Buffer.concat([
        announced(block.number, 100_000),
        frame(PIECE, Buffer.concat([Buffer.of(FRAME_KINDS.proposal.number), Buffer.alloc(PIECE_BYTES)])),
      ]),
    ],
  ] as const) {
    test(`${what}: ${code}`, () => {
      assert.throws(() => readAll([stream]), { name: 'PeerFault', code });
    });
  }
});
