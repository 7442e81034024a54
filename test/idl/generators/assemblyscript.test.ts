import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { compileContract } from '../../../src/idl/abi/contract-abi.js';
import { compileIdl } from '../../../src/idl/compiler/compile.js';
import {
  type ContractModule,
  generateContractClient,
  generateContractEntry,
  generateContractTypes,
} from '../../../src/idl/generators/assemblyscript.js';

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();
const PLACE = { className: 'Box', from: '../assembly/box', typesFrom: './box' };

function moduleOf(text: string): ContractModule {
  const { manifest } = compileIdl([{ name: 'box.idl', text }]);
  const [contract] = manifest.contracts;
  assert.ok(contract !== undefined);
  return { manifest, contract, source: 'box.idl', sha256 };
}

const BOX = moduleOf(`
/// Keeps a thing.
contract Box {
  method init(owner: address);
  /// Puts it in.
  @payable
  method put(thing: Thing, in: u8?) -> u128;
  view peek() -> Thing[];
  event Put { indexed owner: address; thing: Thing; }
  error Full { most: u32; }
}
/// What is kept.
struct Thing { name: string; weight: u64; }
`);

/** The selector as the entry point compares it: the first four bytes of the input, little-endian. */
function selectorOf(name: string): string {
  const { selector } = compileContract(BOX.manifest, sha256).function(name);
  return `0x${Buffer.from(selector).readUInt32LE().toString(16).padStart(8, '0')}`;
}

test('the author gets a class with a method for every declaration', () => {
  const text = generateContractTypes(BOX);
  assert.match(text, /^\/\/ Generated from box\.idl by `heddle contract build`\. Do not edit\.\n/);
  assert.ok(
    text.includes(`/** Keeps a thing. */
export abstract class BoxInterface {
  abstract init(owner: Address): void;

  /**
   * Puts it in.
   * Payable.
   */
  abstract put(thing: Thing, in_: Option<u8>): U128;

  /** A view: changes nothing. */
  abstract peek(): Array<Thing>;
}
`),
    text,
  );
});

test('structs can write and read themselves', () => {
  assert.ok(
    generateContractTypes(BOX).includes(`/** What is kept. */
@final
export class Thing {
  constructor(
    public name: string,
    public weight: u64,
  ) {}

  encode($writer: Writer): void {
    $writer.string(this.name);
    $writer.integer<u64>(this.weight);
  }

  decode($reader: Reader): void {
    this.name = $reader.string();
    this.weight = $reader.integer<u64>();
  }
}
`),
  );
});

test('a call is dispatched by its selector, read to its end, and answered', () => {
  const text = generateContractEntry(BOX, PLACE);
  assert.ok(
    text.includes(`    case ${selectorOf('put')}: {
      const thing = $input.read<Thing>();
      const in_ = readU8Option($input);
      $input.finish();
      const $result = $contract.put(thing, in_);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
`),
    text,
  );
  assert.ok(text.includes('import { Box } from "../assembly/box";\nimport { Thing } from "./box";\n'));
});

test('init is a separate entry point and accepts native balance only if declared so', () => {
  const text = generateContractEntry(BOX, PLACE);
  const [invoke = '', init = ''] = text.split('export function init()');
  assert.ok(!invoke.includes(selectorOf('init')));
  assert.match(init, new RegExp(`require\\(\\$input\\.integer<u32>\\(\\) == ${selectorOf('init')},`));
  assert.match(init, /refuseValue\(\);\n {2}const owner = /);
  assert.ok(!/case [^}]*refuseValue/.test(invoke), 'the only method is payable');
});

test('another contract calls by name, with an amount if the method is payable', () => {
  const text = generateContractClient(BOX);
  assert.match(text, /put\(thing: Thing, in_: Option<u8>, \$amount: U128 = U128\.zero\(\)\): U128 \{/);
  assert.match(text, /expectSuccess\(call\(this\.address, \$amount, u64\.MAX_VALUE, \$input\)\)/);
  assert.match(text, /expectSuccess\(view\(this\.address, u64\.MAX_VALUE, \$input\)\)/);
  assert.ok(!text.includes('init('), 'a deployed contract is not deployed again');
});

test('a contract without views, events, errors and types needs none of their imports', () => {
  const bare = moduleOf('contract Bare { method go(); }');
  assert.match(generateContractTypes(bare), /^\/\/ [^\n]*\n\nexport abstract class BareInterface/);
  const entry = generateContractEntry(bare, { ...PLACE, className: 'Bare' });
  assert.match(entry, /^import \{ Reader, refuseValue, revert \} from "heddle";$/m);
});

test('the generated text is deterministic', () => {
  assert.equal(generateContractTypes(BOX), generateContractTypes(BOX));
  assert.equal(generateContractEntry(BOX, PLACE), generateContractEntry(BOX, PLACE));
});
