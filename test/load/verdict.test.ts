import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Resources } from '../../src/load/resources/usage.js';
import type { LoadFacts } from '../../src/load/verdict.js';
import { verdictOf } from '../../src/load/verdict.js';
import { IDLE_NODE, sampleFacts } from './sample-report.js';

/** Facts of a load that was held back, with changed usage. */
function heldBack(resources: Partial<Resources> = {}, changes: Partial<LoadFacts> = {}): LoadFacts {
  const facts = sampleFacts();
  return {
    ...facts,
    totals: { ...facts.totals, held_back: 9_000 },
    resources: { ...facts.resources, ...resources },
    ...changes,
  };
}

const refused = (refusals: Readonly<Record<string, number>>, node = IDLE_NODE): LoadFacts => {
  const facts = heldBack({ node });
  const all = Object.values(refusals).reduce((sum, count) => sum + count, 0);
  return { ...facts, refusals, totals: { ...facts.totals, refused: all } };
};

const limitOf = (facts: LoadFacts) => verdictOf(facts).limit;

describe('the verdict on a load', () => {
  test('names no limit if all that was due was sealed soon', () => {
    const { sentence, limit } = verdictOf(sampleFacts());
    assert.equal(limit, 'none');
    assert.equal(sentence, 'sealed 1,000 of the 1,000 transactions due at 500/s; no limit was reached');
    const { totals, whole_s: whole } = sampleFacts();
    assert.notEqual(limitOf(sampleFacts({ totals: { ...totals, held_back: 100 } })), 'none');
    assert.notEqual(limitOf(sampleFacts({ whole_s: whole + 10 })), 'none', 'a long drain is a backlog');
  });

  test('names the thread that was always busy, and the busiest of several', () => {
    const busy = { busy: 0.97, cores: 0.95 };
    const cases = [
      [{ main: busy }, 'main_thread'],
      [{ front: busy }, 'front_threads'],
      [{ block_workers: 0.98, contracts: 0.1 }, 'signatures'],
      [{ block_workers: 0.98, contracts: 0.8 }, 'contract_calls'],
      [{ roots: 0.95 }, 'state_tree'],
      [{ commit: 0.95 }, 'store'],
      [{ seal: 0.95 }, 'sealing'],
      [{ main: busy, block_workers: 1 }, 'signatures'],
      [{ main: busy, seal: 0.97 }, 'main_thread'],
    ] as const;
    for (const [usage, limit] of cases) {
      assert.equal(limitOf(heldBack({ node: { ...IDLE_NODE, ...usage } })), limit, JSON.stringify(usage));
    }
  });

  test('does not blame a thread that waited for a processor', () => {
    const node = { ...IDLE_NODE, main: { busy: 0.95, cores: 0.4 } };
    const { limit, sentence } = verdictOf(heldBack({ node, same_machine: false }));
    assert.equal(limit, 'processors');
    assert.match(sentence, /processors of the node's machine/);
    // Without processor times nothing else than the busy thread is known.
    assert.equal(limitOf(heldBack({ node: { ...node, main: { busy: 0.95 } } })), 'main_thread');
  });

  test('names the processors that node and load generator use up together', () => {
    const node = { ...IDLE_NODE, cores: 1.4, main: { busy: 0.95, cores: 0.9 } };
    const generator = { busy: 0.6, cores: 0.5, memory_bytes: 1 };
    assert.equal(limitOf(heldBack({ node, generator, generator_cores: 2 })), 'processors');
    assert.equal(
      limitOf(heldBack({ node, generator, generator_cores: 2, same_machine: false })),
      'main_thread',
      'processors of two machines do not add up',
    );
  });

  test('names the load generator before any part of the node', () => {
    const node = { ...IDLE_NODE, main: { busy: 0.95, cores: 0.95 } };
    const generator = { busy: 0.96, cores: 1, memory_bytes: 1 };
    const { limit, sentence } = verdictOf(heldBack({ node, generator }));
    assert.equal(limit, 'load_generator');
    assert.match(sentence, /the load generator itself, not the node$/);
  });

  test('names full blocks', () => {
    const facts = heldBack();
    const { sentence, limit } = verdictOf({ ...facts, blocks: { ...facts.blocks, fill_mean: 0.95 } });
    assert.equal(limit, 'gas_limit');
    assert.match(sentence, /the gas limit of blocks, which came every 4000 ms$/);
  });

  test('names the reason of refusals if there were more than a few', () => {
    assert.equal(limitOf(refused({ rate_limited: 400, pool_full: 20 })), 'rate_limit');
    assert.equal(limitOf(refused({ payment_required: 100 })), 'access');
    assert.equal(limitOf(refused({ fee_too_low: 100 })), 'fees');
    assert.equal(limitOf(refused({ insufficient_balance: 100 })), 'funds');
    assert.equal(limitOf(refused({ pool_full: 100 })), 'pool');
    assert.equal(limitOf(refused({ overloaded: 100 })), 'node_overloaded');
    assert.equal(limitOf(refused({ fee_too_low: 10 })), 'unknown', 'one in a hundred is no limit');
    // A full pool only shows that something else does not keep up.
    const node = { ...IDLE_NODE, roots: 1 };
    assert.equal(limitOf(refused({ pool_full: 100 }, node)), 'state_tree');
  });

  test('counts refusals that the client retried, from the node', () => {
    assert.equal(limitOf(heldBack({ node: { ...IDLE_NODE, rate_limited: 300 } })), 'rate_limit');
    assert.equal(limitOf(heldBack({ node: { ...IDLE_NODE, overloaded: 300 } })), 'node_overloaded');
  });

  test('names the bound of the load itself, unless the node was out of sight', () => {
    const facts = heldBack();
    const totals = { ...facts.totals, held_back_unsealed: 8_000 };
    const { limit, sentence } = verdictOf({ ...facts, totals });
    assert.equal(limit, 'max_unsealed');
    assert.match(sentence, /the limit was --max-unsealed 20000: as many waited for a block$/);
    const { node: _, ...resources } = facts.resources;
    assert.equal(limitOf({ ...facts, totals, resources }), 'unknown');
  });

  test('says that the limit is unknown, and why', () => {
    const { sentence, limit } = verdictOf(heldBack());
    assert.equal(limit, 'unknown');
    assert.match(
      sentence,
      /limit unknown: transactions were held back, although nothing measured was always busy/,
    );
    const { node: _, ...resources } = heldBack({ node_problem: 'status 404' }).resources;
    const blind = verdictOf({ ...heldBack(), resources });
    assert.equal(blind.limit, 'unknown');
    assert.match(blind.sentence, /limit unknown: the node's metrics could not be read \(status 404\)$/);
    assert.match(blind.evidence[0] ?? '', /could not be read: status 404/);
    assert.match(verdictOf(refused({ expired: 500 })).sentence, /refused, most for expired$/);
  });

  test('says that the node is gone, or that nothing was due', () => {
    assert.equal(limitOf(heldBack({}, { ended: 'node_gone' })), 'node_gone');
    const { totals } = sampleFacts();
    const none = sampleFacts({ totals: { ...totals, sent: 0, sealed: 0, held_back: 0 } });
    assert.match(verdictOf(none).sentence, /limit unknown: nothing was due$/);
  });

  test('gives the figures behind it', () => {
    const { evidence } = verdictOf(refused({ pool_full: 100 }));
    assert.deepEqual(evidence, [
      'the node used 0.5 cores, main thread 30 % busy with 30 % of a processor, busiest front thread 20 % busy with 20 % of a processor, block workers 10 % busy, of them with contract calls 1 %',
      'share of the time: sealing of blocks 20 %, state tree 10 %, store 10 %',
      'the load generator used 0.3 of 8 cores, its event loop was 20 % busy',
      'blocks were 25 % full and came every 4,000 ms; the block time is 250 ms',
      '9,000 transactions were held back: 0 with too many unsealed, 9,000 with too many in flight',
      'refused: 100 pool_full',
    ]);
  });
});
