import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULES, type Rules } from '../../../src/consensus/core/rules.js';
import { DEFAULT_BEHAVIOR, type NodeBehavior } from '../../../src/consensus/simulator/node-behavior.js';
import { simulate } from '../../../src/consensus/simulator/simulate.js';

/** Number of seeds within which the simulator must detect each dropped or altered rule. */
const SEEDS = 800;

interface Broken {
  readonly rule: string;
  readonly rules?: Partial<Rules>;
  readonly habits?: Partial<NodeBehavior>;
  /** Whether the rule's consequence itself must be observed; otherwise conflicting votes are enough. */
  readonly byItsEffect?: boolean;
}

const BROKEN: readonly Broken[] = [
  {
    rule: '1: one validator leads all views',
    rules: { leader: (_, epoch, n) => epoch % n },
    byItsEffect: true,
  },
  { rule: '1: no view is timed', rules: { delta: () => 1e9 }, byItsEffect: true },
  { rule: '1: timers shorter than a hop that never grow', rules: { delta: () => 10 }, byItsEffect: true },
  {
    rule: '2: leaders pass over notarized blocks that are not nullified',
    rules: { canSkipView: () => true },
    byItsEffect: true,
  },
  {
    rule: '3: views between parent and proposal need no nullification',
    rules: {
      evaluateProposal: (input) => RULES.evaluateProposal({ ...input, missingNullification: undefined }),
    },
    byItsEffect: true,
  },
  {
    rule: '4: notarize is signed after nullify',
    rules: { evaluateProposal: (input) => RULES.evaluateProposal({ ...input, nullified: false }) },
  },
  { rule: '4 and 5: finalize is signed after nullify', rules: { mayFinalize: () => true } },
  { rule: '5: nothing is finalized', rules: { mayFinalize: () => false }, byItsEffect: true },
  {
    rule: '5: a quorum is one vote less',
    rules: { quorum: (validators) => RULES.quorum(validators) - 1 },
    byItsEffect: true,
  },
  { rule: '6: nobody helps who is behind', rules: { helpsLaggingPeers: false }, byItsEffect: true },
  {
    rule: '6: nobody helps, nor says again that it is stuck',
    rules: { helpsLaggingPeers: false, repeatsWhenStuck: false },
    byItsEffect: true,
  },
  {
    rule: '7a: blocks are not journaled',
    habits: { journals: ({ type }) => type !== 'block' },
    byItsEffect: true,
  },
  { rule: '7b: votes are not journaled', habits: { journals: ({ type }) => type !== 'vote' } },
  { rule: '7c: certificates are not journaled', habits: { journals: ({ type }) => type !== 'certificate' } },
  { rule: '8: a clock behind makes a block invalid', habits: { earlyBlock: 'invalid' }, byItsEffect: true },
  { rule: '9: who lost its journal votes in the same epoch', habits: { votesAfterAmnesia: true } },
  {
    rule: "10: an epoch's last block is as any other",
    rules: { isLastOfEpoch: () => false },
    byItsEffect: true,
  },
];

for (const { rule, rules, habits, byItsEffect = false } of BROKEN) {
  test(`a broken rule is noticed: rule ${rule}`, () => {
    assert.ok(firstViolation({ ...RULES, ...rules }, { ...DEFAULT_BEHAVIOR, ...habits }, !byItsEffect));
  });
}

function firstViolation(rules: Rules, behavior: NodeBehavior, watchVotes: boolean): string | undefined {
  for (let seed = 1; seed <= SEEDS; seed++) {
    for (const validators of [4, 7]) {
      const { violation } = simulate({ seed, validators, rules, behavior, watchVotes });
      if (violation !== undefined) return violation.what;
    }
  }
  return undefined;
}
