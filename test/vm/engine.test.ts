import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { EngineError } from '../../src/vm/errors.js';
import { FRONT_INSTANCES, instanceShares } from '../../src/vm/thread-shares.js';
import { LIMITS, PAGE_BYTES } from '../../src/vm/wasm/engine-limits.js';
import { Host } from '../../src/vm/wasm/host-interface.js';
import { InstancePool } from '../../src/vm/wasm/instances.js';
import { ModuleCache } from '../../src/vm/wasm/module-cache.js';
import type { WasmProgram } from '../../src/vm/wasm/program.js';
import { WasmEngine } from '../../src/vm/wasm/wasm-engine.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { HOST_CRYPTO } from '../support/crypto/host-crypto.js';
import { address, VmWorld } from '../support/worlds/vm-world.js';

const engine = new WasmEngine({ crypto: HOST_CRYPTO });
const host = new Host(HOST_CRYPTO, LIMITS);

function code(tag: number, pages = 1): Uint8Array {
  return assemble({ memory: [pages], functions: [{ name: 'invoke', type: '>i', code: `i32.const ${tag}` }] });
}

function hashOf(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

function programIn(cache: ModuleCache, tag: number, pages = 1): WasmProgram {
  const bytes = code(tag, pages);
  return cache.load(hashOf(bytes), engine.validate(bytes).prepare(), 'plain');
}

test('prepared code is the same bytes every time', () => {
  assert.deepEqual(engine.validate(code(1)).prepare(), engine.validate(code(1)).prepare());
});

test('a program is found by its code hash, in the variant it was prepared in', () => {
  const bytes = code(2);
  const hash = hashOf(bytes);
  assert.equal(engine.find(hash), undefined);
  const plain = engine.load(hash, engine.validate(bytes).prepare());
  const observed = engine.load(hash, engine.validate(bytes).prepare('observed'), 'observed');
  assert.equal(engine.find(hash), plain);
  assert.equal(engine.find(hash, 'observed'), observed);
  assert.notEqual(plain, observed);
  assert.deepEqual([plain.variant, observed.variant], ['plain', 'observed']);
  assert.equal(plain.codeHash, Buffer.from(hash).toString('hex'));
});

test('code that is unprepared, or prepared differently, is not loaded', () => {
  const load = (source: Uint8Array, variant: 'plain' | 'observed' = 'plain') => {
    return () => engine.load(hashOf(Uint8Array.of(source.length)), source, variant);
  };
  const unusable = { name: EngineError.name, code: 'unusable_prepared_code' };
  assert.throws(load(code(3)), unusable);
  assert.throws(load(new Uint8Array(10)), unusable);
  assert.throws(load(engine.validate(code(3)).prepare(), 'observed'), unusable);
  const other = Buffer.from(engine.validate(code(3)).prepare());
  const version = other.indexOf('"version":') + '"version":'.length;
  other[version] = other[version] === 0x31 ? 0x32 : 0x31;
  assert.throws(load(other), unusable);
});

test('an instance is reused by the next call, and a second one is created while the first runs', () => {
  const pool = new InstancePool({
    imports: host.imports,
    maxIdleBytes: 1 << 30,
    maxIdlePerProgram: 4,
    maxInstances: 64,
  });
  const program = programIn(new ModuleCache(1 << 20, () => undefined), 4);
  const first = pool.acquire(program);
  const second = pool.acquire(program);
  assert.notEqual(first, second);
  pool.release(program, first);
  assert.equal(pool.acquire(program), first);
});

test('idle instances of one program are bounded', () => {
  const pool = new InstancePool({
    imports: host.imports,
    maxIdleBytes: 1 << 30,
    maxIdlePerProgram: 2,
    maxInstances: 64,
  });
  const program = programIn(new ModuleCache(1 << 20, () => undefined), 5);
  const instances = [1, 2, 3].map(() => pool.acquire(program));
  for (const instance of instances) {
    pool.release(program, instance);
  }
  assert.equal(program.idle.length, 2);
  assert.equal(pool.idleBytes, 2 * program.instanceBytes);
});

test('when idle instances hold too much memory, those of the least recently used program are evicted', () => {
  const cache = new ModuleCache(1 << 20, () => undefined);
  const pool = new InstancePool({
    imports: host.imports,
    maxIdleBytes: 70 * PAGE_BYTES,
    maxIdlePerProgram: 4,
    maxInstances: 64,
  });
  const [oldest, middle, latest] = [
    programIn(cache, 6, 30),
    programIn(cache, 7, 30),
    programIn(cache, 8, 30),
  ];
  for (const program of [oldest, middle]) {
    pool.release(program, pool.acquire(program));
  }
  // After another use, `oldest` is no longer the least recently used.
  pool.release(oldest, pool.acquire(oldest));
  pool.release(latest, pool.acquire(latest));
  assert.deepEqual(
    [oldest, middle, latest].map(({ idle }) => idle.length),
    [1, 0, 1],
  );
  assert.ok(pool.idleBytes <= 70 * PAGE_BYTES);
});

test('a program evicted while it runs keeps no instances', () => {
  const pool = new InstancePool({
    imports: host.imports,
    maxIdleBytes: 1 << 30,
    maxIdlePerProgram: 4,
    maxInstances: 64,
  });
  const program = programIn(new ModuleCache(1 << 20, () => undefined), 13);
  const [running, idle] = [pool.acquire(program), pool.acquire(program)];
  pool.release(program, idle);
  pool.retire(program);
  pool.release(program, running);
  assert.deepEqual([program.idle.length, pool.idleBytes], [0, 0]);
});

test('an instance larger than the pool limit is dropped', () => {
  const pool = new InstancePool({
    imports: host.imports,
    maxIdleBytes: PAGE_BYTES,
    maxIdlePerProgram: 4,
    maxInstances: 64,
  });
  const program = programIn(new ModuleCache(1 << 20, () => undefined), 9, 30);
  pool.release(program, pool.acquire(program));
  assert.deepEqual([program.idle.length, pool.idleBytes], [0, 0]);
});

test('beyond its capacity the cache evicts the least recently used program', () => {
  const evicted: WasmProgram[] = [];
  const { machineCode } = engine.validate(code(10));
  const cache = new ModuleCache(2 * machineCode, (program) => evicted.push(program));
  const first = programIn(cache, 10);
  const second = programIn(cache, 11);
  assert.equal(cache.find(hashOf(code(10)), 'plain'), first);
  programIn(cache, 12);
  assert.deepEqual(evicted, [second]);
  assert.equal(cache.find(hashOf(code(11)), 'plain'), undefined);
  assert.equal(cache.find(hashOf(code(10)), 'plain'), first);
});

test('gas is the same on a new instance, on a used one, and after eviction', () => {
  const bytes = assemble({
    imports: ['sha256', 'storage_write', 'input_read'],
    memory: [2],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        locals: 'i',
        code: `i32.const 0; i32.const 0; i32.const 32; call input_read; drop
          loop
            i32.const 0; i32.const 32; i32.const 0; call sha256
            local.get 0; i32.const 1; i32.add; local.tee 0; i32.const 10; i32.lt_u; br_if 0
          end
          i32.const 0; i32.const 0; i32.const 32; call storage_write
          i32.const 1; memory.grow; drop; i32.const 0`,
      },
    ],
  });
  const outcomes = [new VmWorld(HOST_CRYPTO), new VmWorld(HOST_CRYPTO)].flatMap((world) => {
    world.deploy(address(1), bytes);
    // Each uses its own slot, because a write's cost depends on the slot's previous value.
    return [1, 2, 3].map((run) => world.run(address(1), { input: new Uint8Array(32).fill(run) }));
  });
  for (const outcome of outcomes) {
    assert.deepEqual(outcome, outcomes[0]);
  }
});

test('the number of instances is limited: idle ones are evicted, running ones are not', () => {
  const cache = new ModuleCache(1 << 20, () => undefined);
  const maxInstances = 8;
  const pool = new InstancePool({
    imports: host.imports,
    maxIdleBytes: 1 << 30,
    maxIdlePerProgram: 8,
    maxInstances,
  });
  const [first, second] = [programIn(cache, 20), programIn(cache, 21)];
  const idle = Array.from({ length: maxInstances }, () => pool.acquire(first));
  for (const instance of idle) pool.release(first, instance);
  const running = Array.from({ length: maxInstances }, () => pool.acquire(second));
  assert.equal(first.idle.length, 0);
  assert.throws(() => pool.acquire(first), { name: EngineError.name, code: 'host_memory_exhausted' });
  for (const instance of running) pool.release(second, instance);
  for (let round = 0; round < 3 * maxInstances; round++) {
    pool.discard(pool.acquire(first));
  }
});

test('every thread has its share of the process limit on instances, and block threads enough for the deepest calls', () => {
  for (const workers of [1, 2, 7, 16, 127, 256]) {
    for (const blockWorkers of [1, 2, 8, 64, 96]) {
      for (const frontThreads of [0, 1, 16, 64]) {
        const { calls, blocks } = instanceShares(workers, blockWorkers, frontThreads);
        assert.ok(calls >= 1 && blocks > LIMITS.depth);
        const all = workers * calls + blockWorkers * blocks + frontThreads * FRONT_INSTANCES;
        assert.ok(all <= 11_000, `${all}`);
      }
    }
  }
});
