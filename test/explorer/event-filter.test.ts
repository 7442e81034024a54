import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { devAccount } from '../../src/client/client.js';
import { compileInterface } from '../../src/explorer/interface/contract-interface.js';
import { prepareFilter } from '../../src/explorer/pages/event-filter.js';
import { eventWordsText, parseEventWords } from '../../src/explorer/routing/event-words.js';
import { eventsLink, parseRoute } from '../../src/explorer/routing/route.js';
import { toHex } from '../../src/idl/hex.js';

const ADDRESS = 'cd'.repeat(20);

function compiled() {
  const compilation = compileInterface(`contract Shop {
    event Sold { indexed buyer: address; indexed note: string; indexed size: u64; indexed late: u8; price: u128; }
    event Closed { }
  }`);
  return compilation.ok ? compilation.compiled : assert.fail(compilation.message);
}

/** The topics of a filter behind topic 0, in hex digits; or its mistake. */
function outcome(where: readonly string[], event = 'Sold') {
  const prepared = prepareFilter(compiled(), { event, where });
  if (!prepared.ok) return `${prepared.mistake.path}: ${prepared.mistake.message}`;
  return prepared.value.topics.slice(1).map((accepted) => accepted.map(toHex));
}

describe('the filter of events', () => {
  test('reads values of indexed fields like heddle logs --where', () => {
    const buyer = `${'0'.repeat(24)}${toHex(devAccount(3).address)}`;
    assert.deepEqual(outcome(['buyer=dev:3']), [[buyer]]);
    assert.deepEqual(outcome([`buyer=0x${toHex(devAccount(3).address).toUpperCase()}`]), [[buyer]]);
    assert.deepEqual(outcome(['size=1_000', 'size=2e3']), [
      [],
      [],
      [`${'0'.repeat(48)}e803000000000000`, `${'0'.repeat(48)}d007000000000000`],
    ]);
    assert.deepEqual(outcome([], 'Closed'), []);
  });

  test('says which part is wrong, and what was expected', () => {
    for (const [where, event, expected] of [
      [[], 'Solt', /^event: Shop has no event "Solt"; did you mean Sold\?$/],
      [['size=1', 'buyer=bob'], 'Sold', /^where\.buyer=bob: Expected address.*, got "bob"\.$/],
      [['price=1'], 'Sold', /^where\.price=1: .*price is not indexed/],
      [['late=1'], 'Sold', /^where\.late=1: .*first three indexed fields only/],
      [['__proto__=1'], 'Sold', /^where\.__proto__=1: .*no field "__proto__"/],
      [['size'], 'Sold', /^where\.size: expected FIELD=VALUE, got "size"$/],
    ] as const) {
      assert.match(String(outcome(where, event)), expected);
    }
    const without = prepareFilter(undefined, { event: 'Sold', where: [] });
    assert.match(without.ok ? '' : without.mistake.message, /has no interface that compiles/);
    assert.equal(prepareFilter(compiled(), { where: ['size=1'] }).ok, false);
    assert.equal(prepareFilter(compiled(), { where: [], to: 'x' }).ok, false);
  });

  test('is part of a link', () => {
    const words = { event: 'Sold', where: ['note=a&b=c?#/ü', 'note='], to: '1,000' };
    assert.deepEqual(parseRoute(eventsLink(ADDRESS, words)), {
      page: 'address',
      address: ADDRESS,
      tab: 'events',
      events: words,
    });
    assert.deepEqual(eventsLink(ADDRESS, { where: [] }), `#/address/0x${ADDRESS}/events`);
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 5 }), (event, where) => {
        assert.deepEqual(parseEventWords(eventWordsText({ event, where })), { event, where });
      }),
    );
  });

  test('in another form, or on another page, opens no page', () => {
    for (const link of [
      `#/address/0x${ADDRESS}/events?owner=1`,
      `#/address/0x${ADDRESS}/events?event=${'x'.repeat(5_000)}`,
      `#/address/0x${ADDRESS}/source?event=Sold`,
      '#/?event=Sold',
      '#/blocks?to=1',
    ]) {
      assert.deepEqual(parseRoute(link), { page: 'unknown' }, link);
    }
  });
});
