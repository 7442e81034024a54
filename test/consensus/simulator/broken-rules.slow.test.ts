import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULES, type Rules } from '../../../src/consensus/core/rules.js';
import { simulate } from '../../../src/consensus/simulator/simulate.js';

/** Number of seeds within which the simulator must detect each dropped or altered rule. */
const SEEDS = 800;

interface Broken {
  readonly rule: string;
  readonly rules: Partial<Rules>;
  /** Tried first, because it has shown the break when many others had not. */
  readonly found?: { readonly validators: number; readonly seed: number };
}

const BROKEN: readonly Broken[] = [
  {
    rule: '1: one validator leads all views',
    rules: { leader: (_, epoch, n) => epoch % n },
  },
  { rule: '1: no view is timed', rules: { delta: () => 1e9 } },
  { rule: '1: timers shorter than a hop that never grow', rules: { delta: () => 10 } },
  {
    rule: '2: leaders pass over notarized blocks that are not nullified',
    rules: { canSkipView: () => true },
    found: { validators: 7, seed: 4 },
  },
  {
    rule: '3: views between parent and proposal need no nullification',
    rules: {
      evaluateProposal: (input) => RULES.evaluateProposal({ ...input, missingNullification: undefined }),
    },
    found: { validators: 4, seed: 30 },
  },
  {
    rule: '4: notarize is signed after nullify',
    rules: { evaluateProposal: (input) => RULES.evaluateProposal({ ...input, nullified: false }) },
  },
  { rule: '4 and 5: finalize is signed after nullify', rules: { mayFinalize: () => true } },
  { rule: '5: nothing is finalized', rules: { mayFinalize: () => false } },
  {
    rule: '5: a quorum is one vote less',
    rules: { quorum: (validators) => RULES.quorum(validators) - 1 },
  },
  { rule: '6: nobody helps who is behind', rules: { helpsLaggingPeers: false } },
  {
    rule: '6: nobody helps, nor says again that it is stuck',
    rules: { helpsLaggingPeers: false, repeatsWhenStuck: false },
  },
  {
    rule: "10: an epoch's last block is as any other",
    rules: { isLastOfEpoch: () => false },
  },
];

for (const { rule, rules, found } of BROKEN) {
  test(`a broken rule is noticed: rule ${rule}`, async () => {
    const broken = { ...RULES, ...rules };
    assert.ok(
      (found !== undefined && (await violationOf(broken, found.validators, found.seed))) ||
        (await firstViolation(broken)),
    );
  });
}

async function violationOf(rules: Rules, validators: number, seed: number): Promise<string | undefined> {
  const { violation } = await simulate({ seed, validators, rules });
  return violation?.what;
}

async function firstViolation(rules: Rules): Promise<string | undefined> {
  for (let seed = 1; seed <= SEEDS; seed++) {
    for (const validators of [4, 7]) {
      const violation = await violationOf(rules, validators, seed);
      if (violation !== undefined) return violation;
    }
  }
  return undefined;
}
