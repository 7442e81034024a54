import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PIECE_BYTES } from '../../src/network/frame-format.js';
import { FRAME_KINDS, type FrameKind } from '../../src/network/frame-kinds.js';
import { FrameReader } from '../../src/network/frame-reader.js';
import { type QueueBound, SendQueue } from '../../src/network/send-queue.js';

const BOUND: QueueBound = { frames: 4, bytes: 1_000, onOverflow: 'newest' };

function small(): SendQueue {
  return new SendQueue({
    control: { ...BOUND, onOverflow: 'close' },
    vote: { ...BOUND, onOverflow: 'close' },
    block: { frames: 4, bytes: 1_000_000, onOverflow: 'oldest' },
    sync: BOUND,
    gossip: { ...BOUND, onOverflow: 'oldest' },
  });
}

/** Records the output of a queue: each kind, with the first byte of the payload. */
class Receiver {
  readonly got: string[] = [];
  readonly #reader = new FrameReader({
    begin: () => true,
    message: ({ kind }, payload) => this.got.push(`${kind} ${payload[0]}`),
  });

  take(queue: SendQueue, parts: number = Number.POSITIVE_INFINITY): void {
    for (let i = 0; i < parts; i++) {
      const part = queue.next(PIECE_BYTES);
      if (part === undefined) return;
      this.#reader.push(part);
    }
  }
}

function offer(
  queue: SendQueue,
  kind: FrameKind,
  mark: number,
  bytes: number = 10,
): ReturnType<SendQueue['offer']> {
  return queue.offer(FRAME_KINDS[kind], new Uint8Array(bytes).fill(mark));
}

describe('the send queue of a peer', () => {
  test('sends by urgency, in order within a class', () => {
    const [queue, receiver] = [small(), new Receiver()];
    for (const kind of ['transactions', 'dealing', 'block', 'vote', 'ping'] as const) {
      offer(queue, kind, 1, 8);
      offer(queue, kind, 2, 8);
    }
    receiver.take(queue);
    assert.deepEqual(receiver.got, [
      'ping 1',
      'ping 2',
      'vote 1',
      'vote 2',
      'block 1',
      'block 2',
      'dealing 1',
      'dealing 2',
      'transactions 1',
      'transactions 2',
    ]);
    assert.equal(queue.bytes, 0);
  });

  test('sends a vote before the rest of a block, and the block arrives whole', () => {
    const [queue, receiver] = [small(), new Receiver()];
    offer(queue, 'proposal', 1, 10 * PIECE_BYTES);
    receiver.take(queue, 4);
    offer(queue, 'vote', 2);
    receiver.take(queue, 1);
    assert.deepEqual(receiver.got, ['vote 2']);
    receiver.take(queue);
    assert.deepEqual(receiver.got, ['vote 2', 'proposal 1']);
  });

  test('interleaves large messages of several classes', () => {
    const [queue, receiver] = [new SendQueue(), new Receiver()];
    offer(queue, 'transactions', 3, 5 * PIECE_BYTES);
    receiver.take(queue, 2);
    offer(queue, 'finalized', 2, 5 * PIECE_BYTES);
    receiver.take(queue, 2);
    offer(queue, 'block', 1, 5 * PIECE_BYTES);
    receiver.take(queue);
    assert.deepEqual(receiver.got, ['block 1', 'finalized 2', 'transactions 3']);
  });

  test('restarts a message in flight on a new connection', () => {
    const [queue, receiver] = [small(), new Receiver()];
    offer(queue, 'block', 1, 5 * PIECE_BYTES);
    offer(queue, 'block', 2);
    new Receiver().take(queue, 3);
    queue.rewind();
    assert.equal(queue.bytes, 5 * PIECE_BYTES + 10);
    receiver.take(queue);
    assert.deepEqual(receiver.got, ['block 1', 'block 2']);
    assert.equal(queue.bytes, 0);
  });

  test('ends the connection at too many votes', () => {
    const queue = small();
    for (let i = 0; i < 4; i++) assert.equal(offer(queue, 'vote', i).accepted, true);
    assert.deepEqual(offer(queue, 'vote', 4), { accepted: false, discarded: ['vote'], overflow: true });
  });

  test('discards the oldest gossip and blocks, by number and by bytes', () => {
    const [queue, receiver] = [small(), new Receiver()];
    for (let i = 0; i < 4; i++) offer(queue, 'transactions', i);
    assert.deepEqual(offer(queue, 'transactions', 4).discarded, ['transactions']);
    assert.deepEqual(offer(queue, 'transactions', 5, 975).discarded, ['transactions', 'transactions']);
    receiver.take(queue);
    assert.deepEqual(receiver.got, ['transactions 3', 'transactions 4', 'transactions 5']);
  });

  test('does not discard a block being sent for a newer one', () => {
    const [queue, receiver] = [small(), new Receiver()];
    for (let i = 0; i < 4; i++) offer(queue, 'block', i, 2 * PIECE_BYTES);
    receiver.take(queue, 1);
    for (let i = 4; i < 7; i++) offer(queue, 'block', i, 2 * PIECE_BYTES);
    receiver.take(queue);
    assert.deepEqual(receiver.got, ['block 0', 'block 3', 'block 4', 'block 5', 'block 6']);
  });

  test('refuses the newest of requested messages', () => {
    const queue = small();
    for (let i = 0; i < 4; i++) offer(queue, 'finalized', i);
    assert.deepEqual(offer(queue, 'finalized', 4), {
      accepted: false,
      discarded: ['finalized'],
      overflow: false,
    });
  });

  test('stays correct over many rounds of filling and emptying', () => {
    const [queue, receiver] = [new SendQueue(), new Receiver()];
    for (let i = 0; i < 2_000; i++) {
      for (let j = 0; j < 5; j++) offer(queue, 'vote', (i * 5 + j) % 256);
      receiver.take(queue, i % 3);
    }
    receiver.take(queue);
    assert.deepEqual(
      receiver.got,
      Array.from({ length: 10_000 }, (_, i) => `vote ${i % 256}`),
    );
    assert.equal(queue.bytes, 0);
  });
});
