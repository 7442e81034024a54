import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { SweepError, type SweepErrorCode } from '../../src/farm/sweep/place.js';
import { readSweep, type SweepOptions } from '../../src/farm/sweep/sweep.js';

describe('mistakes in sweeps', () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-sweep-errors-'));
  after(() => rmSync(directory, { recursive: true, force: true }));

  /** Reads a sweep that must be refused. @returns the message, without the directory */
  async function refused(
    file: string | Uint8Array,
    {
      code = 'bad_sweep',
      options = {},
    }: { readonly code?: SweepErrorCode; readonly options?: SweepOptions } = {},
  ): Promise<string> {
    const path = join(directory, 'sweep.json');
    writeFileSync(path, file);
    try {
      await readSweep(path, options);
    } catch (error) {
      assert.ok(error instanceof SweepError, String(error));
      assert.equal(error.code, code);
      return error.message.replaceAll(`${directory}/`, '');
    }
    throw new assert.AssertionError({ message: 'the sweep was accepted' });
  }

  /** A template that uses each parameter, and the parameters. */
  function using(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const params = Object.fromEntries(Object.keys(parameters).map((name) => [name, `\${${name}}`]));
    return { call: { method: 'view_call', params }, parameters };
  }

  const withRange = (range: unknown) => using({ a: { range } });
  const withParams = (params: unknown) => ({
    call: { method: 'view_call', params },
    parameters: { a: { values: [1] }, row: { csv: 'rows.csv' }, any: { values: ['x', null] } },
  });

  const integer =
    'an integer: a string of at most 155 digits, or a number from -9007199254740991 to 9007199254740991';
  const kinds = 'an object with one of range, values, csv, random';
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

  /** Messages after the name of the sweep file, by the content of the file. */
  const MESSAGES: Readonly<Record<string, readonly (readonly [file: unknown, message: string])[]>> = {
    'members of the file': [
      [[], 'call: expected an object with the members method, params, got nothing'],
      [7, 'expected an object with the members call, parameters, samples, seed, got 7'],
      [{ ...using({}), x: 1 }, 'expected only the members call, parameters, samples, seed, got "x"'],
      [using({}), 'parameters: expected at least one parameter, got none'],
      [
        { ...using({}), parameters: [] },
        'parameters: expected an object with the parameters of the sweep by name, got []',
      ],
      [{ ...using({}), samples: 0 }, 'samples: expected an integer from 1 to 100000000, got 0'],
      [{ ...using({}), samples: 1.5 }, 'samples: expected an integer from 1 to 100000000, got 1.5'],
      [{ ...using({}), seed: '7' }, 'seed: expected an integer from 0 to 4294967295, got "7"'],
      [
        { ...using({ a: { values: [1] } }), samples: 2 },
        'samples: expected a random parameter, because only its values differ, got none',
      ],
    ],
    'the call': [
      [{ call: 1 }, 'call: expected an object with the members method, params, got 1'],
      [{ call: { params: {} }, parameters: {} }, 'call.method: expected the name of a method, got nothing'],
      [
        { call: { method: 'view_call' }, parameters: {} },
        'call.params: expected an object with the parameters by name, got nothing',
      ],
      [
        { call: { method: 'view_call', params: [] }, parameters: {} },
        'call.params: expected an object with the parameters by name, got []',
      ],
      [
        { call: { method: 'view_call', params: {}, id: 1 }, parameters: {} },
        'call: expected only the members method, params, got "id"',
      ],
      [
        { call: { method: 'tx_submit', params: {} }, parameters: {} },
        'call: method: expected one of view_call, tx_build_simulate, tx_simulate, tx_simulate_access, ' +
          'tx_simulate_trace, tx_simulate_pipeline, chain_traceTransaction, chain_traceCall, chain_simulateBundle, ' +
          'got "tx_submit"',
      ],
    ],
    'numbers and depth': [
      [
        { call: { method: 'view_call', params: { a: [2 ** 53] } } },
        'call.params.a.0: expected a number from -9007199254740991 to 9007199254740991, or a string of digits, got 9007199254740992',
      ],
      [{ a: nested(64) }, `a${'.0'.repeat(63)}: expected at most 64 nested arrays and objects, got more`],
    ],
    references: [
      [withParams({ x: `\${b}` }), 'call.params.x: expected one of the parameters a, row, any, got "b"'],
      [
        withParams({ x: [{ y: `at \${A}` }] }),
        'call.params.x.0.y: expected one of the parameters a, row, any, got "A"',
      ],
      ...[`\${a`, `\${}`, `\${a b}`, `\${a.}`, `\${1}`, `\${ a }`].map(
        (malformed) =>
          [
            withParams({ x: `\${a} ${malformed}` }),
            `call.params.x: expected \${name}, \${name.column}, or $\${ for the characters \${ themselves, got "${malformed}"`,
          ] as const,
      ),
      [withParams({ [`\${a}`]: 1 }), `call.params: expected no reference in the name of a member, got \${a}`],
      [
        withParams({ x: `\${row}` }),
        `call.params.x: expected a column of the CSV file, such as \${row.address}, got \${row}`,
      ],
      [withParams({ x: `\${a.b}` }), `call.params.x: expected \${a}, because a has no columns, got \${a.b}`],
      [
        withParams({ x: `<\${any}>` }),
        `call.params.x: expected \${any} as a whole string, because it has values that are no text, got a longer one`,
      ],
      [withParams({ x: `\${a}` }), 'parameters.row: expected a use in call.params, got none'],
    ],
    parameters: [
      [
        using({ 'a-b': 1 }),
        'parameters.a-b: expected a name of letters, digits and underscores that begins with a letter',
      ],
      [
        using({ 7: 1 }),
        'parameters.7: expected a name of letters, digits and underscores that begins with a letter',
      ],
      [using({ a: 1 }), `parameters.a: expected ${kinds}, got 1`],
      [using({ a: { rang: {} } }), `parameters.a: expected ${kinds}, got {"rang":{}}`],
      [using({ a: { range: {}, csv: '' } }), `parameters.a: expected ${kinds}, got range and csv`],
      [using({ a: { values: [1], of: 1 } }), 'parameters.a: expected only the members values, got "of"'],
      [
        using({ a: { values: [] } }),
        'parameters.a.values: expected an array with at least one value, got []',
      ],
      [
        using({ a: { values: 'x' } }),
        'parameters.a.values: expected an array with at least one value, got "x"',
      ],
      [
        using({ a: { values: [{ x: 1 }, 2, { x: 1 }] } }),
        'parameters.a.values.2: expected a value that is not in the list yet, got {"x":1}',
      ],
      [using({ a: { csv: '' } }), 'parameters.a.csv: expected the path of a CSV file, got ""'],
      [
        using({ a: { csv: 'x', numbers: 'y' } }),
        'parameters.a.numbers: expected an array with names of columns, got "y"',
      ],
      [
        using({ a: { csv: 'x', numbers: [1] } }),
        'parameters.a.numbers.0: expected the name of a column, got 1',
      ],
    ],
    ranges: [
      [
        withRange(1),
        'parameters.a.range: expected an object with the members from, to, step, count, scale, got 1',
      ],
      [withRange({ from: 1 }), `parameters.a.range.to: expected ${integer}, got nothing`],
      ...[1.5, '1.5', '', '01', '-0', '0x1', ' 1', '1'.repeat(157), null].map(
        (from) =>
          [
            withRange({ from, to: 1 }),
            `parameters.a.range.from: expected ${integer}, got ${shortened(JSON.stringify(from))}`,
          ] as const,
      ),
      [withRange({ from: '1', to: 2 }), 'parameters.a.range.to: expected a string like from, got 2'],
      [withRange({ from: 1, to: '2' }), 'parameters.a.range.to: expected a number like from, got "2"'],
      [withRange({ from: 1, to: 0 }), 'parameters.a.range.to: expected at least from, 1, got 0'],
      [
        withRange({ from: 1, to: 9, stp: 2 }),
        'parameters.a.range: expected only the members from, to, step, count, scale, got "stp"',
      ],
      [
        withRange({ from: 1, to: 9, step: 0 }),
        'parameters.a.range.step: expected an integer from 1 to 8, the width of the range, got 0',
      ],
      [
        withRange({ from: 1, to: 9, step: '9' }),
        'parameters.a.range.step: expected an integer from 1 to 8, the width of the range, got "9"',
      ],
      [withRange({ from: 1, to: 1, step: -1 }), 'parameters.a.range.step: expected at least 1, got -1'],
      [
        withRange({ from: 1, to: 9, step: 1, count: 2 }),
        'parameters.a.range: expected either step or count, got both',
      ],
      [
        withRange({ from: 1, to: 9, count: 1 }),
        'parameters.a.range.count: expected an integer from 2, got 1',
      ],
      [
        withRange({ from: 1, to: 9, count: '2' }),
        'parameters.a.range.count: expected an integer from 2, got "2"',
      ],
      [
        withRange({ from: 1, to: 9, count: 10 }),
        'parameters.a.range.count: expected at most 9, the number of integers in the range, got 10',
      ],
      [
        withRange({ from: 1, to: 9, scale: 'ln' }),
        'parameters.a.range.scale: expected "linear" or "log", got "ln"',
      ],
      [
        withRange({ from: 1, to: 9, scale: 'log' }),
        'parameters.a.range.count: expected an integer from 2, because the scale is log, got nothing',
      ],
      [
        withRange({ from: 0, to: 9, count: 2, scale: 'log' }),
        'parameters.a.range.from: expected at least 1, because the scale is log, got 0',
      ],
      [
        withRange({ from: 1, to: 200_000, count: 100_001, scale: 'log' }),
        'parameters.a.range.count: expected at most 100000, because the scale is log, got 100001',
      ],
      [
        using({ a: { random: { from: '-1', to: '1', scale: 'log' } } }),
        'parameters.a.random.from: expected at least 1, because the scale is log, got "-1"',
      ],
      [
        using({ a: { random: { from: 1, to: 0 } } }),
        'parameters.a.random.to: expected at least from, 1, got 0',
      ],
      [
        using({ a: { random: { from: 1, to: 2, step: 1 } } }),
        'parameters.a.random: expected only the members from, to, scale, got "step"',
      ],
    ],
    'number of calls': [
      [
        withRange({ from: '1', to: `1${'0'.repeat(40)}` }),
        `parameters.a.range: expected at most 100000000 values, got 1${'0'.repeat(40)}`,
      ],
      [
        withRange({ from: 0, to: 200_000_000, count: 100_000_001 }),
        'parameters.a.range: expected at most 100000000 values, got 100000001',
      ],
      [
        {
          ...using({
            a: { range: { from: 1, to: 10_000 } },
            b: { values: [1, 2] },
            c: { random: { from: 1, to: 2 } },
          }),
          samples: 5_001,
        },
        'expected at most 100000000 calls, got 10000 × 2 × 5001 = 100020000',
      ],
    ],
  };

  function shortened(text: string): string {
    return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
  }

  describe('a sweep file is refused with the place and the expectation:', () => {
    for (const [subject, cases] of Object.entries(MESSAGES)) {
      test(subject, async () => {
        for (const [file, message] of cases) {
          assert.equal(await refused(JSON.stringify(file)), `sweep.json: ${message}`);
        }
      });
    }

    test('text that is not JSON', async () => {
      assert.match(await refused('{"call":\n x}'), /^sweep\.json: expected JSON: .*x/);
      assert.match(await refused(''), /^sweep\.json: expected JSON: /);
    });

    test('options, which are named without the file', async () => {
      const file = JSON.stringify(using({ a: { values: [1] } }));
      const message = async (options: SweepOptions) => refused(file, { options });
      assert.equal(await message({ samples: 0 }), 'samples: expected an integer from 1 to 100000000, got 0');
      assert.equal(await message({ seed: -1 }), 'seed: expected an integer from 0 to 4294967295, got -1');
      assert.equal(
        await message({ samples: 2 }),
        'samples: expected a random parameter, because only its values differ, got none',
      );
    });
  });

  describe('a CSV file is refused with the place and the expectation:', () => {
    async function message(csv: string | Uint8Array, code?: SweepErrorCode): Promise<string> {
      writeFileSync(join(directory, 'rows.csv'), csv);
      const file = {
        call: { method: 'view_call', params: { x: `\${row.x}`, y: `\${row.y}` } },
        parameters: { row: { csv: 'rows.csv', numbers: ['y'] } },
      };
      return refused(JSON.stringify(file), code === undefined ? {} : { code });
    }

    test('no rows', async () => {
      assert.equal(
        await message(''),
        'rows.csv: expected a row with the names of the columns, got an empty file',
      );
      assert.equal(
        await message('x,y\n\n'),
        'rows.csv: expected rows after the names of the columns, got none',
      );
    });

    test('columns', async () => {
      assert.equal(await message('x,y,x\n1,2,3'), 'rows.csv: line 1: expected one column x, got several');
      assert.equal(
        await message('x,,z\n1,2,3'),
        'sweep.json: parameters.row.numbers.0: expected a column of rows.csv (x, z), got "y"',
      );
      assert.equal(
        await message('y,z,,\n1,2,3,4'),
        'sweep.json: call.params.x: expected a column of rows.csv (y, z), got "x"',
      );
    });

    test('rows', async () => {
      assert.equal(
        await message('x,y\n1,2\n\n3'),
        'rows.csv: line 4: expected 2 values as in the header, got 1',
      );
      assert.equal(
        await message('x,y\n"1\n2",3\n1,2,3\n'),
        'rows.csv: line 4: expected 2 values as in the header, got 3',
      );
      for (const value of ['', '1.5', '01', '9007199254740992', 'x']) {
        assert.equal(
          await message(`x,y\n1,2\n1,${value}\n1,2`),
          `rows.csv: line 3, column y: expected an integer from -9007199254740991 to 9007199254740991, got "${value}"`,
        );
      }
      assert.match(await message('x,y\n1,"2'), /^rows\.csv: expected CSV: Quote Not Closed: .* line 2/);
    });

    test('bytes that are not text', async () => {
      assert.equal(
        await message(Uint8Array.of(0x78, 0xff), 'unreadable'),
        'rows.csv: expected UTF-8 text, got other bytes',
      );
    });
  });

  test('a file of more than 64 MiB is refused', async () => {
    assert.equal(
      await refused(Buffer.alloc(64 * 1_048_576 + 1, ' '), { code: 'unreadable' }),
      'sweep.json: expected at most 67108864 bytes (64 MiB), got more',
    );
  });

  test('files that cannot be read are named with the reason', async () => {
    const failure = async (path: string) => {
      const error = await readSweep(path, {}).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof SweepError);
      assert.equal(error.code, 'unreadable');
      return error.message;
    };
    assert.equal(await failure(join(directory, 'none.json')), `${directory}/none.json: no such file`);
    assert.equal(await failure(directory), `${directory}: expected a file, got a directory`);
    const file = {
      call: { method: 'view_call', params: { x: `\${row.x}` } },
      parameters: { row: { csv: 'data/none.csv' } },
    };
    assert.equal(await refused(JSON.stringify(file), { code: 'unreadable' }), 'data/none.csv: no such file');
  });
});
