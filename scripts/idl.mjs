// Writes the generated parts of docs/idl.md: grammar, types, annotations, encodings and limits, from the code. Needs a build.
// usage: node scripts/idl.mjs [--check]
import { createHash } from 'node:crypto';
import { readArguments } from '../dist/src/cli/contract/contract-arguments.js';
import { compileContract } from '../dist/src/idl/abi/contract-abi.js';
import { MAX_RECURSION } from '../dist/src/idl/codecs/codec-errors.js';
import { MAX_FOREIGN_LENGTH, MAX_JSON_DEPTH } from '../dist/src/idl/codecs/json-writer.js';
import { ANNOTATIONS } from '../dist/src/idl/compiler/annotations.js';
import { compileIdl } from '../dist/src/idl/compiler/compile.js';
import { IDL_LIMITS } from '../dist/src/idl/compiler/idl-limits.js';
import { generateContractTypes } from '../dist/src/idl/generators/assemblyscript.js';
import { AssemblyScriptCodecs, RESERVED } from '../dist/src/idl/generators/assemblyscript-codecs.js';
import { generateContractClient } from '../dist/src/idl/generators/contract-client.js';
import { JSON_FORMS } from '../dist/src/idl/generators/docs.js';
import { typeScriptType } from '../dist/src/idl/generators/typescript.js';
import { toHex, toPrefixedHex } from '../dist/src/idl/hex.js';
import { INTEGERS, MAX_FIXED_BYTES, PRIMITIVES } from '../dist/src/idl/primitives.js';
import { TypeTable } from '../dist/src/idl/type-table.js';
import { MAX_IDL_BYTES } from '../dist/src/ledger/constants.js';
import { HOST_LIMITS } from '../dist/src/vm/wasm/engine-limits.js';
import { commentAbove } from './doc-comments.mjs';
import { filledPage, read, table, writeGenerated } from './generated-pages.mjs';

const PAGE = 'docs/idl.md';
const COMPILER = 'src/idl/compiler';

const sha256 = (data) => createHash('sha256').update(data).digest();
const code = (text) => `\`${text}\``;
const block = (language, text) => `\`\`\`${language}\n${text}\n\`\`\``;
const number = (value) => value.toLocaleString('en-US').replace(/^-/, '−');
const escaped = (rows) => rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));

/** The grammar above the parser. */
function grammar() {
  const [, lines] = /\n((?: \* {3}\w.*\n)+)/.exec(read(`${COMPILER}/parser.ts`));
  return block('ebnf', lines.replaceAll(/^ \* {3}/gm, '').trimEnd());
}

/** The comments above entries of a collection in a source, by the name that `entry` finds in a line. */
function comments(path, entry) {
  const lines = read(path).split('\n');
  const found = lines.flatMap((line, at) => {
    const [, name] = entry.exec(line === '  [' ? line + lines[at + 1] : line) ?? [];
    return name === undefined ? [] : [[name, commentAbove(lines, at)]];
  });
  return (name) => {
    const [, text = ''] = found.find(([each]) => each === name) ?? [];
    if (text === '') throw new Error(`${path}: no doc comment for ${name}`);
    return text;
  };
}

const PLACES = {
  'method of an interface': 'methods of an interface',
  'method of a contract': 'methods of a contract',
  field: 'fields of structs, events, errors',
  alias: '`type` aliases',
};

function annotations() {
  const meaningOf = comments(`${COMPILER}/annotations.ts`, /^ {2}\[\s*'(\w+)',/);
  const rows = [...ANNOTATIONS].map(([name, { usage, places }]) => [
    usage
      .split(/(?:, | or )(?=@)/)
      .map(code)
      .join(' '),
    places?.map((place) => PLACES[place]).join('; ') ?? 'everything but parameters',
    meaningOf(name),
  ]);
  return table(escaped([['annotation', 'on', 'meaning'], ...rows]));
}

/** What the types without a range hold. */
const HELD = {
  bool: '`true` or `false`',
  string: 'UTF-8 text without lone surrogates',
  bytes: 'bytes, any number',
  address: '20 bytes: an account or contract',
  hash: '32 bytes',
  json: 'any JSON value; not in contracts',
};

function held(name) {
  const integer = INTEGERS.get(name);
  if (integer === undefined) return HELD[name];
  const { bits, signed } = integer;
  const power = signed ? bits - 1 : bits;
  if (bits > 32) return signed ? `−2^${power} to 2^${power} − 1` : `0 to 2^${power} − 1`;
  return `${signed ? number(-(2 ** power)) : 0} to ${number(2 ** power - 1)}`;
}

function primitives() {
  const types = new TypeTable({ structs: [], enums: [], aliases: [] });
  const codecs = new AssemblyScriptCodecs(types);
  const row = (name, shown, what) => {
    const size = types.exactSize(name);
    const hasBinary = !types.holdsJson(name);
    const bytes = size === undefined ? (hasBinary ? '4 + length' : 'none') : number(size);
    return [
      shown,
      what,
      bytes,
      code(typeScriptType(name, types).replace(/^\$/, '')),
      hasBinary ? code(codecs.typeName(name)) : 'none',
    ];
  };
  const rows = [...PRIMITIVES].map((name) => row(name, code(name), held(name)));
  const fixed = row(
    'bytes64',
    `${code('bytes1')} … ${code(`bytes${MAX_FIXED_BYTES}`)}`,
    'bytes, exactly so many',
  );
  fixed[2] = 'N';
  fixed[4] += ', of `bytes32` `Hash`';
  return table([['type', 'values', 'bytes', 'TypeScript', 'AssemblyScript'], ...rows, fixed]);
}

function jsonForms() {
  return table([['type', 'JSON'], ...JSON_FORMS.map(([type, form]) => [code(type), form])]);
}

/** Values as JSON and as an argument of a command; both must have the same encoding. */
const EXAMPLES = [
  ['bool', true, 'true'],
  ['u8', 7, '7'],
  ['u64', '18446744073709551615', '18446744073709551615'],
  ['u128', '1500000000000000000', '1.5e18'],
  ['i16', -2, '-2'],
  ['string', 'hé', 'hé'],
  ['bytes', '0xc0ffee', '0xc0ffee'],
  ['bytes2', '0x0102', '0x0102'],
  ['address', '0x4e2349c6892e15d1958059abd2b0e3caeb413ad2', 'dev:1'],
  ['u16[]', [1, 2], '[1,2]'],
  ['u16[2]', [1, 2], '[1,2]'],
  ['u16?', null, 'null'],
  ['u16?', 258, '258'],
  ['Point', { x: 1, y: 2 }, '{"x":1,"y":2}'],
  ['Point', { x: 1 }, '{"x":1}'],
  ['Seat', { type: 'free' }, 'free'],
  ['Seat', { type: 'held_by', value: 5 }, '{"type":"held_by","value":5}'],
];

const EXAMPLE_TYPES = 'struct Point { x: u8; y?: u8; }\nenum Seat { Free, HeldBy: u32 }';

function encodings() {
  const rows = EXAMPLES.map(([type, json, word]) => {
    const { manifest } = compileIdl([
      { name: 'x', text: `${EXAMPLE_TYPES}\ncontract C { method f(value: ${type}); }` },
    ]);
    const call = compileContract(manifest, sha256).function('f');
    const encoded = toHex(call.encodeCall({ value: json }).subarray(4));
    const { params } = manifest.contracts[0].functions[0];
    const typed = call.withWholeVariants(readArguments([`value=${word}`], params, manifest));
    if (toHex(call.encodeCall(typed).subarray(4)) !== encoded) {
      throw new Error(`${type}: ${word} is not ${JSON.stringify(json)}`);
    }
    const shortened = (text) => text.replace(/([0-9a-f]{8})[0-9a-f]{20,}([0-9a-f]{6})/, '$1…$2');
    return [type, shortened(JSON.stringify(json)), `value=${word}`, shortened(encoded)].map(code);
  });
  return `${block('idl', EXAMPLE_TYPES)}\n\n${table([['type', 'JSON', 'argument of a command', 'Borsh, in hex'], ...rows])}`;
}

/** The page's example of a contract. */
function shop() {
  const [, text] = /<!-- shop\.idl -->\n```idl\n([\s\S]*?)\n```/.exec(read(PAGE)) ?? [];
  if (text === undefined) throw new Error(`${PAGE} has no shop.idl`);
  const { manifest } = compileIdl([{ name: 'shop.idl', text }]);
  return { manifest, contract: manifest.contracts[0], idl: text };
}

function signatures({ manifest }) {
  const { functions, errors, events } = compileContract(manifest, sha256);
  const rows = [
    ...[...functions.values()].map((each) => [each.kind, each.signature, toPrefixedHex(each.selector)]),
    ...[...errors.values()].map((each) => ['error', each.signature, toPrefixedHex(each.selector)]),
    ...[...events.values()].map((each) => ['event', each.signature, toHex(each.topic)]),
  ];
  return table([
    ['kind', 'signature', 'selector, or topic 0'],
    ...rows.map(([kind, ...texts]) => [kind, ...texts.map(code)]),
  ]);
}

function typeScript({ manifest, contract, idl }) {
  const text = generateContractClient({
    sources: ['shop.idl'],
    manifest,
    definition: contract,
    idl,
    client: 'heddle/client',
  });
  const end = text.indexOf("\n/** The interface's text");
  return block('ts', text.slice(text.indexOf('\n\n'), end).trim());
}

/** Signatures of the generated AssemblyScript: constructors and members that an author uses, without their bodies. */
function assemblyScript({ manifest, contract }) {
  const lines = generateContractTypes({ manifest, contract, source: 'shop.idl', sha256 }).split('\n');
  const from = lines.findIndex((line) => /^(?:\/\*\*|@final)/.test(line));
  const isShown = /^(?:export|\}| {2}(?:static|get|abstract|export function)\b)/;
  const shown = lines.slice(from).flatMap((line, at, all) => {
    if (line === '  constructor(') {
      const close = all.indexOf('  ) {}', at);
      const fields = all.slice(at + 1, close).filter((each) => /^ {4}public/.test(each));
      return [`  constructor(${fields.map((each) => each.trim().replace(/^public |,$/g, '')).join(', ')});`];
    }
    return isShown.test(line) ? [line.replace(/^( .*) \{$/, '$1;')] : [];
  });
  const end = shown.findIndex((line) => line.startsWith('export abstract'));
  return block('ts', shown.slice(0, shown.indexOf('}', end) + 1).join('\n'));
}

/** Limits that are not those of the compiler. */
const OTHER_LIMITS = [
  ['Bytes of an interface text on chain.', MAX_IDL_BYTES],
  [
    'Indexed fields of an event in WebAssembly contracts: its topics less topic 0.',
    HOST_LIMITS.eventTopics - 1,
  ],
  ["Bytes of an event's data.", HOST_LIMITS.eventDataBytes],
  ["Bytes of a call's input from another contract.", HOST_LIMITS.callInputBytes],
  ['Bytes of a result or of the data of a revert.', HOST_LIMITS.outputBytes],
  ['Levels of a value whose type contains itself.', MAX_RECURSION],
  ['Levels of a `json` value.', MAX_JSON_DEPTH],
  ["Characters of a contract's value as JSON.", MAX_FOREIGN_LENGTH],
];

function limits() {
  const meaningOf = comments(`${COMPILER}/idl-limits.ts`, /^ {2}(\w+): [\d_]+,$/);
  const rows = [
    ...Object.entries(IDL_LIMITS).map(([name, value]) => [meaningOf(name), value]),
    ...OTHER_LIMITS,
  ].map(([meaning, value]) => [meaning.replace(/\.$/, ''), number(value)]);
  return table([['at most', ''], ...rows]);
}

const names = (list) => [...list].sort().map(code).join(' ');

const example = shop();
const page = filledPage(PAGE, {
  [`grammar: from ${COMPILER}/parser.ts`]: grammar(),
  'types: from src/idl/primitives.ts': primitives(),
  'JSON forms: from src/idl/generators/docs.ts': jsonForms(),
  'encodings: from src/idl/codecs': encodings(),
  'signatures: from src/idl/abi/contract-abi.ts': signatures(example),
  [`annotations: from ${COMPILER}/annotations.ts`]: annotations(),
  [`reserved names: from ${COMPILER}/check-names.ts`]: names(Object.getOwnPropertyNames(Object.prototype)),
  'AssemblyScript names: from src/idl/generators/assemblyscript-codecs.ts': names(RESERVED),
  'TypeScript: from src/idl/generators/contract-client.ts': typeScript(example),
  'AssemblyScript: from src/idl/generators/assemblyscript.ts': assemblyScript(example),
  [`limits: from ${COMPILER}/idl-limits.ts`]: limits(),
});
writeGenerated({ [PAGE]: page }, 'the code');
