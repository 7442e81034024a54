// Enum variants without a value, given by their names alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../src/client/client.js';
import { eventTopics } from '../../src/client/event-filter.js';
import type { Action } from '../../src/generated/ledger.js';

const IDL = `
enum Choice { Yes, No, InstantRunoff, Weighted: u64 }
struct Ballot { choice: Choice; second?: Choice; others: Choice[]; note: string; }
contract Votes {
  method vote(ballot: Ballot, by?: Choice) -> Choice;
  event Voted { indexed choice: Choice; }
}`;
const LONG = {
  choice: { type: 'yes' },
  second: { type: 'instant_runoff' },
  others: [{ type: 'no' }, { type: 'weighted', value: 7n }],
  note: 'yes',
} as const;
const SHORT = {
  choice: 'yes',
  second: 'instant_runoff',
  others: ['no', { type: 'weighted', value: 7n }],
  note: 'yes',
} as const;

const client = connect('http://127.0.0.1:1');
const untyped = client.contract(new Uint8Array(20), { idl: IDL });
const typed = client.contract(new Uint8Array(20), IDL);

async function inputOf(args: Parameters<typeof untyped.action>[1]): Promise<string> {
  const action = await untyped.action('vote', args);
  assert.ok(action.type === 'call');
  return Buffer.from(action.value.input).toString('hex');
}

test('a contract accepts variant names in structs, lists and options, by name and by position', async () => {
  const long = await inputOf({ ballot: LONG, by: { type: 'no' } });
  assert.equal(await inputOf({ ballot: SHORT, by: 'no' }), long);
  assert.equal(await inputOf([SHORT, 'no']), long);
  assert.equal(await inputOf({ ballot: { ...SHORT, choice: 'Yes' }, by: 'no' }), long);
});

test('a typed contract accepts variant names, and its types know them', async () => {
  const sent: Action[] = [];
  const sender = {
    send: (action: Action) => {
      sent.push(action);
      return Promise.reject(new Error('not sent'));
    },
    seal: () => Promise.reject(new Error('not used')),
  };
  await assert.rejects(typed.call('vote', { ballot: SHORT, by: 'no' }, { sender }), /not sent/);
  await assert.rejects(typed.call('vote', { ballot: LONG, by: { type: 'no' } }, { sender }), /not sent/);
  assert.equal(sent.length, 2);
  assert.deepEqual(sent[0], sent[1]);
  // @ts-expect-error: there is no such variant
  const wrong = typed.call('vote', { ballot: SHORT, by: 'maybe' }, { sender });
  await assert.rejects(wrong, /args\.by: expected Choice: yes, no, .*got "maybe"/);
});

test('an event filter accepts variant names', async () => {
  const abi = await untyped.abi();
  const topics = (choice: Parameters<typeof eventTopics>[2]) => eventTopics(abi, 'Voted', choice);
  assert.deepEqual(topics({ choice: 'yes' }), topics({ choice: { type: 'yes' } }));
  assert.deepEqual(topics({ choice: ['yes', 'no'] }), topics({ choice: [{ type: 'yes' }, { type: 'no' }] }));
  assert.throws(
    () => topics({ choice: 'maybe' }),
    /Votes\.Voted: filter\.choice: .*expected Choice: yes, no, /,
  );
});

test('an unknown variant name is refused with a list of the variants', async () => {
  const expected = 'Choice: yes, no, instant_runoff, {"type":"weighted","value":…}';
  for (const [args, message] of [
    [{ ballot: SHORT, by: 'maybe' }, `Votes.vote: args.by: expected ${expected}, got "maybe"`],
    [[SHORT, 'weighted'], `Votes.vote: args.by: expected ${expected}, got "weighted"`],
    [
      { ballot: { ...SHORT, others: ['no', 'never'] } },
      `Votes.vote: args.ballot.others[1]: expected ${expected}, got "never"`,
    ],
  ] as const) {
    await assert.rejects(inputOf(args), { code: 'bad_argument', message });
  }
});
