import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { IdlError } from '../../../src/idl/compiler/diagnostics.js';
import { generateContractFile, generateUserFiles } from '../../../src/idl/compiler/user-files.js';
import { UserProject } from '../../support/contracts/user-project.js';

/** Type names that the generated code imports from the library, or that TypeScript defines. */
const NAMES = [
  'BorshReader',
  'BorshWriter',
  'CallFunctions',
  'Client',
  'CodecTable',
  'ContractOptions',
  'CounterContract',
  'FunctionTable',
  'JsonReader',
  'JsonValue',
  'JsonWriter',
  'Manifest',
  'MethodCodec',
  'ReadClient',
  'Record',
  'TypedContract',
  'Writable',
  'bindCodecs',
  'borshWriter',
];

const TYPES = `${NAMES.map((name) => `struct ${name} { count: u64; note?: string; }`).join('\n')}
struct Nothing { }
struct All { ${NAMES.map((name, i) => `f${i}: ${name};`).join(' ')} nothing: Nothing; }
enum Promise { None, Some: Record[] }
`;

const CONTRACT = `contract Shop {
  method order(all: All, promise: Promise) -> Record;
  method close();
  view client(name: string) -> Client?;
  event Closed { }
}
`;

const INTERFACE = `struct Loose { any: json; many: json[]; value: JsonValue; }
interface Api {
  method order(all: All, promise?: Promise) -> Nothing;
  method nothing();
  method loose(loose: Loose, any: json) -> json[];
}
`;

describe('types named like library types', () => {
  const project = new UserProject();
  after(() => project.remove());

  test('do not break the generated modules', () => {
    const files = [
      generateContractFile([{ name: 'shop.idl', text: TYPES + CONTRACT }]),
      ...generateUserFiles([{ name: 'api.idl', text: TYPES + INTERFACE }], 'api'),
    ];
    for (const { name, text } of files) project.write(name, text);
    project.write(
      'use.ts',
      `import type { Nothing, Record } from './shop-contract.js';
export const nothing: Nothing = {};
export const record: Record = { count: 1n };
// @ts-expect-error: it has no members
export const something: Nothing = { count: 1n };
`,
    );
    assert.deepEqual(project.compile(), []);
  });
});

describe('a type named like a generated declaration', () => {
  const mistake = (generate: () => unknown) => {
    try {
      generate();
    } catch (error) {
      assert.ok(error instanceof IdlError, String(error));
      return error.diagnostics.map(({ line, column, message }) => ({ line, column, message }));
    }
    return assert.fail('expected an IdlError');
  };
  const told = (name: string) => [
    { line: 2, column: 8, message: `${name} is a name that the generated code has already; choose another` },
  ];

  test('is reported at its position, in a contract', () => {
    for (const name of ['CounterContract', 'heddle', 'Uint8Array']) {
      const text = `contract Counter { view get() -> u64; }\nstruct ${name} { a: u8; }`;
      assert.deepEqual(
        mistake(() => generateContractFile([{ name: 'counter.idl', text }])),
        told(name),
      );
    }
  });

  test('is reported at its position, in other IDL', () => {
    for (const name of ['ThingsTypes', 'ApiMethods', 'w']) {
      const text = `interface Api { method get() -> u64; }\nstruct ${name} { a: u8; }`;
      assert.deepEqual(
        mistake(() => generateUserFiles([{ name: 'things.idl', text }], 'things')),
        told(name),
      );
    }
  });
});
