import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { readSweep, type Sweep, type SweepOptions } from '../../src/farm/sweep/sweep.js';
import { readCallLine } from '../../src/load/calls/call-line.js';

describe('sweeps', () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-sweep-'));
  after(() => rmSync(directory, { recursive: true, force: true }));

  /** Reads a sweep from files with these contents. */
  function sweepOf(
    file: object,
    csv: Readonly<Record<string, string>> = {},
    options: SweepOptions = {},
  ): Promise<Sweep> {
    for (const [name, text] of Object.entries(csv)) writeFileSync(join(directory, name), text);
    const path = join(directory, 'sweep.json');
    writeFileSync(path, JSON.stringify(file));
    return readSweep(path, options);
  }

  interface Line {
    readonly id: Readonly<Record<string, unknown>>;
    readonly method: string;
    readonly params: unknown;
  }

  function parsed(sweep: Sweep): Line[] {
    return [...sweep.lines()].map((line) => JSON.parse(line) as Line);
  }

  const call = (params: object) => ({ method: 'view_call', params });

  /** A reference in a template. */
  const reference = (name: string) => `\${${name}}`;

  /** The identifiers of the calls of a sweep with these parameters, each used once. */
  async function ids(parameters: object, rest: object = {}, options: SweepOptions = {}): Promise<unknown[]> {
    const params = Object.fromEntries(Object.keys(parameters).map((name) => [name, reference(name)]));
    const sweep = await sweepOf({ call: call(params), parameters, ...rest }, {}, options);
    return parsed(sweep).map(({ id }) => id);
  }

  describe('the grid', () => {
    test('has each combination once; the first parameter varies slowest', async () => {
      assert.deepEqual(
        await ids({
          height: { range: { from: 1, to: 2 } },
          who: { values: ['a', 'b'] },
          flag: { values: [true] },
        }),
        [
          { height: 1, who: 'a', flag: true },
          { height: 1, who: 'b', flag: true },
          { height: 2, who: 'a', flag: true },
          { height: 2, who: 'b', flag: true },
        ],
      );
    });

    test('has the rows of a CSV file as the values of one parameter, with the used columns', async () => {
      const sweep = await sweepOf(
        {
          call: call({
            args: { to: `\${row.to address}`, amount: `\${row.amount}` },
            at: { type: 'height', value: `\${row.height}` },
            fee: `\${fee}`,
          }),
          parameters: {
            row: { csv: 'rows.csv', numbers: ['height'] },
            fee: { values: ['1', '2'] },
          },
        },
        {
          'rows.csv':
            '\uFEFFto address, amount ,unused,height\r\n"0x,01"," 7 ",x,5\r\n\r\n0x02,"say ""8""\nor 9",,-6',
        },
      );
      assert.equal(sweep.size, 4);
      const rows = [
        { to: '0x,01', amount: ' 7 ', height: 5 },
        { to: '0x02', amount: 'say "8"\nor 9', height: -6 },
      ];
      assert.deepEqual(
        parsed(sweep),
        rows.flatMap(({ to, amount, height }) =>
          ['1', '2'].map((fee) => ({
            id: { 'row.to address': to, 'row.amount': amount, 'row.height': height, fee },
            method: 'view_call',
            params: { args: { to, amount }, at: { type: 'height', value: height }, fee },
          })),
        ),
      );
    });

    test('may have the largest number of calls: lines are made as they are read', async () => {
      const sweep = await sweepOf({
        call: call({ a: `\${a}`, b: `\${b}` }),
        parameters: { a: { range: { from: 1, to: 10_000 } }, b: { range: { from: '1', to: '10000' } } },
      });
      assert.equal(sweep.size, 100_000_000);
      const [first] = sweep.lines();
      assert.equal(first, '{"id":{"a":1,"b":"1"},"method":"view_call","params":{"a":1,"b":"1"}}');
    });
  });

  describe('random parameters', () => {
    const parameters = {
      who: { values: ['a', 'b'] },
      noise: { random: { from: '0', to: '340282366920938463463374607431768211455' } },
      size: { random: { from: 1, to: 1_000_000, scale: 'log' } },
    };

    test('are drawn for each sample at each point; the draws of a seed never change', async () => {
      // `noise` agrees with another implementation: four words of MT19937 per draw, their highest bits inverted.
      assert.deepEqual(await ids(parameters, { samples: 2, seed: 7 }), [
        { who: 'a', noise: '196107549454002424709535048929137666550', size: 160_973 },
        { who: 'a', noise: '319324112210649521868607324365162362471', size: 5_947 },
        { who: 'b', noise: '162651404007089079266104434160537766423', size: 4_169 },
        { who: 'b', noise: '381274486643749370391011367243741738', size: 14 },
      ]);
    });

    test('have seed 1 and one sample unless given, and options replace the members of the file', async () => {
      const [point, ...others] = await ids(parameters);
      assert.equal(others.length, 1);
      assert.deepEqual(await ids(parameters, { samples: 1, seed: 1 }), [point, ...others]);
      assert.deepEqual(
        await ids(parameters, { samples: 9, seed: 9 }, { samples: 3, seed: 4 }),
        await ids(parameters, { samples: 3, seed: 4 }),
      );
    });

    test('differ between seeds from the first call on', async () => {
      const firsts = new Set<string>();
      for (const seed of [0, 1, 2, 3, 2 ** 31, 2 ** 32 - 1]) {
        firsts.add(JSON.stringify((await ids(parameters, { seed }))[0]));
      }
      assert.equal(firsts.size, 6);
    });
  });

  describe('the template', () => {
    test('takes whole values with their type, and text inside longer strings', async () => {
      const sweep = await sweepOf({
        call: call({
          whole: `\${n}`,
          inside: `<\${n}|\${s}|\${b}>`,
          list: [[`\${s}`], 1.5, null],
          any: `\${any}`,
        }),
        parameters: {
          n: { values: [-5] },
          s: { values: ['say "x"\n'] },
          b: { values: [false] },
          any: { values: [{ tracer: 'calls', deep: [1] }] },
        },
      });
      assert.deepEqual(parsed(sweep)[0]?.params, {
        whole: -5,
        inside: '<-5|say "x"\n|false>',
        list: [['say "x"\n'], 1.5, null],
        any: { tracer: 'calls', deep: [1] },
      });
    });

    test('keeps members with any name', async () => {
      const text = `{"call":{"method":"view_call","params":{"__proto__":"\${constructor}","constructor":1}},
      "parameters":{"constructor":{"values":[3]}}}`;
      const path = join(directory, 'names.json');
      writeFileSync(path, text);
      assert.deepEqual(
        [...(await readSweep(path, {})).lines()],
        ['{"id":{"constructor":3},"method":"view_call","params":{"__proto__":3,"constructor":1}}'],
      );
    });

    test('gives lines that line readers do not split', async () => {
      const separated = 'a\u2028b\u2029c\r\nd';
      const sweep = await sweepOf(
        {
          call: call({ text: `${separated} \${a}`, [separated]: `\${row.x}` }),
          parameters: { a: { values: [separated] }, row: { csv: 'separated.csv' } },
        },
        { 'separated.csv': `x\n"${separated}"` },
      );
      const lines: string[] = [];
      for await (const line of createInterface({ input: Readable.from([...sweep.lines()]) }))
        lines.push(line);
      assert.deepEqual(
        lines.map((line) => JSON.parse(line)),
        [
          {
            id: { a: separated, 'row.x': separated },
            method: 'view_call',
            params: { text: `${separated} ${separated}`, [separated]: separated },
          },
        ],
      );
    });

    test('keeps other text unchanged, with the braces of references escaped', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            fc.string({ unit: fc.constantFrom('$', '{', '}', 'a', '"') }),
            fc.string({ unit: 'grapheme' }),
          ),
          async (text) => {
            const escaped = text.split('${').join('$${');
            const sweep = await sweepOf({
              call: call({ text: escaped, before: `${escaped} \${a}`, after: `\${a} ${escaped}` }),
              parameters: { a: { values: [1] } },
            });
            assert.deepEqual(parsed(sweep)[0]?.params, { text, before: `${text} 1`, after: `1 ${text}` });
          },
        ),
      );
    });
  });

  /** Values of one parameter, and its definition. */
  interface Modelled {
    /** One element per value: the used columns, or the value under an empty name. */
    readonly points: readonly Readonly<Record<string, unknown>>[];
    readonly definition: object;
    readonly csv?: string;
  }

  const text = fc.string({ unit: 'grapheme' });
  const single = (values: readonly unknown[]) => values.map((value) => ({ '': value }));

  const modelledRange = fc
    .tuple(
      fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
      fc.nat(4),
      fc.integer({ min: 1, max: 99 }),
      fc.boolean(),
    )
    .map(([from, gaps, step, isText]): Modelled => {
      const as = (value: bigint) => (isText ? String(value) : Number(value));
      const values = Array.from({ length: gaps + 1 }, (_, index) => as(from + BigInt(index * step)));
      return { points: single(values), definition: { range: { from: values[0], to: values.at(-1), step } } };
    });

  const modelledValues = fc
    .uniqueArray(fc.oneof(text, fc.integer(), fc.boolean()), {
      minLength: 1,
      maxLength: 4,
      selector: JSON.stringify,
    })
    .map((values): Modelled => ({ points: single(values), definition: { values } }));

  const modelledCsv = fc
    .array(fc.record({ 'a.b': text, é: text, n: fc.maxSafeInteger() }), { minLength: 1, maxLength: 4 })
    .map((points): Modelled => {
      const cell = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`;
      const rows = points.map((row) => Object.values(row).map(cell).join(','));
      return { points, csv: ['a.b,é,n', ...rows].join('\n'), definition: { numbers: ['n'] } };
    });

  const modelledGrid = fc.array(fc.oneof(modelledRange, modelledValues, modelledCsv), { maxLength: 3 });

  /** All combinations, the first parameter varying slowest, as the identifiers of calls. */
  function combinations(grid: readonly Modelled[]): Record<string, unknown>[] {
    let found: Record<string, unknown>[] = [{}];
    for (const [position, { points }] of grid.entries()) {
      found = found.flatMap((start) =>
        points.map((point) => {
          const named = Object.entries(point).map(([column, value]) => [
            column === '' ? `p${position}` : `p${position}.${column}`,
            value,
          ]);
          return { ...start, ...Object.fromEntries(named) };
        }),
      );
    }
    return found;
  }

  test('a sweep has each call of its grid in order, readable as a call, and repeats them', async () => {
    await fc.assert(
      fc.asyncProperty(
        modelledGrid,
        fc.option(
          fc.record({ from: fc.nat(50), distance: fc.nat(50), samples: fc.integer({ min: 1, max: 3 }) }),
        ),
        fc.nat(),
        async (grid, random, seed) => {
          fc.pre(grid.length > 0 || random !== null);
          const expected = combinations(grid);
          const names = [...Object.keys(expected[0] ?? {}), ...(random === null ? [] : ['noise'])];
          const csv: Record<string, string> = {};
          const parameters: Record<string, object> = {};
          for (const [position, { definition, csv: content }] of grid.entries()) {
            const file = `p${position}.csv`;
            if (content !== undefined) csv[file] = content;
            parameters[`p${position}`] = content === undefined ? definition : { csv: file, ...definition };
          }
          if (random !== null) {
            parameters['noise'] = { random: { from: random.from, to: random.from + random.distance } };
          }
          const params = {
            whole: Object.fromEntries(names.map((name) => [name, reference(name)])),
            inside: names.map((name) => `(${reference(name)})`).join(''),
          };
          const sweep = await sweepOf(
            { call: call(params), parameters, ...(random && { samples: random.samples }), seed },
            csv,
          );

          const lines = [...sweep.lines()];
          assert.equal(lines.length, sweep.size);
          assert.deepEqual([...sweep.lines()], lines);
          const samples = random?.samples ?? 1;
          assert.equal(sweep.size, expected.length * samples);
          for (const [index, line] of lines.entries()) {
            const checked = readCallLine(line);
            assert.ok(!('problem' in checked), line);
            const id = checked.id as Record<string, unknown>;
            const { noise, ...point } = id;
            assert.deepEqual(point, expected[Math.floor(index / samples)]);
            if (random !== null) {
              assert.ok(Number(noise) >= random.from && Number(noise) <= random.from + random.distance);
            }
            assert.deepEqual(JSON.parse(checked.params), {
              whole: id,
              inside: names.map((name) => `(${id[name]})`).join(''),
            });
          }
        },
      ),
    );
  });
});
