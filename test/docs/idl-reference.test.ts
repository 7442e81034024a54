// docs/idl.md agrees with the compiler: its examples, its list of refusals, its grammar, and the parts that are generated.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileContract } from '../../src/idl/abi/contract-abi.js';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { DiagnosticSink, IdlError } from '../../src/idl/compiler/diagnostics.js';
import { parse } from '../../src/idl/compiler/parser.js';
import { checkPage } from '../support/pages/page-script.js';
import { compileTypes } from '../support/runtime-codecs.js';
import { sweep } from '../support/sweep.js';
import { sha256 } from '../support/worlds/contract-world.js';
import { root } from './pages.js';

const page = readFileSync(join(root, 'docs', 'idl.md'), 'utf8');
const examples = [...page.matchAll(/^```idl\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

test('the generated parts of docs/idl.md are current', () => {
  const { status, stderr } = checkPage('scripts/idl.mjs');
  assert.equal(status, 0, stderr);
});

test('every example of docs/idl.md compiles', () => {
  assert.ok(examples.length > 4);
  for (const text of examples) compileIdl([{ name: 'example.idl', text }]);
});

test('the codecs read and write JSON values exactly as docs/idl.md shows them', () => {
  const values = [...page.matchAll(/<!-- value of (\w+) -->\n```json\n([\s\S]*?)^```$/gm)];
  assert.ok(values.length > 2);
  for (const [, type = '', json = ''] of values) {
    const text = examples.find((each) => new RegExp(`^(?:struct|enum) ${type} `, 'm').test(each)) ?? '';
    const codec = compileTypes<Record<string, unknown>>(compileIdl([{ name: 'example.idl', text }]).manifest)[
      type
    ];
    assert.ok(codec !== undefined, type);
    const value: unknown = JSON.parse(json);
    assert.deepEqual(JSON.parse(codec.toJson(codec.decode(codec.encode(codec.fromJson(value))))), value);
  }
});

const refusals = [
  ...(/<!-- refused -->([\s\S]*?)\n\n## /.exec(page)?.[1]?.matchAll(/^\| `(.*?)` +\| `(.*?)` +\|$/gm) ?? []),
].map(([, text = '', message = '']) => ({ text, message }));

test('the compiler refuses what docs/idl.md shows as refused, with the same message', () => {
  assert.ok(refusals.length > 30);
  for (const { text, message } of refusals) {
    assert.throws(
      () => compileIdl([{ name: 'x.idl', text }]),
      (error) => error instanceof IdlError && error.diagnostics[0]?.message === message,
      `${text}: expected ${message}`,
    );
  }
});

/** Names of types that generated code uses already: refused only where code is generated. */
const ONLY_GENERATED = ' is a name that the generated code has already; choose another';

test('docs/idl.md shows every message of the compiler', () => {
  const folder = join(root, 'src', 'idl', 'compiler');
  const reports = readdirSync(folder).flatMap((name) => [
    ...readFileSync(join(folder, name), 'utf8').matchAll(/\.report\(([\s\S]*?)\);\n/g),
  ]);
  assert.ok(reports.length > 25);
  for (const [, report = ''] of reports) {
    // The table of limits has the limits' values.
    if (report.includes('IDL_LIMITS')) continue;
    const literals = [...report.matchAll(/'([^'\n]* [^'\n]*)'|`([^\n]* [^\n]*)`/g)];
    for (const [, plain, template] of literals) {
      const fixed = (plain ?? template ?? '').replaceAll('\\\\', '\\').split(/\$\{.*?\}/);
      const longest = fixed.reduce((most, part) => (part.length > most.length ? part : most), '');
      if (longest === ONLY_GENERATED) continue;
      assert.ok(
        refusals.some(({ message }) => message.includes(longest)),
        `docs/idl.md lacks: ${longest}`,
      );
    }
  }
});

const grammar = new Map(
  [...(/```ebnf\n([\s\S]*?)```/.exec(page)?.[1] ?? '').matchAll(/^(\w+) +=(.*);$/gm)].map(
    ([, rule = '', body = '']) => [rule, body],
  ),
);

const TOKENS: Readonly<Record<string, readonly string[]>> = {
  name: ['x', 'Name_2', '_', 'struct', 'error', 'indexed'],
  integer: ['1', '4294967295'],
  string: ['"text"', '"\\"\\\\\\n"'],
  doc: ['/// a line\n'],
};

/** Derives a text from a rule of the grammar. `pick(n)` chooses one of n ways; 0 is the shortest. */
function derived(rule: string, pick: (ways: number) => number): string {
  const tokens = TOKENS[rule];
  if (tokens !== undefined) return tokens[pick(tokens.length)] ?? '';
  const marks = [
    ...(grammar.get(rule) ?? assert.fail(`no rule ${rule}`)).matchAll(/"[^"]*"|\w+|[()|*?]/g),
  ].map(([mark]) => mark);
  let at = 0;
  /** Alternatives up to a closing parenthesis or the end. */
  const alternatives = (isShown: boolean): string => {
    const start = at;
    const count = 1 + barsFrom(start);
    const chosen = isShown ? pick(count) : 0;
    let text = '';
    for (let i = 0; i < count; i++) {
      const part = sequence(isShown && i === chosen);
      if (i === chosen) text = part;
      if (marks[at] === '|') at++;
    }
    return text;
  };
  const barsFrom = (start: number): number => {
    let [depth, bars] = [0, 0];
    for (let i = start; i < marks.length && depth >= 0; i++) {
      if (marks[i] === '(') depth++;
      else if (marks[i] === ')') depth--;
      else if (marks[i] === '|' && depth === 0) bars++;
    }
    return bars;
  };
  const sequence = (isShown: boolean): string => {
    let text = '';
    while (at < marks.length && marks[at] !== ')' && marks[at] !== '|') text += repeated(isShown);
    return text;
  };
  const repeated = (isShown: boolean): string => {
    const start = at;
    const skipped = single(false);
    const suffix = marks[at];
    const most = suffix === '*' ? 3 : 1;
    const times = !isShown ? 0 : suffix === '*' || suffix === '?' ? pick(most + 1) : 1;
    let text = skipped;
    for (let i = 0; i < times; i++) {
      at = start;
      text += single(true);
    }
    if (suffix === '*' || suffix === '?') at++;
    return text;
  };
  const single = (isShown: boolean): string => {
    const mark = marks[at++] ?? '';
    if (mark === '(') {
      const text = alternatives(isShown);
      at++;
      return text;
    }
    if (!isShown) return '';
    return mark.startsWith('"') ? `${mark.slice(1, -1)} ` : `${derived(mark, pick)} `;
  };
  return alternatives(true);
}

test('the parser accepts every text that the grammar of docs/idl.md derives', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 80 }), (choices) => {
      // Without choices left, the text ends soon.
      const left = choices.values();
      const source = { name: 'x.idl', text: derived('file', (ways) => (left.next().value ?? 0) % ways) };
      const sink = new DiagnosticSink();
      parse(source, sink);
      sink.throwIfAny([source]);
    }),
    { numRuns: sweep(300), includeErrorInReport: true },
  );
});

test('a selector depends on exactly the names and types that docs/idl.md lists', () => {
  const signature = (text: string): string | undefined =>
    compileContract(compileIdl([{ name: 'x.idl', text }]).manifest, sha256).functions.get('f')?.signature;
  const own = signature('contract C { method f(a: S, b?: u8); } struct S { x: u8; }');
  for (const same of [
    'contract C { method f(other: S, b?: u8) -> u8; event E { } } struct S { x: u8; y: u8; }',
    'contract C { method f(a: Alias, b: u8?); } type Alias = S; struct S { }',
  ]) {
    assert.equal(signature(same), own, same);
  }
  for (const other of [
    'contract D { method f(a: S, b?: u8); } struct S { x: u8; }',
    'contract C { method f(a: T, b?: u8); } struct T { x: u8; }',
    'contract C { method f(b?: u8, a: S); } struct S { x: u8; }',
    'contract C { method f(a: S); } struct S { x: u8; }',
  ]) {
    assert.notEqual(signature(other), own, other);
  }
});
