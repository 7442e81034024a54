import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EpochRules } from '../../../src/chain/epochs/epoch-rules.js';
import { type EpochState, NO_EPOCH_ITEMS } from '../../../src/chain/epochs/epoch-state.js';
import { ItemChecks } from '../../../src/chain/epochs/item-checks.js';
import { pickEpochItems } from '../../../src/chain/epochs/pick-epoch-items.js';
import { ReceivedItems } from '../../../src/consensus/resharing/received-items.js';
import { ExecutionError } from '../../../src/execution/execution-error.js';
import type { Dealing } from '../../../src/generated/ledger.js';
import type { ValidatorRefusal } from '../../../src/ledger/validators/refusal.js';
import { hex } from '../../support/hex.js';
import { garbled, honestDealing, TEST_CHAIN_ID, validatorWorld } from '../../support/networks/validators.js';

const world = validatorWorld(5);
const { crypto } = world;
const ALL = [0, 1, 2, 3];
const { set, shares } = world.dealt(ALL);
const nextPlayers = ALL.map((index) => world.identity(index));
const context = { chainId: TEST_CHAIN_ID, epoch: 0n, currentSet: set, nextPlayers };
const made = (dealer: number) =>
  honestDealing(world, {
    context,
    players: ALL,
    silent: [3],
    dealer: { index: dealer, identity: dealer },
    share: shares[dealer] ?? assert.fail(),
  }).dealing;
const dealings = [0, 1, 2].map(made);
const [one, two] = dealings;
assert.ok(one && two);

const INVALID: ValidatorRefusal = { rule: 'signature', message: 'invalid' };

/** Workers that count their tasks and answer at once. */
function counting(answer: () => ValidatorRefusal | undefined = () => undefined) {
  const tasks: string[] = [];
  const workers = {
    run: async (task: string) => {
      tasks.push(task);
      return answer();
    },
  };
  return { tasks, checks: new ItemChecks(crypto, workers) };
}

test('a valid dealing is checked once, also if it comes again while the check runs', async () => {
  const { tasks, checks } = counting();
  await Promise.all([checks.dealing({ dealing: one, context }), checks.dealing({ dealing: one, context })]);
  const again = { ...context, nextPlayers: [...nextPlayers], currentSet: { ...set } };
  assert.equal(await checks.dealing({ dealing: { ...one }, context: again }), undefined);
  assert.equal(tasks.length, 1);
  await checks.dealing({ dealing: two, context });
  assert.equal(tasks.length, 2);
});

test('a dealing is checked again if anything that decides about it differs', async () => {
  const { tasks, checks } = counting();
  const [first, ...others] = nextPlayers;
  assert.ok(first);
  const holders = set.validators;
  const inputs = [
    { dealing: one, context },
    { dealing: { ...one, signature: two.signature }, context },
    { dealing: one, context: { ...context, chainId: 8n } },
    { dealing: one, context: { ...context, epoch: 1n } },
    { dealing: one, context: { ...context, nextPlayers: others } },
    {
      dealing: one,
      context: { ...context, nextPlayers: [{ ...first, encryption_key: two.encryption_key }, ...others] },
    },
    { dealing: one, context: { ...context, currentSet: { ...set, validators: [...holders].reverse() } } },
  ];
  for (const input of inputs) await checks.dealing(input);
  assert.equal(tasks.length, inputs.length);
});

test('an invalid dealing and a failed check are not remembered', async () => {
  const answers = [INVALID, 'overloaded', undefined] as const;
  let next = 0;
  const { tasks, checks } = counting(() => {
    const answer = answers[next++];
    if (answer === 'overloaded') throw new ExecutionError('overloaded', 'no worker is free');
    return answer;
  });
  const check = () => checks.dealing({ dealing: one, context });
  assert.deepEqual(await check(), INVALID);
  await assert.rejects(check(), { code: 'overloaded' });
  assert.equal(await check(), undefined);
  assert.equal(await check(), undefined);
  assert.equal(tasks.length, 3);
});

test("a dealer's next valid dealing replaces its last one and nobody else's", async () => {
  const { tasks, checks } = counting();
  const variant = (place: number): Dealing => ({ ...one, signature: new Uint8Array(64).fill(place) });
  await checks.dealing({ dealing: two, context });
  for (let place = 0; place < 300; place++) await checks.dealing({ dealing: variant(place), context });
  assert.equal(tasks.length, 301);
  await checks.dealing({ dealing: two, context });
  await checks.dealing({ dealing: variant(299), context });
  assert.equal(tasks.length, 301);
  await checks.dealing({ dealing: variant(0), context });
  assert.equal(tasks.length, 302);
});

test('a leader that has checked items on their arrival proposes them without another check', async () => {
  const { tasks, checks } = counting();
  const encryptionKeys = world.encryptionKeys(ALL);
  const state: EpochState = {
    parameters: { epoch_length: 12n, ceremony: true },
    validators: set,
    encryptionKeys,
    changes: [],
    dealings: [],
    complaints: [],
    entries: new Map(),
  };
  const received = new ReceivedItems({
    crypto,
    checks,
    chainId: TEST_CHAIN_ID,
    log: { debug: () => undefined, info: () => undefined, warn: assert.fail, error: assert.fail },
    drop: (_, reason) => assert.fail(reason),
    onWork: () => undefined,
  });
  received.onState(state, 4n);
  const bad = garbled(world, 0, TEST_CHAIN_ID, one, nextPlayers);
  const all = [bad, ...dealings.slice(1)];
  const send = (dealing: Dealing) =>
    received.dealing(hex(world.identity(dealing.dealer).identity_key), dealing);
  for (const dealing of all) await send(dealing);
  const proof = { shared: new Uint8Array(48), challenge: new Uint8Array(32), response: new Uint8Array(32) };
  const complaint = { epoch: 0n, dealer: 0, player: 3, ...proof };
  received.onState({ ...state, dealings: [bad] }, 5n);
  await received.complaint(hex(world.identity(3).identity_key), complaint);
  assert.deepEqual(tasks, ['check_dealing', 'check_dealing', 'check_dealing', 'check_complaint']);

  const rules = new EpochRules(crypto, { run: () => assert.fail('no other task') }, checks);
  const items = { ...NO_EPOCH_ITEMS, dealings: all, complaints: [complaint] };
  const env = { chainId: TEST_CHAIN_ID, height: 5n };
  const picked = await pickEpochItems(rules, { parent: { epochs: state }, env }, items);
  assert.deepEqual(picked, items);
  assert.equal(tasks.length, 4);
});
