import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { BorshError } from '../../../src/idl/codecs/codec-errors.js';
import { compileIdl } from '../../../src/idl/compiler/compile.js';
import { type IdlDiagnostic, IdlError } from '../../../src/idl/compiler/diagnostics.js';
import { compileTypes } from '../../support/runtime-codecs.js';
import { SAMPLE_IDL } from '../../support/sample-idl.js';
import { sweep } from '../../support/sweep.js';

function diagnosticsOf(text: string, binary = false): readonly IdlDiagnostic[] {
  try {
    compileIdl([{ name: 'x.idl', text, binary }]);
  } catch (error) {
    if (error instanceof IdlError) return error.diagnostics;
    throw error;
  }
  return [];
}

/** `line:column message` of every diagnostic. */
function messages(text: string, binary = false): readonly string[] {
  return diagnosticsOf(text, binary).map((d) => `${d.line}:${d.column} ${d.message}`);
}

describe('an error', () => {
  test('shows file, position, line and a caret', () => {
    assert.throws(
      () => compileIdl([{ name: 'a.idl', text: 'struct A {\n\tx: u65;\n}\n' }]),
      (error) => {
        assert.ok(error instanceof IdlError);
        assert.equal(
          error.message,
          'a.idl:2:5: error: unknown type u65; did you mean u64?\n2 | \tx: u65;\n  | \t   ^^^',
        );
        return true;
      },
    );
  });

  test('among very many is shown if it is one of the first; the others are counted', () => {
    const text = Array.from({ length: 30 }, (_, index) => `struct S${index} { x: u65; }`).join('\n');
    assert.equal(diagnosticsOf(text).length, 30);
    assert.throws(
      () => compileIdl([{ name: 'a.idl', text }]),
      (error) => {
        assert.ok(error instanceof IdlError);
        assert.equal(error.message.match(/error: unknown type/g)?.length, 20);
        assert.ok(error.message.endsWith('\n\nand 10 more mistakes'));
        return true;
      },
    );
  });

  test('in a very long line is shown with its surroundings', () => {
    const text = `struct A { ${'a: u8; '.repeat(1)}${' '.repeat(5000)} x: u65; ${' '.repeat(5000)} }`;
    const [diagnostic] = diagnosticsOf(text);
    assert.ok(diagnostic && diagnostic.column > 5000);
    assert.throws(
      () => compileIdl([{ name: 'a.idl', text }]),
      (e) => e instanceof IdlError && e.message.length < 600 && /x: u65;/.test(e.message),
    );
  });

  test('recognizes all line endings', () => {
    const [diagnostic] = diagnosticsOf('struct A {\r\n  x: u65;\r\n}');
    assert.equal(diagnostic?.sourceLine, '  x: u65;');
    assert.equal(diagnostic?.line, 2);
  });

  test('names its source, in the order of the sources', () => {
    assert.throws(
      () =>
        compileIdl([
          { name: 'one.idl', text: 'struct A { x: Nope1; }' },
          { name: 'two.idl', text: 'struct B { x: Nope2; a: A; }' },
        ]),
      (error) => {
        assert.ok(error instanceof IdlError);
        assert.deepEqual(
          error.diagnostics.map((d) => d.source),
          ['one.idl', 'two.idl'],
        );
        return true;
      },
    );
  });
});

describe('several errors are reported in one run', () => {
  test('of syntax, member by member and item by item', () => {
    const text = `struct A {
  x u8;
  y: u8;
  z: ;
}
strct B { }
enum C { One Two, Three }
interface I {
  method a(x: u8;
  method b() -> ;
  nothing();
}
struct D { ok: u8 }
`;
    assert.deepEqual(messages(text), [
      '2:5 expected : or ?:, got u8',
      '4:6 expected a type, got ;',
      '6:1 expected interface, contract, struct, enum or type, got strct; did you mean struct?',
      '7:14 expected : or , or }, got Two',
      '9:17 expected , or ), got ;',
      '10:17 expected a type, got ;',
      '11:3 expected method or }, got nothing',
      '13:19 expected ;, got }',
    ]);
  });

  test('of names and annotations', () => {
    const text = `struct A { x: Missing; x: u8; }
struct A { }
enum E { One, One, HTTPError, HttpError }
interface I { @tier(secret) @cost("1") @foo @since(1) @since("2") method m(); method m(); }
contract C { @tier(public) method m(a: I); view m(); }
type T = U;
type U = T[];
`;
    assert.deepEqual(messages(text), [
      '1:15 unknown type Missing',
      '1:24 x is already a field of A, declared in x.idl:1',
      '2:8 A is declared twice; first in x.idl:1',
      '3:15 One is already a variant of E, declared in x.idl:3',
      '3:31 HttpError and HTTPError are both written http_error in JSON',
      '4:21 expected @tier(public), @tier(paid) or @tier(admin), got secret',
      '4:35 expected @cost(units)',
      '4:41 unknown annotation @foo; known are @tier, @cost, @since, @deprecated, @once, @immutable, @payable, @max',
      '4:52 expected @since("1.0")',
      '4:56 @since is given twice',
      '4:86 m is already a method of I, declared in x.idl:4',
      '5:15 @tier belongs on a method of an interface',
      '5:40 expected a type, but I is an interface or contract',
      '5:49 m is already a method or view of C, declared in x.idl:5',
      '6:6 the alias leads back to itself: T → U → T',
      '7:6 the alias leads back to itself: U → T → U',
    ]);
  });

  test('up to a limit', () => {
    const found = diagnosticsOf(`struct A { ${'x: Nope; '.repeat(5000)} }`);
    assert.equal(found.length, 100);
  });
});

describe('impossible types are refused', () => {
  test('a struct that always contains itself', () => {
    assert.deepEqual(messages('struct A { b: B; } struct B { a: A[2]; } struct User { a: A; }'), [
      '1:8 A always holds another A; put a list or an option between',
      '1:27 B always holds another B; put a list or an option between',
    ]);
    assert.deepEqual(messages('enum E { A: F } struct F { e: E; }').length, 2);
    assert.deepEqual(
      messages('struct A { a: A?; b: A[]; } enum L { End, More: M } struct M { next: L; }'),
      [],
    );
  });

  test('an option of an option', () => {
    assert.equal(messages('struct A { x: u8??; }').length, 1);
    assert.equal(messages('type M = u8?; struct A { x?: M; }').length, 1);
    assert.equal(messages('struct A { x?: u8?; }').length, 1);
    assert.equal(messages('type M = u8?; struct A { x: M?[]; }').length, 1);
    assert.deepEqual(messages('type M = u8?; struct A { x: M; y: M[]?; }'), []);
  });

  test('json in a hashed type or in contract arguments', () => {
    const said = 'json has no binary form, so it cannot be part of this type';
    assert.deepEqual(messages('struct J { j: json; } struct A { j: J[]; }', true), [
      `1:15 ${said}`,
      `1:37 ${said}`,
    ]);
    assert.deepEqual(messages('struct J { j: json; } struct A { j: J[]; }'), []);
    assert.deepEqual(
      messages(
        'struct J { j: json; } contract C { view v(j: J) -> u8; view w() -> json; event E { e: J; } error R { r: json[]; } }',
      ).length,
      4,
    );
  });

  test('@max on a type without a length', () => {
    const said = '@max belongs on a string, bytes or a list of varying length';
    assert.deepEqual(
      messages('struct A { @max(3) a: u8; @max(3) b: u8[3]; @max(3) c: bytes3; }').map((m) =>
        m.replace(/^\S+ /, ''),
      ),
      [said, said, said],
    );
    assert.deepEqual(
      messages('type T = string; type L = T[]; struct A { @max(3) a: T; @max(3) b: L; @max(3) c: bytes?; }'),
      [],
    );
    assert.equal(messages('@max(3) struct A { }')[0], '1:2 @max belongs on a field or a type alias');
  });

  test('names of built-in types, and names of Object.prototype members', () => {
    assert.deepEqual(messages('struct u8 { } struct bytes99 { }'), [
      '1:8 u8 is the name of a built-in type; choose another',
      '1:22 bytes99 is the name of a built-in type; choose another',
    ]);
    assert.equal(messages('struct A { __proto__: u8; constructor: u8; toString: u8; }').length, 3);
    assert.equal(messages('struct A { b: bytes0; c: bytes65536; d: bytes65535; }').length, 2);
  });

  test('lists of empty types, lists without length, enums without variants', () => {
    assert.equal(messages('struct E { } struct A { e: E[]; f: E?[]; }').length, 1);
    assert.equal(messages('struct A { e: u8[0]; }').length, 1);
    assert.deepEqual(messages('enum E { }'), ['1:6 the enum E has no variants']);
    assert.deepEqual(messages('enum E { A B }'), ['1:12 expected : or , or }, got B']);
    assert.equal(
      messages(`enum E { ${Array.from({ length: 257 }, (_, i) => `V${i}`).join(',')} }`).length,
      1,
    );
  });

  test('types nested too deep', () => {
    assert.match(messages(`struct A { x: u8${'[]'.repeat(20_000)}; }`)[0] ?? '', /at most 8 levels/);
  });
});

describe('a text made to take long, or to exhaust the stack, is refused quickly', () => {
  const many = (n: number, line: (i: number) => string): string =>
    Array.from({ length: n }, (_, i) => line(i)).join('\n');

  test('because of the number of its declarations', () => {
    assert.deepEqual(messages(many(5000, (i) => `type A${i} = A${i + 1};`)), [
      '1001:6 expected at most 1000 declarations, got 5000',
    ]);
  });

  test('because of the depth of its types', () => {
    const chain = many(900, (i) => `struct S${i} { next: S${i + 1}${'[]'.repeat(8)}; }`);
    const found = messages(`${chain}\nstruct S900 { a: u8; }`);
    assert.equal(found.length, 1);
    assert.match(found[0] ?? '', /holds types more than 100 levels deep/);
  });

  test('because of the number of its errors', () => {
    assert.equal(
      messages(many(900, (i) => `struct S${i} { a: Missing${i}; b: Missing${i}; b: u8; }`)).length,
      100,
    );
    assert.equal(messages(`strct X\n${'///\n'.repeat(20_000)}`).length, 1);
  });

  test('but a cycle of hundreds of types is accepted', () => {
    const circle = many(900, (i) => `struct S${i} { next: S${(i + 1) % 900}[]; }`);
    const codecs = compileTypes<Record<string, unknown>>(
      compileIdl([{ name: 'circle.idl', text: circle }]).manifest,
    );
    const deep = new Uint8Array(4 * 10_000).map((_, i) => (i % 4 === 0 ? 1 : 0));
    assert.throws(
      () => codecs['S0']?.decode(deep),
      (error) => error instanceof BorshError && error.code === 'too_deep',
    );
  });
});

describe('the source text', () => {
  test('allows keywords as names', () => {
    const text = `struct struct_ { struct: u8; enum: u8; type: u8; indexed: u8; method: u8; interface: u8; error: u8; }
contract C { event event { indexed indexed: u8; event: u8; } error error { error: u8; } method method(view: u8); view view(); }`;
    assert.deepEqual(messages(text), []);
  });

  test('reports invalid strings, numbers and characters', () => {
    assert.deepEqual(
      messages('interface I { @since("1.0) method a();\n method b(); }')[0],
      '1:22 expected " to close the string before the line ends',
    );
    assert.deepEqual(messages('struct A { x: u8[0x10]; }')[0], '1:18 expected a decimal integer, got 0x10');
    assert.deepEqual(messages('struct A { x: u8; } §')[0], '1:21 unexpected character "§"');
    assert.match(messages('/* no */ struct A { }')[0] ?? '', /comments are written \/\//);
  });

  test('reports an unclosed brace once', () => {
    assert.deepEqual(messages('struct A { x: u8;\nstruct B { y: u8; }'), ['2:8 expected : or ?:, got B']);
    assert.equal(messages('struct A { x: u8;').length, 1);
  });

  test('is always compiled or refused with an IdlError', () => {
    const words = [
      'struct',
      'enum',
      'A',
      'x',
      ':',
      ';',
      '{',
      '}',
      '(',
      ')',
      '[',
      ']',
      '?',
      ',',
      '=',
      '@max',
      '"s"',
      '3',
      'u8',
      '->',
      'type',
      'contract',
      'event',
      'interface',
      'method',
      '///d\n',
      '\n',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (tokens) => {
        diagnosticsOf(tokens.join(' '));
      }),
      { numRuns: sweep(100) },
    );
    fc.assert(
      fc.property(fc.nat(SAMPLE_IDL.length - 1), fc.nat(30), fc.string({ maxLength: 5 }), (at, cut, put) => {
        diagnosticsOf(SAMPLE_IDL.slice(0, at) + put + SAMPLE_IDL.slice(at + cut));
      }),
      { numRuns: sweep(30) },
    );
  });
});
