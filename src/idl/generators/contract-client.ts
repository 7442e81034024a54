import { topicSize } from '../abi/event-abi.js';
import type {
  ContractDefinition,
  ContractFunctionDefinition,
  Documented,
  EventFieldDefinition,
  FieldDefinition,
  Manifest,
} from '../manifest.js';
import { snakeCase } from '../primitives.js';
import { TypeTable } from '../type-table.js';
import { DEPLOYMENT_ONLY } from './assemblyscript.js';
import {
  docComment,
  EMPTY_RECORD,
  enumDeclaration,
  importJsonValue,
  JSON_VALUE,
  member,
  structDeclaration,
  typeScriptType,
} from './typescript.js';

export interface ContractClientModule {
  /** Names of the IDL files, for the module header. */
  readonly sources: readonly string[];
  readonly manifest: Manifest;
  readonly definition: ContractDefinition;
  /** Text of the IDL. */
  readonly idl: string;
  /** Package of the client that the module imports. */
  readonly client: ClientPackage;
}

/** Packages with the client: the node's, and the one for browser applications. */
export const CLIENT_PACKAGES = ['heddle/client', 'heddle-client'] as const;
export type ClientPackage = (typeof CLIENT_PACKAGES)[number];

/**
 * Generates the types of a contract's functions, events and errors, and a constructor of its TypedContract.
 * Deterministic.
 */
export function generateContractClient(module: ContractClientModule): string {
  const { sources, manifest, definition, idl, client } = module;
  const types = new TypeTable(manifest);
  const { name, functions, events, errors } = definition;
  const idlName = `${snakeCase(name).toUpperCase()}_IDL`;
  const declarations = [
    ...manifest.structs.map((struct) => structDeclaration(struct, types)),
    ...manifest.enums.map((each) => enumDeclaration(each, types)),
  ];
  const called = functions.filter((each) => !DEPLOYMENT_ONLY.has(each.name));
  const functionTypes = (kind: 'method' | 'view') =>
    called.filter((each) => each.kind === kind).map((each) => functionType(each, types));
  const eventTypes = events.map((each) => recordType(each, (field) => eventMember(field, types)));
  const errorTypes = errors.map((each) => recordType(each, (field) => member(field, types)));
  const groups = [
    group('calls', functionTypes('method')),
    group('views', functionTypes('view')),
    group('events', eventTypes),
    group('errors', errorTypes),
  ];
  const body = [
    ...declarations,
    `/** Methods, views, events and errors of ${name}. */\nexport interface ${name}Contract {\n${groups.join('')}}\n`,
    `/** The interface's text, for deploying the contract. */\nexport const ${idlName} = ${JSON.stringify(idl)};\n`,
    `/**
 * The contract at an address. Makes no request. Sending requires a sender, given here or in each call.
 * @param address text or 20 bytes
 */
export function ${name.charAt(0).toLowerCase()}${name.slice(1)}Contract(
  client: heddle.ReadClient,
  address: string | Uint8Array,
  options: Omit<heddle.ContractOptions, 'idl'> = {},
): heddle.TypedContract<${name}Contract> {
  return new heddle.TypedContract(heddle.contractAt(client, address, { ...options, idl: ${idlName} }));
}
`,
  ];
  const text = body.join('\n');
  const head = [
    `// Generated from ${sources.join(' and ')} by \`heddle idl generate --contract\`. Do not edit.`,
    `import * as heddle from '${client}';`,
    ...(text.includes(JSON_VALUE)
      ? [importJsonValue((module) => `${client.replace('/client', '')}/idl/${module}`)]
      : []),
  ];
  return `${head.join('\n')}\n\n${text}`;
}

function group(name: string, members: readonly string[]): string {
  return members.length === 0
    ? `  readonly ${name}: { readonly [name in never]: never };\n`
    : `  readonly ${name}: {\n${members.join('')}  };\n`;
}

function documented(definition: Documented, type: string): string {
  return `${docComment(definition, '    ')}    readonly ${definition.name}: ${type};\n`;
}

function functionType(definition: ContractFunctionDefinition, types: TypeTable): string {
  const { params, returns } = definition;
  const args = record(params, (field) => member(field, types));
  const result = returns === undefined ? 'null' : typeScriptType(returns, types);
  return documented(definition, `{ readonly args: ${args}; readonly result: ${result} }`);
}

function recordType<F extends FieldDefinition>(
  definition: Documented & { readonly fields: readonly F[] },
  text: (field: F) => string,
): string {
  return documented(definition, record(definition.fields, text));
}

function record<F extends FieldDefinition>(fields: readonly F[], text: (field: F) => string): string {
  return fields.length === 0 ? EMPTY_RECORD : `{ ${fields.map(text).join('; ')} }`;
}

/** A field of an event, or its topic if the value cannot be recovered from the topic. */
function eventMember(field: EventFieldDefinition, types: TypeTable): string {
  if (!field.indexed || topicSize(field, types) !== undefined) return member(field, types);
  return `readonly ${field.name}: { readonly topic: Uint8Array }`;
}
