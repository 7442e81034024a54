import type {
  ContractDefinition,
  Documented,
  EnumDefinition,
  FieldDefinition,
  InterfaceDefinition,
  Manifest,
  StructDefinition,
  TypeReference,
} from '../manifest.js';
import { isPrimitive } from '../primitives.js';

/** JSON form of each built-in type, for the table at the end of the page. */
export const JSON_FORMS: readonly (readonly [type: string, json: string])[] = [
  ['bool', '`true` or `false`'],
  ['u8, u16, u32, i8, i16, i32', 'integer; on input also a string of decimal digits'],
  [
    'u64, i64',
    'integer within ±(2^53 − 1), beyond that a string of decimal digits; on input a string of decimal digits is taken for any',
  ],
  ['u128, i128', 'string of decimal digits; on input also an integer within ±(2^53 − 1)'],
  ['string', 'string'],
  ['address', '`0x` + 40 hex digits'],
  ['hash, bytes32', '64 hex digits; on input with or without `0x`'],
  ['bytes, bytesN', '`0x` + hex digits, two a byte'],
  ['json', 'any JSON value, at most 64 levels deep'],
  ['T[], T[n]', 'array, of exactly n items where n is given'],
  ['T?', 'may be absent or `null`'],
];

/**
 * Generates a reference page in Markdown: methods, contracts and types, each linked to the types it uses.
 * Deterministic.
 */
export function generateDocs(manifest: Manifest, title: string): string {
  const types = [...manifest.structs, ...manifest.enums, ...manifest.aliases];
  const sections = [
    `# ${title}`,
    contents(manifest),
    ...manifest.interfaces.map(interfaceSection),
    ...manifest.contracts.map(contractSection),
    ...(types.length === 0 ? [] : ['## Types']),
    ...manifest.structs.map(structSection),
    ...manifest.enums.map(enumSection),
    ...manifest.aliases.map(
      (alias) =>
        `${heading(3, 'type', alias)}\n\nAnother name for ${typeLink(alias.type)}${limit(alias)}.${prose(alias)}`,
    ),
    `## Values in JSON\n\n${table(
      ['type', 'JSON'],
      JSON_FORMS.map(([type, json]) => [type, json]),
    )}\n\nAn enum is an object \`{"type": "variant", "value": payload}\`; where the variant carries nothing, \`value\` is \`null\` and may be left out on input.`,
  ];
  return `${sections.join('\n\n')}\n`;
}

function contents(manifest: Manifest): string {
  const lines = [
    ...manifest.interfaces.map(
      ({ name, methods }) =>
        `- ${link(name, 'interface', name)}: ${methods.map((m) => link(m.name, 'method', m.name)).join(', ')}`,
    ),
    ...manifest.contracts.map(({ name }) => `- ${link(name, 'contract', name)}`),
  ];
  const types = [...manifest.structs, ...manifest.enums, ...manifest.aliases].map(({ name }) => name).sort();
  if (types.length > 0) lines.push(`- Types: ${types.map((name) => link(name, 'type', name)).join(', ')}`);
  return lines.join('\n');
}

function interfaceSection(definition: InterfaceDefinition): string {
  const overview = table(
    ['method', 'tier', 'cost', ''],
    definition.methods.map((m) => [
      link(m.name, 'method', m.name),
      m.tier,
      `${m.cost}`,
      cell(firstSentence(m.doc)),
    ]),
  );
  const methods = definition.methods.map((method) => {
    const since = method.since === undefined ? '' : `, since ${escapeText(method.since)}`;
    const result = method.returns === undefined ? '`null`' : typeLink(method.returns);
    const parts = [
      `${heading(3, 'method', method)}${prose(method)}`,
      `Tier **${method.tier}**, costs ${method.cost} compute ${method.cost === 1 ? 'unit' : 'units'}${since}.${method.once ? ' Calling twice is not the same as calling once.' : ''}${method.immutable ? ' A result for a final block or transaction never changes.' : ''}`,
      method.params.length === 0 ? 'No parameters.' : `Parameters:\n\n${fieldTable(method.params)}`,
      `Result: ${result}`,
    ];
    return parts.join('\n\n');
  });
  return [`${heading(2, 'interface', definition)}${prose(definition)}`, overview, ...methods].join('\n\n');
}

function contractSection(definition: ContractDefinition): string {
  const functions = definition.functions.map((f) => {
    const params = f.params.length === 0 ? 'No parameters.' : fieldTable(f.params);
    const result = f.returns === undefined ? 'nothing' : typeLink(f.returns);
    return `### \`${definition.name}.${f.name}\`\n\n${f.kind === 'view' ? 'View: changes no state.' : f.payable ? 'Method; takes native balance.' : 'Method.'}${prose(f)}\n\n${params}\n\nResult: ${result}`;
  });
  const records = [
    ...definition.events.map((event) => ({ kind: 'Event', ...event })),
    ...definition.errors.map((error) => ({ kind: 'Error', ...error })),
  ].map(
    (r) =>
      `### ${r.kind} \`${definition.name}.${r.name}\`${prose(r)}\n\n${r.fields.length === 0 ? 'No fields.' : fieldTable(r.fields)}`,
  );
  return [`${heading(2, 'contract', definition)}${prose(definition)}`, ...functions, ...records].join('\n\n');
}

function structSection(definition: StructDefinition): string {
  const fields = definition.fields.length === 0 ? 'No fields.' : fieldTable(definition.fields);
  return `${heading(3, 'type', definition)}${prose(definition)}\n\n${fields}`;
}

function enumSection(definition: EnumDefinition): string {
  const rows = definition.variants.map((v) => [
    `\`${v.tag}\``,
    v.payload === undefined ? '' : typeLink(v.payload),
    cell(notes(v)),
  ]);
  return `${heading(3, 'type', definition)}${prose(definition)}\n\n${table(['variant', 'value', ''], rows)}`;
}

function fieldTable(fields: readonly (FieldDefinition & { readonly indexed?: true })[]): string {
  const rows = fields.map((field) => [
    `\`${field.name}\`${field.optional ? ' (optional)' : ''}${field.indexed ? ' (indexed)' : ''}`,
    `${typeLink(field.type)}${limit(field)}`,
    cell(notes(field)),
  ]);
  return table(['name', 'type', ''], rows);
}

function limit(field: { readonly type: TypeReference; readonly max?: number }): string {
  if (field.max === undefined) return '';
  return `, at most ${field.max} ${field.type === 'string' || field.type === 'bytes' ? 'bytes' : 'items'}`;
}

function heading(level: number, kind: string, definition: Documented): string {
  return `<a id="${kind}-${definition.name}"></a>\n\n${'#'.repeat(level)} ${escapeText(definition.name)}`;
}

function link(text: string, kind: string, name: string): string {
  return `[${escapeText(text)}](#${kind}-${name})`;
}

function typeLink(type: TypeReference): string {
  if (typeof type === 'string') return isPrimitive(type) ? type : link(type, 'type', type);
  if ('option' in type) return `${typeLink(type.option)}?`;
  return `${typeLink(type.list)}\\[${type.length ?? ''}\\]`;
}

function prose(definition: Documented): string {
  const text = notes(definition);
  return text === '' ? '' : `\n\n${escapeText(text)}`;
}

function notes(definition: Documented): string {
  const deprecated = definition.deprecated === undefined ? '' : `Deprecated: ${definition.deprecated}.`;
  return [definition.doc ?? '', deprecated].filter((part) => part !== '').join('\n\n');
}

function firstSentence(doc: string | undefined): string {
  return /^[\s\S]*?[.!?](?=\s|$)/.exec(doc ?? '')?.[0] ?? doc ?? '';
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Escapes text for a table cell: one line, no bars. */
function cell(text: string): string {
  return escapeText(text)
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, ' ');
}

/** Escapes doc text, so that it is not read as HTML or emphasis. Code in backticks is unchanged. */
function escapeText(text: string): string {
  return text
    .split(/(`[^`\n]*`)/)
    .map((part, i) =>
      i % 2 === 1 ? part : part.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`).replace(/[_*[\]]/g, '\\$&'),
    )
    .join('');
}
