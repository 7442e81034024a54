// The gas estimate matches the one found by runs with other limits, even when no such run was needed.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { executeTransaction } from '../../../src/execution/execute-transaction.js';
import { GasDependence } from '../../../src/execution/gas-dependence.js';
import { CallEnds, type EndedRun, estimateGas } from '../../../src/execution/simulation/gas-estimate.js';
import { simulateTransaction } from '../../../src/execution/simulation/simulate-transaction.js';
import { termsOf } from '../../../src/execution/simulation/what-if.js';
import type { StateSource } from '../../../src/execution/state-source.js';
import { WorldState } from '../../../src/execution/world-state.js';
import type { Action, Transaction } from '../../../src/generated/ledger.js';
import {
  addressAt,
  CONTRACTS,
  NOBODY,
  NOBODY_AT,
  placeOf,
  program,
  REPORT,
  SENDER,
  SENDER_AT,
  type Step,
  sends,
  stateWith,
} from '../../support/contracts/random-programs.js';
import { BlockWorld, hexOf } from '../../support/worlds/block-world.js';

/** Random actions; contracts are chosen by number. */
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({ contract: fc.nat(CONTRACTS), value: fc.constantFrom(0n, 0n, 1n, 10n ** 6n, 10n ** 30n) })
      .map(
        ({ contract, value }): Action => ({
          type: 'call',
          value: { contract: placeOf(contract), input: new Uint8Array(4), value },
        }),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.record({ contract: fc.nat(CONTRACTS - 1), value: fc.constantFrom(0n, 1n) }), {
        minLength: 1,
        maxLength: 3,
      })
      .map(
        (calls): Action => ({
          type: 'batch',
          value: calls.map(({ contract, value }) => ({
            contract: placeOf(contract),
            input: new Uint8Array(4),
            value,
          })),
        }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ to: fc.constantFrom(NOBODY, SENDER), amount: fc.constantFrom(0n, 1n, 10n ** 8n, 10n ** 30n) })
      .map((value): Action => ({ type: 'transfer', value })),
  },
);

describe('the estimate of gas', () => {
  let world: BlockWorld;
  before(async () => {
    world = await BlockWorld.open();
  });

  /** Compares two runs except for their fees. */
  function alike(a: EndedRun, b: EndedRun): boolean {
    const text = ({ outcome: { outcome, output, contract, logs, trap, fee }, state }: EndedRun): string =>
      JSON.stringify([
        outcome,
        trap?.message ?? '',
        outcome === 'success' ? textOfWrites(state, fee) : '',
        hexOf(output),
        contract ?? '',
        logs.map((log) => [hexOf(log.contract), log.topics.map(hexOf), hexOf(log.data)]),
      ]);
    return text(a) === text(b);
  }

  /** Compares how two runs end. */
  function endsAlike(a: EndedRun, b: EndedRun): boolean {
    const { ends } = b;
    assert.ok(ends !== undefined);
    return (
      a.outcome.outcome === b.outcome.outcome &&
      a.outcome.trap?.kind === b.outcome.trap?.kind &&
      a.outcome.logs.length === b.outcome.logs.length &&
      a.ends?.equals(ends) === true
    );
  }

  function textOfWrites(state: WorldState, fee: bigint): string {
    state.addBalance(hexOf(SENDER), fee);
    const writes = state.writes().map(({ key, value }) => hexOf(key) + hexOf(value ?? new Uint8Array(0)));
    state.addBalance(hexOf(SENDER), -fee);
    return writes.join();
  }

  test('is the same with and without a confirming run, sufficient and minimal', () => {
    const seen = { free: 0, bound: 0, fixed: 0, lowered: 0, more: 0, less: 0, boundTraps: 0 };
    fc.assert(
      fc.property(
        fc.array(program, { minLength: CONTRACTS, maxLength: CONTRACTS }),
        action,
        // The sender has plenty, or hardly more than the gas reserve, so that the remaining balance depends on the limit.
        fc.constantFrom(10n ** 20n, 3_000_000n * 10n + 500_000n, 3_000_000n * 10n, 1n),
        fc.constantFrom(3_000_000n, 3_000_000n, 400_000n, 60_000n),
        fc.constantFrom(10n, 10n, 0n),
        (programs, done, balance, limit, fee) => {
          const source = stateWith(world, programs, balance);
          const transaction: Transaction = {
            chain_id: 1n,
            sender: SENDER,
            lane: 0,
            nonce: 0n,
            gas_limit: limit,
            max_fee: fee,
            priority_fee: fee,
            action: done,
          };
          const given = { transaction, sender: hexOf(SENDER), isSigned: false, given: new Map() };
          const scene = { source, env: world.env(), machine: world.machine };
          const { gasEstimate } = simulateTransaction(given, scene);

          const terms = termsOf(given, new WorldState(source), scene.env, scene.env.gasLimit);
          assert.ok(typeof terms !== 'string');
          const run = (gas: bigint, gasDependence?: GasDependence): EndedRun => {
            const state = new WorldState(source);
            const ends = new CallEnds();
            const outcome = executeTransaction({ ...terms.transaction, gas_limit: gas }, given.sender, {
              state,
              env: terms.env,
              machine: world.machine,
              observer: ends.observer,
              ...(gasDependence === undefined ? {} : { gasDependence }),
            });
            return { outcome, state, ends };
          };
          const witness = new GasDependence();
          const first = run(limit, witness);
          const { sender } = given;
          assert.equal(gasEstimate, estimateGas({ sender, limit, ended: first, dependsOnLimit: true, run }));

          const { outcome: ended } = first;
          if (ended.outcome === 'out_of_gas') return;
          if (witness.isObserved && !alike(run(limit - 1n), first)) {
            // No lower limit has the same result.
            seen.fixed++;
            if (gasEstimate < limit) seen.lowered++;
            assert.ok(gasEstimate <= limit && endsAlike(run(gasEstimate), first), 'the estimate is enough');
            return;
          }
          assert.ok(alike(run(gasEstimate), first), 'the estimate is enough');
          seen[witness.isObserved ? 'bound' : 'free']++;
          if (gasEstimate > ended.gasUsed) seen.more++;
          if (gasEstimate < ended.gasUsed) seen.less++;
          if (ended.outcome === 'trapped' && witness.isObserved) seen.boundTraps++;
          assert.ok(!alike(run(gasEstimate - 1n), first), 'nothing less is enough');
          if (
            done.type === 'call' &&
            hexOf(done.value.contract) === hexOf(placeOf(0)) &&
            ended.outcome === 'success'
          ) {
            const [called = []] = programs;
            // All steps of the contract ran, so any step that depends on the limit was recorded.
            if (called.some((step) => step.isBound)) assert.ok(witness.isObserved);
          }
        },
      ),
      { numRuns: 600, seed: 21 },
    );
    assert.ok(seen.free > 100 && seen.bound > 50 && seen.more > 5, JSON.stringify(seen));
    assert.ok(seen.less > 0 && seen.boundTraps > 5, JSON.stringify(seen));
    assert.ok(seen.fixed > 10 && seen.lowered > 2, JSON.stringify(seen));
  });

  test('takes another run only if something depended on the limit', () => {
    const runs = (steps: readonly Step[], done?: Action): number => {
      let count = 0;
      const source = stateWith(world, [steps, [], []], 10n ** 20n);
      const transaction: Transaction = {
        chain_id: 1n,
        sender: SENDER,
        lane: 0,
        nonce: 0n,
        gas_limit: 3_000_000n,
        max_fee: 10n,
        priority_fee: 0n,
        action: done ?? {
          type: 'call',
          value: { contract: placeOf(0), input: new Uint8Array(4), value: 0n },
        },
      };
      const given = { transaction, sender: hexOf(SENDER), isSigned: false, given: new Map() };
      const counted: StateSource = {
        // Each run reads the sender's account, and so does the check before the first run.
        account: (address) => {
          if (address === hexOf(SENDER)) count++;
          return source.account(address);
        },
        slot: (contract, slot) => source.slot(contract, slot),
        record: (name) => source.record(name),
        code: (hash) => source.code(hash),
      };
      simulateTransaction(given, { source: counted, env: world.env(), machine: world.machine });
      return count;
    };
    const write = { code: 'i32.const 0; i32.const 64; i32.const 8; call storage_write' };
    const once = runs([write]);
    assert.equal(runs([]), once);
    assert.equal(runs([write, sends(0)]), once);
    const again = (code: string): void => assert.ok(runs([{ code }]) > once, code);
    again('call gas_left; drop');
    again(`i32.const ${NOBODY_AT}; i32.const 256; call balance`);
    again(
      `i32.const ${addressAt(1)}; i32.const 512; i64.const -1; i32.const 64; i32.const 4; call call; drop`,
    );
    again(sends(1_000_000).code);
  });

  /** Outcome and estimate of a call to the first of three contracts. */
  function estimated(programs: readonly (readonly Step[])[], limit: bigint) {
    const transaction: Transaction = {
      chain_id: 1n,
      sender: SENDER,
      lane: 0,
      nonce: 0n,
      gas_limit: limit,
      max_fee: 10n,
      priority_fee: 0n,
      action: { type: 'call', value: { contract: placeOf(0), input: new Uint8Array(4), value: 0n } },
    };
    const given = { transaction, sender: hexOf(SENDER), isSigned: false, given: new Map() };
    const source = stateWith(world, programs, 10n ** 20n);
    return simulateTransaction(given, { source, env: world.env(), machine: world.machine });
  }

  const callOf = (index: number): string =>
    `i32.const ${addressAt(index)}; i32.const 512; i64.const -1; i32.const 64; i32.const 4; call call; `;

  test('excludes the gas that a failing callee burns whatever it is given', () => {
    for (const end of [
      'drop',
      'drop; unreachable',
      'if; unreachable; end',
      'drop; i32.const 64; i32.const 3; call revert',
    ]) {
      const programs = [[{ code: callOf(1) + end }], [{ code: 'loop; br 0; end' }], []];
      const { outcome, gasEstimate } = estimated(programs, 3_000_000n);
      assert.ok(outcome.gasUsed > 2_900_000n, end);
      assert.ok(gasEstimate < 200_000n, `${end}: ${gasEstimate}`);
      assert.equal(estimated(programs, gasEstimate).outcome.outcome, outcome.outcome, end);
      assert.notEqual(estimated(programs, gasEstimate - 1n).outcome.outcome, outcome.outcome, end);
      // With the first estimate as limit, the estimate is that limit.
      assert.equal(estimated(programs, gasEstimate).gasEstimate, gasEstimate, end);
    }
  });

  test('is enough for a callee whose failure its caller would hide', () => {
    const work = Array.from({ length: 40 }, () => ({
      code: 'i32.const 0; i32.const 1; i32.store; i32.const 0; i32.const 64; i32.const 32; call storage_write',
    }));
    const programs = [[{ code: `${callOf(1)}drop` }], work, []];
    const { outcome, gasEstimate } = estimated(programs, 3_000_000n);
    assert.equal(outcome.outcome, 'success');
    assert.ok(gasEstimate > outcome.gasUsed);
    const writes = (limit: bigint): number => [...estimated(programs, limit).state.writtenSlots()].length;
    assert.equal(writes(gasEstimate), 1);
    assert.equal(writes(gasEstimate - 1n), 0);
  });

  test('of a contract that reports its gas left is what it uses, not the limit', () => {
    for (const limit of [3_000_000n, 400_000_000n]) {
      for (const programs of [
        [[{ code: REPORT }], [], []],
        [
          [
            {
              code: `i32.const ${SENDER_AT}; i32.const 256; call balance; i32.const 256; i32.const 16; call set_output`,
            },
          ],
          [],
          [],
        ],
      ]) {
        const { outcome, gasEstimate } = estimated(programs, limit);
        assert.equal(gasEstimate, outcome.gasUsed);
      }
      // The callee needs 64/63 of what it uses.
      const { outcome, gasEstimate } = estimated(
        [[{ code: `${callOf(1)}drop` }, { code: REPORT }], [{ code: REPORT }], []],
        limit,
      );
      const most = (outcome.gasUsed * 70n) / 63n;
      assert.ok(gasEstimate >= outcome.gasUsed && gasEstimate < most, `${gasEstimate} of ${outcome.gasUsed}`);
    }
  });

  test('suffices for a callee whose failure a caller that reports its gas would hide', () => {
    const work = Array.from({ length: 40 }, (_, slot) => ({
      code: `i32.const 0; i32.const ${slot}; i32.store; i32.const 0; i32.const 64; i32.const 32; call storage_write`,
    }));
    const programs = [[{ code: `${callOf(1)}drop` }, { code: REPORT }], work, []];
    const { outcome, gasEstimate } = estimated(programs, 300_000_000n);
    assert.ok(gasEstimate > outcome.gasUsed && gasEstimate < (outcome.gasUsed * 70n) / 63n, `${gasEstimate}`);
    assert.equal([...estimated(programs, gasEstimate).state.writtenSlots()].length, 40);
  });

  test('suffices for a contract that works until its gas is nearly used up', () => {
    const code = 'loop; call gas_left; i64.const 100000; i64.gt_u; br_if 0; end';
    const { outcome, gasEstimate } = estimated([[{ code }], [], []], 30_000_000n);
    assert.ok(outcome.gasUsed > 29_000_000n);
    assert.ok(gasEstimate < 200_000n, `${gasEstimate}`);
    assert.equal(estimated([[{ code }], [], []], gasEstimate).outcome.outcome, 'success');
  });
});
