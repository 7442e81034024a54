import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type BundleAccess,
  criticalPathGas,
  dependenciesOf,
  parallelGroups,
} from '../../../src/execution/simulation/dependencies.js';

const KEYS = ['aa'.repeat(20), 'bb'.repeat(20), `${'bb'.repeat(20)}${'01'.repeat(32)}`];
const transactions: fc.Arbitrary<BundleAccess[]> = fc.array(
  fc.record({
    sender: fc.constantFrom('aa'.repeat(20), 'cc'.repeat(20)),
    lane: fc.nat(1),
    gasUsed: fc.bigInt(0n, 100n),
    access: fc
      .array(fc.tuple(fc.constantFrom(...KEYS), fc.record({ reads: fc.boolean(), writes: fc.boolean() })))
      .map((entries) => new Map(entries)),
  }),
  { maxLength: 8 },
);

const touches = (a: BundleAccess, b: BundleAccess): boolean =>
  [...a.access].some(([key, one]) => {
    const other = b.access.get(key);
    return (
      other !== undefined && ((one.writes && (other.reads || other.writes)) || (one.reads && other.writes))
    );
  });

test('two transactions depend on each other exactly if one writes what the other accesses or they share a lane', () => {
  fc.assert(
    fc.property(transactions, (bundle) => {
      const dependencies = dependenciesOf(bundle);
      const reaches = bundle.map(() => new Set<number>());
      for (const { from, to } of dependencies) {
        assert.ok(from < to);
        reaches[to]?.add(from);
        for (const further of reaches[from] ?? []) reaches[to]?.add(further);
      }
      for (const [to, later] of bundle.entries()) {
        for (const [from, earlier] of bundle.slice(0, to).entries()) {
          const lane = earlier.sender === later.sender && earlier.lane === later.lane;
          if (lane || touches(earlier, later)) assert.ok(reaches[to]?.has(from), `${to} on ${from}`);
        }
      }
      for (const { from, to, kind, address, slot } of dependencies) {
        const [earlier, later] = [bundle[from], bundle[to]];
        assert.ok(earlier !== undefined && later !== undefined);
        const key = Buffer.concat([address, slot ?? new Uint8Array(0)]).toString('hex');
        const [one, other] = [earlier.access.get(key), later.access.get(key)];
        if (kind.type === 'nonce_order') assert.equal(key, later.sender);
        if (kind.type === 'read_after_write') assert.ok(one?.writes && other?.reads);
        if (kind.type === 'write_after_read') assert.ok(one?.reads && other?.writes);
        if (kind.type === 'write_after_write') assert.ok(one?.writes && other?.writes && !other.reads);
      }
    }),
  );
});

test('groups are disjoint, and the critical path is at least any transaction and at most their sum', () => {
  fc.assert(
    fc.property(transactions, (bundle) => {
      const dependencies = dependenciesOf(bundle);
      const groups = parallelGroups(bundle.length, dependencies);
      assert.deepEqual(
        groups.flat().sort((a, b) => a - b),
        bundle.map((_, index) => index),
      );
      for (const { from, to } of dependencies) {
        assert.ok(groups.some((group) => group.includes(from) && group.includes(to)));
      }
      for (const one of groups) {
        for (const other of groups) {
          if (one === other) continue;
          for (const a of one)
            for (const b of other) assert.ok(!touches(bundle[a] as BundleAccess, bundle[b] as BundleAccess));
        }
      }
      const critical = criticalPathGas(bundle, dependencies);
      let all = 0n;
      for (const { gasUsed } of bundle) {
        assert.ok(critical >= gasUsed);
        all += gasUsed;
      }
      assert.ok(critical <= all);
      if (dependencies.length === 0)
        assert.ok(bundle.length === 0 || bundle.some((each) => each.gasUsed === critical));
    }),
  );
});
