import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { IdlError } from '../../src/idl/compiler/diagnostics.js';
import { contractNameOf } from '../../src/idl/contract-name.js';

describe('the name of the contract in an interface text', () => {
  test('is found where the compiler finds it', () => {
    for (const [text, name] of [
      ['/// contract Old {\ncontract Token { view name() -> string; }', 'Token'],
      ['struct contract { contract: u8; } @since("contract X {") contract A_1{}', 'A_1'],
      ['type contract = u64;\nenum E { contract, Token }\ncontract\n// contract C {}\nB {}', 'B'],
      ['contract A {} contract B {}', undefined],
      ['interface Only { method a(); }', undefined],
      ['', undefined],
      ['contract', undefined],
    ] as const) {
      assert.equal(contractNameOf(text), name, text);
    }
  });

  test('is that of every text that compiles', () => {
    const parts = fc.constantFrom(
      ...[
        'contract ',
        'struct ',
        'type ',
        'A ',
        'B',
        ' { ',
        ' }',
        ': u8;',
        '= u8;',
        ' // x\n',
        '"',
        '\\',
        '@a("}")',
        '\n',
      ],
    );
    let compiled = 0;
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 9 }), (given) => {
        const text = `${given.join('')}\ncontract Named { }`;
        const found = contractNameOf(text);
        try {
          const { contracts } = compileIdl([{ name: 'a.idl', text }]).manifest;
          assert.equal(found, contracts.length === 1 ? contracts[0]?.name : undefined);
          compiled++;
        } catch (error) {
          if (!(error instanceof IdlError)) throw error;
        }
      }),
      { numRuns: 3_000, seed: 7 },
    );
    assert.ok(compiled > 50, `${compiled} texts compiled`);
  });
});
