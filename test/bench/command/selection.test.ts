import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Benchmark } from '../../../bench/catalogue/benchmark.js';
import { BENCHMARKS, DEFAULT_PARTS } from '../../../bench/catalogue.js';
import { nearest, select } from '../../../bench/command/selection.js';

const selected = (words: readonly string[], further: readonly string[] = [], catalogue = BENCHMARKS) => {
  const { benchmarks, arguments: args } = select(words, further, catalogue);
  return [benchmarks.map(({ name }) => name), args];
};

describe('the words of the command', () => {
  test('select benchmarks and parts in the order of the catalogue', () => {
    assert.deepEqual(selected(['tree', 'codecs', 'tree']), [['codecs', 'tree'], []]);
    const [load] = selected(['load', 'transfers']);
    assert.deepEqual(
      load,
      BENCHMARKS.filter(({ part }) => part === 'load').map(({ name }) => name),
    );
  });

  test('select a group within a part', () => {
    assert.deepEqual(selected(['peers']), [['reads', 'contract-calls', 'transfers-side-by-side'], []]);
  });

  test('select the default parts if there are none', () => {
    const [all] = selected([]);
    assert.deepEqual(
      all,
      BENCHMARKS.filter(({ part }) => DEFAULT_PARTS.includes(part)).map(({ name }) => name),
    );
  });

  test('after a single benchmark are passed to it as arguments', () => {
    assert.deepEqual(selected(['transfers', '--transfers', '200000', '--node-flag=--workers=2']), [
      ['transfers'],
      ['--transfers', '200000', '--node-flag=--workers=2'],
    ]);
    assert.deepEqual(selected(['tree', '100000', '500', 'off'], ['--list']), [
      ['tree'],
      ['100000', '500', 'off', '--list'],
    ]);
    assert.deepEqual(selected(['floods'], ['--help']), [['floods'], ['--help']]);
  });

  test('are refused as arguments of several benchmarks, or of none', () => {
    const message = /"--rounds" is no option of this command.*exactly one; codecs tree selects 2 benchmarks/;
    assert.throws(() => selected(['codecs', 'tree', '--rounds', '3']), { code: 'usage', message });
    assert.throws(() => selected(['codecs', 'tree'], ['--rounds']), { code: 'usage', message });
    assert.throws(() => selected(['--rounds', '3']), { message: /none is named/ });
    assert.throws(() => selected([], ['x']), { message: /none is named/ });
  });

  test('that name nothing are refused with the nearest names', () => {
    assert.throws(() => selected(['transfer']), { message: /"transfer"; did you mean transfers or/ });
    assert.throws(() => selected(['codecs', 'tre', 'abi']), { message: /"tre"; did you mean tree/ });
    assert.throws(() => selected(['somethingelse']), { message: /--list shows all names/ });
  });

  test('that look like a second name are arguments only after --', () => {
    assert.throws(() => selected(['views', 'codec']), {
      message: /did you mean codecs\? \(an argument of the benchmark goes after --\)/,
    });
    assert.deepEqual(selected(['views'], ['codec']), [['views'], ['codec']]);
  });
});

test('names near a word are those at most two edits away, and those that begin with it', () => {
  const names = ['views', 'views-pool', 'vm', 'tree', 'trace', 'abi'];
  assert.deepEqual(nearest('view', names), ['views', 'views-pool']);
  assert.deepEqual(nearest('veiws', names), ['views']);
  assert.deepEqual(nearest('tra', names), ['trace', 'tree']);
  assert.deepEqual(nearest('off', names), []);
  assert.deepEqual(nearest('5', names), []);
});

test('benchmark names are unique, and one that names a part is its only benchmark', () => {
  const names = BENCHMARKS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { group } of BENCHMARKS) {
    assert.ok(BENCHMARKS.every(({ name, part }) => group === undefined || ![name, part].includes(group)));
  }
  const sharing = BENCHMARKS.filter(({ name }) =>
    BENCHMARKS.some(({ part }) => part === (name as Benchmark['part'])),
  );
  for (const { name, part } of sharing) {
    assert.equal(part, name);
    assert.equal(BENCHMARKS.filter((other) => other.part === part).length, 1);
  }
  for (const { name, about } of BENCHMARKS) {
    assert.match(name, /^[a-z]+(-[a-z]+)*$/);
    assert.doesNotMatch(about, /\.$|\n/, `${name}: about is no single clause`);
  }
});
