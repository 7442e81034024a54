/**
 * Generates a contract's AssemblyScript from its IDL: a base class, the entry points, and a client for other
 * contracts. The author's class extends the base class and the entry points call it, so that a missing method, or one
 * with other types than the IDL declares, does not compile.
 *
 * 1. `init`, if declared, runs at deployment; `migrate`, if declared, when an upgrade takes effect. Their input is
 *    encoded like that of any method: selector and arguments. Neither can be called later.
 * 2. An input with an unknown selector, or one that is not exactly the arguments' encoding, reverts.
 * 3. A method that is not `@payable` reverts if native balance comes with the call.
 */
import { AbiContext, type Sha256, selectorKey, utf8 } from '../abi/abi-context.js';
import type {
  ContractDefinition,
  ContractFunctionDefinition,
  ErrorDefinition,
  EventDefinition,
  FieldDefinition,
  Manifest,
} from '../manifest.js';
import { AssemblyScriptCodecs, identifier } from './assemblyscript-codecs.js';
import { docComment } from './typescript.js';

/** The module that contracts import the SDK from. */
const SDK = 'heddle';

/** Functions that only deployments and upgrades call, never transactions. */
export const DEPLOYMENT_ONLY: ReadonlySet<string> = new Set(['init', 'migrate']);

export interface ContractModule {
  readonly manifest: Manifest;
  readonly contract: ContractDefinition;
  /** Name of the IDL file, for the module header. */
  readonly source: string;
  readonly sha256: Sha256;
}

/** Location of the author's class, for the entry module. */
export interface ImplementationPlace {
  /** Name of the class that extends the generated one. */
  readonly className: string;
  /** Specifier by which the entry module imports the class. */
  readonly from: string;
  /** Specifier by which the entry module imports the output of `generateContractTypes`. */
  readonly typesFrom: string;
}

/** Generates types, events, errors and the class that the author extends, `<Contract>Interface`. Deterministic. */
export function generateContractTypes(module: ContractModule): string {
  const { manifest, contract } = module;
  const context = new AbiContext(manifest, contract, module.sha256);
  const codecs = new AssemblyScriptCodecs(context.types);
  const parts = [
    ...typeClasses(codecs, context, manifest, typesOf(manifest)),
    namespace(
      'emit',
      'The events. Each function emits the event of its name.',
      contract.events.map((event) => emitFunction(codecs, context, event)),
    ),
    namespace(
      'fail',
      'The errors. Each function ends the call; the caller gets the error with its fields.',
      contract.errors.map((error) => failFunction(codecs, context, error)),
    ),
    interfaceClass(codecs, contract),
  ];
  return assemble(module.source, codecs, parts);
}

/** Generates the contract's exports: `invoke`, and `init` and `migrate` if declared. */
export function generateContractEntry(module: ContractModule, place: ImplementationPlace): string {
  const { manifest, contract } = module;
  const context = new AbiContext(manifest, contract, module.sha256);
  const codecs = new AssemblyScriptCodecs(context.types);
  const callable = contract.functions.filter(({ name }) => !DEPLOYMENT_ONLY.has(name));
  const cases = callable.map(
    (f) => `    case ${selector(context, f)}: {
${callLines(codecs, f, '      ')}      return 0;
    }
`,
  );
  const invoke = `export function invoke(): i32 {
  const $input = Reader.input();
  const $contract = new ${place.className}();
  switch ($input.integer<u32>()) {
${cases.join('')}    default:
      revert("${contract.name} has no function with this selector");
      return 1;
  }
}
`;
  const special = contract.functions
    .filter(({ name }) => DEPLOYMENT_ONLY.has(name))
    .map(
      (f) => `export function ${f.name}(): i32 {
  const $input = Reader.input();
  const $contract = new ${place.className}();
  require($input.integer<u32>() == ${selector(context, f)}, "expected the arguments of ${contract.name}.${f.name}");
${callLines(codecs, f, '  ')}  return 0;
}
`,
    );
  return assemble(
    module.source,
    codecs,
    [invoke, ...special],
    [
      `import { ${place.className} } from "${place.from}";`,
      ...importLine(typesOf(manifest), place.typesFrom),
    ],
  );
}

/** Generates the class that other contracts call this one through, `<Contract>Client`, and the types it needs. */
export function generateContractClient(module: ContractModule): string {
  const { manifest, contract } = module;
  const context = new AbiContext(manifest, contract, module.sha256);
  const codecs = new AssemblyScriptCodecs(context.types);
  const callable = contract.functions.filter(({ name }) => !DEPLOYMENT_ONLY.has(name));
  const given = callable.flatMap(({ params, returns }) => [
    ...params.map(({ type }) => type),
    ...(returns === undefined ? [] : [returns]),
  ]);
  const used = new Set([...context.types.reachable(given)].map(({ name }) => name));
  const methods = callable.map((f) => clientMethod(codecs, context, f));
  const client = `/**
 * ${contract.name} at an address. If a call fails, the calling contract reverts, with the callee's data if it reverted.
 */
@final
export class ${contract.name}Client {
  readonly address: Address;

  constructor(address: Address) {
    this.address = address;
  }

${methods.join('\n')}}
`;
  return assemble(module.source, codecs, [...typeClasses(codecs, context, manifest, used), client]);
}

function assemble(
  source: string,
  codecs: AssemblyScriptCodecs,
  parts: readonly string[],
  imports: readonly string[] = [],
): string {
  const body = [...parts.filter((part) => part !== ''), ...codecs.functions].join('\n');
  const used = SDK_NAMES.filter((name) => new RegExp(`(?<![\\w.])${name}\\b`).test(body));
  const head = [
    `// Generated from ${source} by \`heddle contract build\`. Do not edit.`,
    ...(used.length === 0 ? [] : [`import { ${used.join(', ')} } from "${SDK}";`]),
    ...imports,
  ];
  return `${head.join('\n')}\n\n${body}`;
}

const SDK_NAMES = [
  ...['Address', 'Bytes', 'EventWriter', 'Hash', 'I128', 'Option', 'Reader', 'U128', 'Writer'],
  ...['call', 'expectSuccess', 'none', 'refuseValue', 'require', 'revert', 'some', 'view'],
];

function typeClasses(
  codecs: AssemblyScriptCodecs,
  context: AbiContext,
  manifest: Manifest,
  names: ReadonlySet<string>,
): readonly string[] {
  const structs = manifest.structs.filter(({ name }) => names.has(name));
  const enums = manifest.enums.filter(({ name }) => names.has(name));
  for (const { name } of [...structs, ...enums]) {
    if (context.types.holdsJson(name)) throw new Error(`${name} holds json, which has no binary form`);
  }
  return [...structs.map((s) => codecs.structClass(s)), ...enums.map((e) => codecs.enumClass(e))];
}

/** All types of the unit, because types may be used only in storage, outside the interface. */
function typesOf(manifest: Manifest): ReadonlySet<string> {
  return new Set([...manifest.structs, ...manifest.enums].map(({ name }) => name));
}

function importLine(names: ReadonlySet<string>, from: string): readonly string[] {
  return names.size === 0 ? [] : [`import { ${[...names].join(', ')} } from "${from}";`];
}

function namespace(name: string, doc: string, members: readonly string[]): string {
  return members.length === 0 ? '' : `/** ${doc} */\nexport namespace ${name} {\n${members.join('\n')}}\n`;
}

function parameterList(codecs: AssemblyScriptCodecs, fields: readonly FieldDefinition[]): string {
  return fields.map((f) => `${identifier(f.name)}: ${codecs.typeName(codecs.fieldType(f))}`).join(', ');
}

function emitFunction(codecs: AssemblyScriptCodecs, context: AbiContext, event: EventDefinition): string {
  const topic = context.sha256(utf8(context.signature(event.name, event.fields)));
  const indexed = event.fields.filter((f) => f.indexed);
  const plain = event.fields.filter((f) => !f.indexed);
  const topics = indexed.map(
    (f, i) => `    const $topic${i} = new Writer(${codecs.capacity([f])});
    ${codecs.writeField(`$topic${i}`, identifier(f.name), f)}
    $event.topic($topic${i});
`,
  );
  const data = plain.map((f) => `    ${codecs.writeField('$data', identifier(f.name), f)}\n`);
  return `${docComment(event, '  ')}  export function ${event.name}(${parameterList(codecs, event.fields)}): void {
    const $event = new EventWriter(memory.data<u8>([${[...topic].join(', ')}]), ${indexed.length});
${topics.join('')}    const $data = new Writer(${codecs.capacity(plain)});
${data.join('')}    $event.emit($data);
  }
`;
}

function failFunction(codecs: AssemblyScriptCodecs, context: AbiContext, error: ErrorDefinition): string {
  const fields = error.fields.map((f) => `    ${codecs.writeField('$error', identifier(f.name), f)}\n`);
  return `${docComment(error, '  ')}  export function ${error.name}(${parameterList(codecs, error.fields)}): void {
    const $error = new Writer(${4 + codecs.capacity(error.fields)});
    $error.integer<u32>(${littleEndian(context.selector(context.signature(error.name, error.fields)))});
${fields.join('')}    $error.revert();
  }
`;
}

function interfaceClass(codecs: AssemblyScriptCodecs, contract: ContractDefinition): string {
  const methods = contract.functions.map((f) => {
    const notes = f.kind === 'view' ? ['A view: changes nothing.'] : f.payable ? ['Payable.'] : [];
    return `${docComment(f, '  ', notes)}  abstract ${f.name}(${parameterList(codecs, f.params)}): ${resultName(codecs, f)};\n`;
  });
  return `${docComment(contract, '')}export abstract class ${contract.name}Interface {\n${methods.join('\n')}}\n`;
}

function resultName(codecs: AssemblyScriptCodecs, f: ContractFunctionDefinition): string {
  return f.returns === undefined ? 'void' : codecs.typeName(f.returns);
}

/** Statements that decode the arguments, call the author's method and set the output. */
function callLines(codecs: AssemblyScriptCodecs, f: ContractFunctionDefinition, indent: string): string {
  const lines: string[] = [];
  if (!f.payable && f.kind === 'method') lines.push('refuseValue();');
  for (const param of f.params)
    lines.push(`const ${identifier(param.name)} = ${codecs.readField('$input', param)};`);
  lines.push('$input.finish();');
  const invocation = `$contract.${f.name}(${f.params.map(({ name }) => identifier(name)).join(', ')})`;
  if (f.returns === undefined) lines.push(`${invocation};`);
  else {
    lines.push(
      `const $result = ${invocation};`,
      `const $output = new Writer(${codecs.capacity([{ name: 'result', type: f.returns }])});`,
      codecs.write('$output', '$result', f.returns),
      '$output.setOutput();',
    );
  }
  return lines.map((line) => `${indent}${line}\n`).join('');
}

function clientMethod(
  codecs: AssemblyScriptCodecs,
  context: AbiContext,
  f: ContractFunctionDefinition,
): string {
  const amount = f.payable ? '$amount' : 'U128.zero()';
  const parameters = [
    ...(f.params.length === 0 ? [] : [parameterList(codecs, f.params)]),
    ...(f.payable ? ['$amount: U128 = U128.zero()'] : []),
  ];
  const writes = f.params.map((p) => `    ${codecs.writeField('$input', identifier(p.name), p)}\n`);
  const status =
    f.kind === 'view'
      ? 'view(this.address, u64.MAX_VALUE, $input)'
      : `call(this.address, ${amount}, u64.MAX_VALUE, $input)`;
  const result =
    f.returns === undefined
      ? `    expectSuccess(${status}).finish();\n`
      : `    const $output = expectSuccess(${status});
    const $result = ${codecs.read('$output', f.returns)};
    $output.finish();
    return $result;
`;
  return `${docComment(f, '  ')}  ${f.name}(${parameters.join(', ')}): ${resultName(codecs, f)} {
    const $input = new Writer(${4 + codecs.capacity(f.params)});
    $input.integer<u32>(${selector(context, f)});
${writes.join('')}${result}  }
`;
}

function selector(context: AbiContext, f: ContractFunctionDefinition): string {
  return littleEndian(context.selector(context.signature(f.name, f.params)));
}

/** Four bytes as a little-endian number literal. */
function littleEndian(bytes: Uint8Array): string {
  const number = selectorKey(Uint8Array.from(bytes).reverse());
  return `0x${number.toString(16).padStart(8, '0')}`;
}
