import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { AccessRecorder } from '../../src/execution/access-recorder.js';
import { ContractHost } from '../../src/execution/contract-host.js';
import { executeTransaction } from '../../src/execution/execute-transaction.js';
import { WorldState } from '../../src/execution/world-state.js';
import { codeGas, GAS, machineCodeGas } from '../../src/ledger/gas.js';
import { EngineRegistry } from '../../src/vm/engine-registry.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { BlockWorld, hexOf, numbered, testBlockHash, unsigned } from '../support/worlds/block-world.js';
import { EvmWorld, evmDeployment, SENDER } from '../support/worlds/evm-world.js';
import { initOf, push, TinyEngine, tiny, when, wordOf } from '../support/worlds/tiny-engine.js';

/** Adds one to slot 0. */
const COUNT = tiny(0n, 'sload', 1n, 'add', 0n, 'sstore');
const COUNTER = tiny(COUNT, 'stop');
const SOMEBODY = numbered(77);
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${hexOf(bytes)}`);

/** Calls a contract with a value and the word `input` as its input; leaves 1 or 0 on the stack. */
const callOf = (to: Uint8Array, value = 0n) => tiny('input', value, push(to), 'call');

describe('with an engine for another kind of code', () => {
  let world: EvmWorld;
  beforeEach(async () => {
    world = await EvmWorld.open();
  });

  test('the code that init code returns is deployed, after the writes of init code', () => {
    const runtime = tiny(5n, 'sload', 'return');
    const init = initOf(runtime, 'value', 5n, 'sstore');
    const at = world.deploy(init, 9n);
    const record = world.contract(at);
    assert.deepEqual(record?.vm, { type: 'evm' });
    assert.equal(record?.code_size, runtime.length);
    assert.deepEqual(Buffer.from(record?.code_hash ?? []), Buffer.from(world.chain.crypto.sha256(runtime)));
    assert.equal(world.balance(at), 9n);
    assert.equal(world.word(at), 9n);
    const kept = [...world.chain.state.allCode()].map(({ bytes }) => hexOf(bytes));
    assert.deepEqual(kept, [hexOf(runtime)], 'the init code is stored nowhere');
  });

  test('a deployment has no output, and pays for init code and what it returns', () => {
    const runtime = COUNTER;
    const init = initOf(runtime);
    const small = world.try(evmDeployment(init));
    assert.equal(small.receipt.output.length, 0);
    const longer = tiny(runtime, new Uint8Array(100));
    const large = world.try(evmDeployment(initOf(longer)));
    const cost = (code: Uint8Array, bytes: bigint) =>
      bytes * BigInt(code.length) + machineCodeGas(code.length * 4);
    const payload =
      codeGas({ code: initOf(longer) }) -
      codeGas({ code: init }) +
      machineCodeGas(400) +
      cost(longer, GAS.code_byte) -
      cost(runtime, GAS.code_byte);
    const difference = large.receipt.gas_used - small.receipt.gas_used;
    assert.equal(difference, payload + 100n * GAS.payload_byte);
  });

  test('a deployment that cannot pay for the code it returned leaves nothing', () => {
    const init = initOf(COUNTER, 1n, 1n, 'sstore');
    const { receipt } = world.try(evmDeployment(init));
    const { receipt: poor, block } = world.try(evmDeployment(init), receipt.gas_used - 1n);
    assert.equal(poor.outcome.type, 'out_of_gas');
    assert.equal(poor.gas_used, receipt.gas_used - 1n);
    assert.deepEqual(block.codes, []);
    assert.equal(world.contract(world.made(SENDER, 1n)), undefined);
    assert.equal(world.slot(world.made(SENDER, 1n), 1n), 0n);
  });

  test('code refused by its rules is invalid, whether given or returned by init code', () => {
    const given = world.try(evmDeployment(Buffer.of(0xef)));
    assert.equal(given.receipt.outcome.type, 'invalid');
    const returned = world.try(evmDeployment(initOf(Buffer.of(0xef), 1n, 1n, 'sstore')));
    assert.equal(returned.receipt.outcome.type, 'invalid');
    assert.match(returned.details.message ?? '', /returned is refused: .*0xef/);
    const long = world.try(evmDeployment(initOf(new Uint8Array(1_025))));
    assert.match(long.details.message ?? '', /at most 1024 bytes, got 1025/);
    assert.equal(world.slot(world.made(SENDER, 1n), 1n), 0n);
    assert.equal(world.chain.state.account(hexOf(SENDER)).record.deploy_index, 0n);
  });

  test('while init code runs there is no contract at its address', () => {
    const init = initOf(
      COUNTER,
      'self',
      'codeSize',
      0n,
      'sstore',
      3n,
      push(wordOf(0n)),
      'self',
      'call',
      1n,
      'sstore',
    );
    const at = world.deploy(init);
    assert.equal(world.slot(at, 0n), 0n);
    assert.equal(world.slot(at, 1n), 1n, 'a call of itself finds a plain account');
  });

  test('a delegate call uses the storage, caller and value of the delegating contract', () => {
    const library = world.deploy(
      initOf(tiny('caller', 1n, 'sstore', 'value', 2n, 'sstore', 'self', 3n, 'sstore', 'input', 'return')),
    );
    const proxy = world.deploy(
      initOf(tiny('input', push(library), 'delegate', 4n, 'sstore', 'returned', 'return')),
    );
    const { receipt, block } = world.call(proxy, { input: 41n, value: 6n });
    assert.equal(receipt.outcome.type, 'success');
    assert.equal(numberOf(receipt.output), 41n);
    assert.deepEqual(
      [1n, 2n, 3n, 4n].map((slot) => world.slot(proxy, slot)),
      [numberOf(SENDER), 6n, numberOf(proxy), 1n],
    );
    assert.equal(world.slot(library, 1n), 0n);
    assert.deepEqual([world.balance(proxy), world.balance(library)], [6n, 0n], 'the value moved once');
    assert.deepEqual([...block.contractTransactions.keys()].sort(), [hexOf(proxy), hexOf(library)].sort());
  });

  test('a reverted delegate call leaves the storage of the delegating contract unchanged', () => {
    const library = world.deploy(initOf(tiny(9n, 1n, 'sstore', 8n, 'log', 7n, 'revert')));
    const proxy = world.deploy(
      initOf(tiny(5n, 1n, 'sstore', 0n, push(library), 'delegate', 'returned', 'add', 'return')),
    );
    const { receipt } = world.call(proxy);
    assert.equal(numberOf(receipt.output), 7n, 'no success, and the data of the revert');
    assert.equal(world.slot(proxy, 1n), 5n);
    assert.deepEqual(receipt.logs, []);
  });

  test('a contract created inside a call, with value, can be called at once', () => {
    const child = initOf(COUNTER, 'value', 9n, 'sstore', 'caller', 8n, 'sstore');
    const factory = world.deploy(
      initOf(tiny(4n, ['create', child], 0n, 'sstore', 0n, 0n, 0n, 'sload', 'call', 'return')),
    );
    const { receipt, block } = world.call(factory, { value: 10n });
    assert.equal(numberOf(receipt.output), 1n);
    const made = world.made(factory);
    assert.equal(world.slot(factory, 0n), numberOf(made));
    assert.equal(world.slot(made, 0n), 1n);
    assert.deepEqual([world.slot(made, 9n), world.slot(made, 8n)], [4n, numberOf(factory)]);
    assert.deepEqual([world.balance(factory), world.balance(made)], [6n, 4n]);
    assert.deepEqual(Buffer.from(world.contract(made)?.deployer ?? []), Buffer.from(factory));
    assert.ok(block.contractTransactions.has(hexOf(made)));
    world.call(factory, { value: 4n });
    assert.equal(world.slot(world.made(factory, 1n), 0n), 1n, 'the next has an address of its own');
  });

  test('a failed creation uses up only its deployment index and reports the reason', () => {
    const reverting = tiny(1n, 1n, 'sstore', 3n, 'log', 66n, 'revert');
    const factory = world.deploy(
      initOf(
        tiny(
          tiny(2n, ['create', reverting], 0n, 'sstore', 'returned', 1n, 'sstore'),
          tiny(0n, ['create', initOf(Buffer.of(0xef))], 2n, 'sstore'),
          tiny(1_000n, ['create', initOf(COUNTER)], 3n, 'sstore'),
          tiny(0n, ['create', initOf(COUNTER)], 4n, 'sstore', 'stop'),
        ),
      ),
    );
    const { receipt, block } = world.call(factory, { value: 5n });
    assert.equal(receipt.outcome.type, 'success');
    const slots = [0n, 1n, 2n, 3n, 4n].map((slot) => world.slot(factory, slot));
    // The third creation cannot send its value, so it uses no deployment index.
    assert.deepEqual(slots, [0n, 66n, 0n, 0n, numberOf(world.made(factory, 2n))]);
    assert.deepEqual(receipt.logs, []);
    assert.equal(world.balance(factory), 5n);
    assert.equal(world.slot(world.made(factory), 1n), 0n);
    assert.equal(world.contract(world.made(factory)), undefined);
    assert.deepEqual(
      block.codes.map(({ bytes }) => hexOf(bytes)),
      [hexOf(COUNTER)],
    );
    assert.equal(world.chain.state.account(hexOf(factory)).record.deploy_index, 3n);
  });

  test('an address chosen by the engine can be used once; the second use costs all gas', () => {
    const place = numbered(500);
    const factory = world.deploy(
      initOf(tiny(0n, push(place), ['createAt', initOf(COUNTER)], 0n, 'sstore', 0n, 'sload', 'return')),
    );
    assert.equal(world.word(factory), numberOf(place));
    const { receipt } = world.call(factory);
    assert.equal(numberOf(receipt.output), 0n);
    assert.ok(receipt.gas_used > 9_000_000n);
  });

  test('a call to a plain account transfers value and succeeds with empty output', () => {
    const payer = world.deploy(initOf(tiny(callOf(SOMEBODY, 3n), 'returned', 'add', 'return')));
    assert.equal(numberOf(world.call(payer, { value: 5n }).receipt.output), 1n);
    assert.deepEqual([world.balance(payer), world.balance(SOMEBODY)], [2n, 3n]);
    assert.equal(numberOf(world.call(payer).receipt.output), 0n, 'two are not enough for three');
    assert.deepEqual([world.balance(payer), world.balance(SOMEBODY)], [2n, 3n]);
  });

  test('an inner revert undoes writes, transfers, creations, events and code', () => {
    const inner = world.deploy(
      initOf(
        tiny(
          7n,
          1n,
          'sstore',
          2n,
          'log',
          callOf(SOMEBODY, 2n),
          1n,
          ['create', initOf(tiny(COUNT, 9n, 'return'))],
          5n,
          'revert',
        ),
      ),
    );
    const outer = world.deploy(
      initOf(tiny(8n, 'log', callOf(inner, 4n), 0n, 'sstore', 'returned', 1n, 'sstore', 'stop')),
    );
    const { receipt, block } = world.call(outer, { value: 4n });
    assert.equal(receipt.outcome.type, 'success');
    assert.deepEqual([world.slot(outer, 0n), world.slot(outer, 1n)], [0n, 5n]);
    assert.equal(world.slot(inner, 1n), 0n);
    assert.deepEqual([world.balance(outer), world.balance(inner), world.balance(SOMEBODY)], [4n, 0n, 0n]);
    assert.equal(receipt.logs.length, 1);
    assert.deepEqual(block.codes, []);
    assert.equal(world.contract(world.made(inner)), undefined);
    assert.equal(world.chain.state.account(hexOf(inner)).record.deploy_index, 0n);
  });

  test('block fields are visible to code', () => {
    const facts = world.deploy(
      initOf(
        tiny(
          tiny(
            'baseFee',
            0n,
            'sstore',
            'gasLimit',
            1n,
            'sstore',
            'proposer',
            2n,
            'sstore',
            'height',
            3n,
            'sstore',
          ),
          tiny('input', 'blockHash', 'return'),
        ),
      ),
    );
    world.chain.height = 1_000n;
    const env = world.chain.env();
    assert.equal(world.word(facts, 999n), numberOf(testBlockHash(world.chain.crypto, 999n)));
    assert.deepEqual(
      [0n, 1n, 2n, 3n].map((slot) => world.slot(facts, slot)),
      [env.baseFee, env.gasLimit, BigInt(`0x${env.proposer}`), 1_000n],
    );
    world.chain.height = 1_000n;
    assert.equal(world.word(facts, 1_000n), 0n, 'a block does not know its own hash');
    world.chain.height = 1_000n;
    assert.equal(world.word(facts, 744n), numberOf(testBlockHash(world.chain.crypto, 744n)));
    world.chain.height = 1_000n;
    assert.equal(world.word(facts, 743n), 0n, 'nor those of more than 256 before it');
  });

  test('ancestor hashes of uncommitted blocks take precedence over committed ones', () => {
    const { chain } = world;
    const hashes = [numbered(1), numbered(2)].map((half) => Buffer.concat([half, new Uint8Array(12)]));
    const { block } = new ContractHost({
      state: new WorldState(chain.state),
      env: { ...chain.env(), height: 10n, pendingHashes: hashes },
      machine: chain.machine,
    });
    assert.deepEqual([block.hashOf(9n), block.hashOf(8n)], hashes);
    assert.deepEqual(block.hashOf(7n), testBlockHash(chain.crypto, 7n));
    assert.equal(block.hashOf(-1n), undefined);
  });

  test('code of any kind of contract is readable by size, hash and content', () => {
    const wasm = assemble({ memory: [1], functions: [{ name: 'invoke', type: '>i', code: 'i32.const 0' }] });
    const other = world.chain.deploy(SENDER, wasm);
    const probe = (of: Uint8Array) =>
      tiny(
        push(of),
        'codeSize',
        0n,
        'sstore',
        push(of),
        'codeHash',
        1n,
        'sstore',
        push(of),
        1n,
        'codeByte',
        2n,
        'sstore',
        'stop',
      );
    const probes = [other, SOMEBODY].map((of) => world.deploy(initOf(probe(of))));
    const seen = probes.map((at) => {
      world.call(at);
      return [0n, 1n, 2n].map((slot) => world.slot(at, slot));
    });
    const hash = numberOf(world.chain.crypto.sha256(wasm));
    assert.deepEqual(seen, [
      [BigInt(wasm.length), hash, BigInt(wasm[1] ?? 0)],
      [0n, 0n, 0n],
    ]);
  });

  test('contracts of both kinds call each other', () => {
    const counter = world.deploy(initOf(COUNTER));
    const caller = assemble({
      imports: ['call'],
      memory: [1],
      data: [{ at: 0, bytes: counter }],
      functions: [
        {
          name: 'invoke',
          type: '>i',
          code: 'i32.const 0; i32.const 32; i64.const -1; i32.const 0; i32.const 0; call call',
        },
      ],
    });
    const wasm = world.chain.deploy(SENDER, caller);
    const both = world.deploy(initOf(tiny(callOf(wasm), 'return')));
    assert.equal(world.word(both), 1n);
    assert.equal(world.slot(counter, 0n), 1n);
  });

  test('a view neither writes nor creates, at any depth', () => {
    const writer = world.deploy(
      initOf(tiny('input', when(0n, ['create', initOf(COUNTER)]), 1n, 1n, 'sstore', 'stop')),
    );
    const { chain } = world;
    for (const input of [0n, 1n]) {
      const { machine } = chain;
      const host = new ContractHost({ state: new WorldState(chain.state), env: chain.env(), machine });
      const outcome = host.call({
        purpose: 'call',
        contract: writer,
        caller: SENDER,
        origin: SENDER,
        value: 0n,
        input: wordOf(input),
        gas: 1_000_000n,
        isView: true,
        depth: 0,
      });
      assert.equal(outcome?.trap?.kind, 'view_violation');
    }
  });
});

test('a chain without the engine refuses the deployment', async () => {
  const world = await BlockWorld.open();
  world.state.fund(SENDER, 10n ** 20n);
  const transaction = unsigned(world.crypto, SENDER, 0n, evmDeployment(initOf(COUNTER)));
  const [outcome] = world.serially({ transactions: [transaction], bundles: [] }).storedReceipts;
  assert.match(Buffer.from(outcome ?? []).toString('latin1'), /vm evm: this chain has no such engine yet/);
});

test('a registry refuses two engines with indistinguishable prepared code', () => {
  assert.throws(() => new EngineRegistry({ wasm: new TinyEngine(), evm: new TinyEngine() }), /77, 77/);
});

describe('the accesses of a transaction are recorded', () => {
  let world: EvmWorld;
  before(async () => {
    world = await EvmWorld.open();
  });

  function recorded(
    contract: Uint8Array,
    value = 0n,
  ): { readonly recorder: AccessRecorder; readonly state: WorldState } {
    const { chain } = world;
    const recorder = new AccessRecorder();
    const state = new WorldState(chain.state, recorder);
    const { signed } = unsigned(chain.crypto, SENDER, chain.nonce(SENDER), {
      type: 'call',
      value: { contract, input: wordOf(0n), value },
    });
    state.begin(3);
    const { outcome } = executeTransaction(signed.transaction, hexOf(SENDER), {
      state,
      env: chain.env(),
      machine: chain.machine,
    });
    assert.equal(outcome, 'success');
    return { recorder, state };
  }

  const slotName = (contract: Uint8Array, slot: bigint) =>
    Buffer.concat([contract, wordOf(slot)]).toString('latin1');

  test('for a delegate call: the slots of the delegating contract and the code that runs', () => {
    const library = world.deploy(initOf(COUNTER));
    const proxy = world.deploy(initOf(tiny(0n, push(library), 'delegate', 'stop')));
    const { recorder } = recorded(proxy);
    assert.deepEqual([...recorder.slotReads.keys()], [slotName(proxy, 0n)]);
    assert.deepEqual([...recorder.slotWrites], [slotName(proxy, 0n)]);
    assert.deepEqual([...recorder.contractReads.keys()].sort(), [hexOf(proxy), hexOf(library)].sort());
  });

  test('for a code read: the contract; for a payment: balance bounds', () => {
    const library = world.deploy(initOf(COUNTER));
    const looker = world.deploy(initOf(tiny(push(library), 'codeSize', callOf(SOMEBODY, 2n), 'stop')));
    const { recorder } = recorded(looker, 2n);
    const reads = [hexOf(looker), hexOf(library), hexOf(SOMEBODY)];
    assert.deepEqual([...recorder.contractReads.keys()].sort(), reads.sort());
    const access = recorder.balances.get(hexOf(looker));
    assert.deepEqual([access?.start, access?.low, access?.high], [0n, 0n, undefined]);
    assert.equal(recorder.balances.get(hexOf(SOMEBODY))?.low, undefined);
  });

  test('for a creation: the contract, the deployment count of its creator, and its code unless reverted', () => {
    const good = world.deploy(initOf(tiny(0n, ['create', initOf(COUNTER)], 'stop')));
    const made = recorded(good);
    assert.deepEqual([...made.recorder.contractWrites], [hexOf(world.made(good))]);
    assert.deepEqual([...made.recorder.deployIndexes], [[hexOf(good), 0n]]);
    assert.equal(made.state.peekAccount(hexOf(good)).deploy_index, 1n);
    assert.equal(made.recorder.codes.length, 1);
    const inner = world.deploy(initOf(tiny(0n, ['create', initOf(COUNTER)], 1n, 'revert')));
    const outer = world.deploy(initOf(tiny(callOf(inner), 'stop')));
    const undone = recorded(outer);
    assert.deepEqual(undone.recorder.codes, []);
    assert.equal(undone.state.contractWriter(hexOf(world.made(inner))), -1);
    assert.equal(undone.state.peekAccount(hexOf(inner)).deploy_index, 0n);
  });
});
