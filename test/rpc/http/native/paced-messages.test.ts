import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MessageSocket, PacedMessages } from '../../../../src/rpc/http/native/paced-messages.js';

const PIECE = 32 * 1024;

/** A socket of the library whose system takes bytes only when the test says so. */
function slowSocket() {
  const messages: string[] = [];
  let fragments = '';
  let buffered = 0;
  let largest = 0;
  const take = (piece: string | Uint8Array): string => {
    buffered += Buffer.byteLength(piece);
    largest = Math.max(largest, buffered);
    return typeof piece === 'string' ? piece : Buffer.from(piece).toString('latin1');
  };
  const socket: MessageSocket = {
    send: (message) => messages.push(take(message)),
    sendFirstFragment(piece) {
      assert.equal(fragments, '');
      fragments = take(piece);
      return 0;
    },
    sendFragment(piece) {
      fragments += take(piece);
      return 0;
    },
    sendLastFragment(piece) {
      messages.push(fragments + take(piece));
      fragments = '';
      return 0;
    },
    getBufferedAmount: () => buffered,
  };
  const drain = (): void => {
    buffered = 0;
  };
  return { socket, messages, drain, largest: () => largest };
}

test('messages keep their order and content, and the library gets one piece at a time', () => {
  const { socket, messages, drain, largest } = slowSocket();
  const paced = new PacedMessages(socket);
  const sent = ['a', 'b'.repeat(PIECE), '', 'c'.repeat(PIECE + 1), 'd'.repeat(3 * PIECE), 'e', '', 'f'];
  for (const [i, message] of sent.entries()) paced.send(i % 2 === 0 ? message : Buffer.from(message));
  const total = sent.join('').length;
  assert.equal(paced.unsentBytes, total);
  assert.ok(paced.heldBytes > total);
  for (let left = total; left > 0; ) {
    drain();
    paced.flush();
    assert.ok(paced.unsentBytes < left);
    left = paced.unsentBytes;
  }
  assert.deepEqual(messages, sent);
  assert.ok(largest() <= PIECE, `${largest()}`);
  assert.equal(paced.heldBytes, 0);
});

test('nothing is sent after the end', () => {
  const { socket, messages, drain } = slowSocket();
  const paced = new PacedMessages(socket);
  paced.send('a');
  paced.send('b');
  paced.end();
  drain();
  paced.flush();
  paced.send('c');
  assert.deepEqual(messages, ['a']);
  assert.deepEqual([paced.unsentBytes, paced.heldBytes], [0, 0]);
});
