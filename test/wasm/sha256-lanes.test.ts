import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { BLOCK_BYTES, createSha256Lanes, LANES } from '../../src/wasm/hashes/sha256-lanes.js';

const PADDING_BYTES = 9;
const MEMORY_BYTES = 65_536;
const OUTPUT = 49_152;

test('messages hashed in parallel lanes match Node, whatever the other lanes hold', () => {
  const lanes = createSha256Lanes(MEMORY_BYTES);
  const memory = new Uint8Array(lanes.memory);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }).chain((blocks) =>
        fc.record({
          blocks: fc.constant(blocks),
          messages: fc.array(
            fc.uint8Array({
              minLength: Math.max(0, (blocks - 1) * BLOCK_BYTES - PADDING_BYTES + 1),
              maxLength: blocks * BLOCK_BYTES - PADDING_BYTES,
            }),
            { minLength: 1, maxLength: 5 * LANES },
          ),
        }),
      ),
      ({ blocks, messages }) => {
        memory.set(randomBytes(MEMORY_BYTES));
        for (const [index, message] of messages.entries()) {
          memory.set(padded(message, blocks), index * blocks * BLOCK_BYTES);
        }
        lanes.hash(0, blocks, OUTPUT, Math.ceil(messages.length / LANES));
        for (const [index, message] of messages.entries()) {
          const at = OUTPUT + 32 * index;
          const expected = createHash('sha256').update(message).digest('hex');
          assert.equal(Buffer.from(memory.subarray(at, at + 32)).toString('hex'), expected);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('hashing zero groups of messages changes nothing', () => {
  const lanes = createSha256Lanes(MEMORY_BYTES);
  lanes.hash(0, 1, OUTPUT, 0);
  assert.ok(new Uint8Array(lanes.memory).every((byte) => byte === 0));
});

/** FIPS 180-4, 5.1.1. */
function padded(message: Uint8Array, blocks: number): Uint8Array {
  const bytes = Buffer.alloc(blocks * BLOCK_BYTES);
  bytes.set(message);
  bytes[message.length] = 0x80;
  bytes.writeBigUInt64BE(BigInt(message.length) * 8n, bytes.length - 8);
  return bytes;
}
