// Arguments reach the interface exactly as typed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CliCommand } from '../../../src/cli/cli-command.js';
import { CliError } from '../../../src/cli/cli-error.js';
import { readArguments } from '../../../src/cli/contract/contract-arguments.js';
import { addressOf } from '../../../src/cli/values.js';
import { formatAddress } from '../../../src/client/client.js';
import { compileContract } from '../../../src/idl/abi/contract-abi.js';
import { compileIdl } from '../../../src/idl/compiler/compile.js';
import { sha256 } from '../../support/worlds/contract-world.js';

const { manifest } = compileIdl([
  {
    name: 'wide.idl',
    text: `
struct Pair { low: i64; high: u64; note: string; }
enum Choice { Yes, No: address }
struct Ballot { by: address; choice: Choice; of: hash?; }
contract Wide {
  method vote(ballots: Ballot[], choice: Choice);
  method one(value: i64);
  method note(text: string);
  method notes(first: string, second: string?, count: u64?);
  method all(value: i128, list: i64[], pair: Pair, maybe: i64?);
}`,
  },
]);
const abi = compileContract(manifest, sha256);

/** The arguments as a contract reads them. */
function decoded(name: string, ...words: readonly string[]): unknown {
  const params = manifest.contracts[0]?.functions.find((each) => each.name === name)?.params ?? [];
  const called = abi.function(name);
  return called.decodeCall(
    called.encodeCall(called.withWholeVariants(readArguments(words, params, manifest))),
  );
}

const LEAST = '-9223372036854775808';
const NOTE = 'say \\"9223372036854775807\\", \\\\';
const PAIR = `{"low":${LEAST},"high":18446744073709551615,"note":"${NOTE}"}`;
const ALL = {
  value: '-170141183460469231731687303715884105728',
  list: [1, '9007199254740993', LEAST],
  pair: { low: LEAST, high: '18446744073709551615', note: JSON.parse(`"${NOTE}"`) },
  maybe: -9_007_199_254_740_991,
};

describe('integers beyond 2^53', () => {
  test('of a signed type keep their value, by name and by position', () => {
    for (const value of [LEAST, '9223372036854775807', '-9007199254740993']) {
      assert.deepEqual(decoded('one', `value=${value}`), { value });
      assert.deepEqual(decoded('one', value), { value });
    }
    assert.deepEqual(decoded('one', '-7'), { value: -7 });
    assert.deepEqual(decoded('one', `{"value":${LEAST}}`), { value: LEAST });
    assert.deepEqual(decoded('one', `[${LEAST}]`), { value: LEAST });
  });

  test('keep their value in lists and structs', () => {
    const list = `[1, 9007199254740993,${LEAST}]`;
    const words = [`value=${ALL.value}`, `list=${list}`, `pair=${PAIR}`, `maybe=${ALL.maybe}`];
    assert.deepEqual(decoded('all', ...words), ALL);
    const members = `{"value":"${ALL.value}","list":${list},"pair":${PAIR},"maybe":${ALL.maybe}}`;
    assert.deepEqual(decoded('all', members), ALL);
    assert.deepEqual(decoded('all', `["${ALL.value}",${list},${PAIR},${ALL.maybe}]`), ALL);
  });
});

test('development accounts and variant names work everywhere, also in JSON', () => {
  const address = '0x839da1cfb577994b70cf85ced2e0fe7047ee818b';
  const known = addressOf('dev:4');
  assert.ok(known);
  const four = formatAddress(known);
  const ballots = `[{"by":"dev:4","choice":"yes"},{"by":"${address}","choice":{"type":"no","value":"dev:4"},"of":"0x${'AB'.repeat(32)}"}]`;
  const read = {
    ballots: [
      { by: four, choice: { type: 'yes', value: null } },
      { by: address, choice: { type: 'no', value: four }, of: 'ab'.repeat(32) },
    ],
    choice: { type: 'yes', value: null },
  };
  assert.deepEqual(decoded('vote', `ballots=${ballots}`, 'choice=yes'), read);
  assert.deepEqual(decoded('vote', ballots, 'yes'), read);
  assert.deepEqual(decoded('vote', `{"ballots":${ballots},"choice":"yes"}`), read);
  assert.deepEqual(decoded('vote', `[${ballots},"yes"]`), read);
});

test('invalid JSON is reported at its argument', () => {
  const params = manifest.contracts[0]?.functions[0]?.params ?? [];
  assert.throws(
    () => readArguments(['{"value": 9223372036854775807,}'], params, manifest),
    (error) => error instanceof CliError && /position 30/.test(error.message),
  );
});

describe('a text by position', () => {
  const TEXTS = [
    'a=b',
    '[hello]',
    '{"x":1}',
    '["x"]',
    '-x',
    '007',
    'true',
    'dev:0',
    '',
    ' ',
    'null',
    '"quoted"',
  ];

  test('is taken as it is', () => {
    for (const text of TEXTS) {
      assert.deepEqual(decoded('note', text), { text }, text);
      assert.deepEqual(decoded('notes', text, 'x=y', '5'), { first: text, second: 'x=y', count: 5 }, text);
    }
  });

  test('is an argument by name if it begins with the name of a parameter', () => {
    for (const text of TEXTS) assert.deepEqual(decoded('note', `text=${text}`), { text }, text);
    assert.deepEqual(decoded('notes', 'count=5', 'first=a'), { first: 'a', count: 5 });
    assert.throws(() => decoded('notes', 'a', 'second=b'), /all arguments by name/);
  });

  test('is reported as a misspelt name if no parameter takes a text', () => {
    assert.throws(() => decoded('one', 'valeu=5'), /valeu/);
  });

  test('may begin with a single dash, as no option does', () => {
    const words = (...args: readonly string[]): readonly string[] => {
      let taken: readonly string[] = [];
      const program = new CliCommand().exitOverride().configureOutput({ writeErr: () => undefined });
      const call = program.command('call').argument('<METHOD>').option('--json').option('--url <URL>');
      call.functionArguments('its arguments').action((_method: string, rest: readonly string[]) => {
        taken = rest;
      });
      program.parse(['call', ...args], { from: 'user' });
      return taken;
    };
    assert.deepEqual(words('note', '-x', '--json', '-yz', 'a'), ['-x', '-yz', 'a']);
    assert.deepEqual(words('--json', 'note', '-x', '--url', 'u', '-'), ['-x', '-']);
    assert.deepEqual(words('note', '-5', '--', '--json', '-x'), ['-5', '--json', '-x']);
    assert.deepEqual(words('note', '-x', '--', '--json'), ['-x', '--json']);
    assert.throws(() => words('note', '-x', '--jsn'), /unknown option '--jsn'/);
  });
});
