import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { NonceAllocator } from '../../src/client/nonce-allocator.js';
import { DEFAULT_RETRY, retryDelayMs } from '../../src/client/retry.js';
import { RpcCallError } from '../../src/client/rpc-call-error.js';

describe('the nonce allocator of a lane', () => {
  it('allocates the lowest unused run without a gap, which later allocations skip', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 40 })),
        fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 8 }),
        (waiting, counts) => {
          const lane = new NonceAllocator();
          lane.reset(0n, waiting.map(BigInt));
          const used = new Set(waiting.map(BigInt));
          for (const count of counts) {
            const runFrom = (start: bigint) => Array.from({ length: count }, (_, i) => start + BigInt(i));
            let start = 0n;
            while (runFrom(start).some((nonce) => used.has(nonce))) start += 1n;
            assert.deepEqual(lane.allocateRun(count), runFrom(start));
            for (const nonce of runFrom(start)) used.add(nonce);
          }
          let expected = 0n;
          while (used.has(expected)) expected += 1n;
          assert.equal(lane.allocate(), expected);
        },
      ),
    );
  });

  it('always allocates the lowest unused nonce', () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.constant({ do: 'take' as const }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const), which: fc.nat() }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('give back' as const), which: fc.nat() }) },
    );
    fc.assert(
      fc.property(
        fc.nat({ max: 50 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 80 })),
        fc.array(step, { maxLength: 100 }),
        (next, waiting, steps) => {
          const lane = new NonceAllocator();
          lane.reset(BigInt(next), waiting.map(BigInt));
          const used = new Set(waiting.map(BigInt));
          const open: bigint[] = [];
          for (const action of steps) {
            if (action.do === 'take') {
              let expected = BigInt(next);
              while (used.has(expected)) expected += 1n;
              assert.equal(lane.allocate(), expected);
              used.add(expected);
              open.push(expected);
            } else if (open.length > 0) {
              const [nonce] = open.splice(action.which % open.length, 1);
              assert.ok(nonce !== undefined);
              if (action.do === 'settle') lane.settle(nonce);
              else {
                lane.release(nonce);
                used.delete(nonce);
              }
            }
          }
        },
      ),
    );
  });

  it('keeps nonces in flight across a reset', () => {
    const lane = new NonceAllocator();
    lane.reset(0n, []);
    const taken = [lane.allocate(), lane.allocate(), lane.allocate()];
    lane.settle(0n);
    lane.reset(1n, []);
    assert.deepEqual(taken, [0n, 1n, 2n]);
    assert.equal(lane.allocate(), 3n);
    lane.release(1n);
    assert.equal(lane.allocate(), 1n);
  });

  it('keeps the nonces of sends that an older answer does not know', () => {
    const lane = new NonceAllocator();
    lane.reset(0n, []);
    lane.allocate();
    lane.prepareReset();
    lane.allocate();
    lane.settle(0n);
    lane.settle(1n);
    lane.reset(0n, []);
    assert.equal(lane.allocate(), 2n);
  });

  it('leaves it to the node whether a nonce in doubt is used', () => {
    const lane = new NonceAllocator();
    lane.reset(0n, []);
    lane.allocate();
    lane.allocate();
    lane.markUnknown(0n);
    lane.markUnknown(1n);
    lane.prepareReset();
    lane.reset(0n, [0n]);
    assert.equal(lane.allocate(), 1n);
  });

  it('allocates a nonce only once, even if it was released twice', () => {
    const lane = new NonceAllocator();
    lane.reset(0n, []);
    lane.allocate();
    lane.release(0n);
    lane.release(0n);
    assert.deepEqual([lane.allocate(), lane.allocate()], [0n, 1n]);
  });
});

describe('pauses between retries', () => {
  it('have a bound that doubles up to a limit, and are never shorter than the node asks', () => {
    const busy = new RpcCallError('status', { code: 0, message: 'busy', data: { retry_after_ms: 5_000 } });
    fc.assert(
      fc.property(fc.nat({ max: 40 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (attempt, random) => {
        const pause = retryDelayMs(DEFAULT_RETRY, attempt, random, undefined);
        assert.ok(pause >= 0 && pause <= Math.min(3_000, 100 * 2 ** attempt));
        assert.ok(retryDelayMs(DEFAULT_RETRY, attempt, random, busy) >= 5_000);
      }),
    );
  });
});
