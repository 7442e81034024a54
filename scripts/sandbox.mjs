// Writes the signatures and meanings in docs/sandbox.md, the reference of `heddle/contracts`, from its doc comments.
// usage: node scripts/sandbox.mjs [--check]
import { posix } from 'node:path';
import { commentAbove, signatureOf } from './doc-comments.mjs';
import { filledPage, read, table, writeGenerated } from './generated-pages.mjs';

const PAGE = 'docs/sandbox.md';
const ENTRY = 'src/contract-sdk/contracts.ts';
/** Each member of these has its own part on the page; the members of others are in a table. */
const CLASSES = ['ContractSandbox', 'SandboxContract'];

const WIDTH = 140;
/** A member, or a parameter of a constructor that is a member. */
const MEMBER = /^ {2}(?:static |async |get |readonly | {2}readonly )*(\w+)\??(?:[(:<]| = )/;
const DECLARATION = /^export (?:abstract |async )?(?:class|interface|function|type) (\w+)/;

const missing = [];

/** Names that the entry point exports, with the paths of their sources. */
const exported = [...read(ENTRY).matchAll(/^export (?:type )?\{([^}]*)\} from '(.+)\.js'/gm)].flatMap(
  ([, names, module]) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== '')
      .map((name) => ({ name, path: `${posix.join(posix.dirname(ENTRY), module)}.ts` })),
);

const parts = Object.fromEntries(exported.flatMap(partsOf));
if (missing.length > 0) throw new Error(`no doc comment for ${missing.join(', ')}`);
writeGenerated({ [PAGE]: filledPage(PAGE, parts) }, ENTRY);

function partsOf({ name, path }) {
  const lines = read(path).split('\n');
  const at = lines.findIndex((line) => DECLARATION.exec(line)?.[1] === name);
  if (at === -1) throw new Error(`${path} does not declare ${name}`);
  const [, kind] = /^export (?:async )?(\w+)/.exec(lines[at]);
  const meaning = meaningOf(lines, at, name);
  const part = (key, ...texts) => [`${key}: from ${path}`, texts.join('\n\n')];
  if (kind === 'function') return [part(name, block(signature(lines, at)), listed(meaning))];
  if (kind === 'type') return [part(name, ...alias(lines, at, name), listed(meaning))];
  const members = membersOf(lines, at, path, name);
  if (!CLASSES.includes(name)) {
    const rows = members.map((each) => [code(each.signature), inline(each.meaning)]);
    const escaped = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
    return [part(name, listed(meaning), table([['member', 'meaning'], ...escaped]))];
  }
  return [
    part(name, listed(meaning)),
    ...members.map((each) => [
      `${name}.${each.name}: from ${each.path}`,
      `${block(each.signature)}\n\n${listed(each.meaning)}`,
    ]),
  ];
}

/** Members of a class or interface, and of the class that it extends. */
function membersOf(lines, from, path, owner) {
  const to = lines.indexOf('}', from);
  const own = lines.slice(from + 1, to).flatMap((line, offset) => {
    const at = from + 1 + offset;
    const [, name] = MEMBER.exec(line) ?? [];
    // Programs get these objects from others, so they call no constructor.
    if (name === undefined || name === 'constructor') return [];
    const meaning = meaningOf(lines, at, `${owner}.${name}`);
    return [{ name, path, signature: signature(lines, at), meaning }];
  });
  const [, base, argument] = / extends (\w+)(?:<(\w+)>)?/.exec(lines[from]) ?? [];
  const [, module] = new RegExp(`\\b${base}\\b.* from '(\\..+)\\.js'`).exec(lines.join('\n')) ?? [];
  if (module === undefined) return own;
  const basePath = `${posix.join(posix.dirname(path), module)}.ts`;
  const baseLines = read(basePath).split('\n');
  const at = baseLines.findIndex((line) => DECLARATION.exec(line)?.[1] === base);
  const [, parameter] = /<(\w+) extends /.exec(baseLines[at]) ?? [];
  const inherited = membersOf(baseLines, at, basePath, base).map((each) => ({
    ...each,
    signature: each.signature.replaceAll(new RegExp(`\\b${parameter}\\b`, 'g'), argument),
  }));
  return [...own, ...inherited];
}

/** The declaration of a type: a table of literals, each with its comment, or the type itself. */
function alias(lines, at, name) {
  if (!lines[at].endsWith('=')) return [block(lines[at].replace(/^export /, '').replace(/;$/, ''))];
  const end = lines.findIndex((line, i) => i > at && line.endsWith(';'));
  const body = lines.slice(at, end + 1);
  if (!body.some((line) => line.includes('/**'))) return [block(body.join('\n').replace(/^export |;$/g, ''))];
  const rows = body.flatMap((line, offset) => {
    const [, literal] = /^ {2}\| (.+?);?$/.exec(line) ?? [];
    if (literal === undefined) return [];
    return [[code(literal), inline(meaningOf(lines, at + offset, `${name} ${literal}`))]];
  });
  return [table([['value', 'meaning'], ...rows])];
}

/** A signature as a caller writes it. */
function signature(lines, at) {
  if (lines[at].endsWith(',')) return lines[at].trim().slice(0, -1);
  const isFixed = /^ {2}(?:get|readonly) /.test(lines[at]);
  const isStatic = /^ {2}static /.test(lines[at]);
  const text = signatureOf(lines, at).replace(/^(?:static |async )+/, '');
  return `${isFixed ? 'readonly ' : isStatic ? 'static ' : ''}${text}`;
}

/** The description of a declaration and its tags: parameters, result, errors. */
function meaningOf(lines, at, name) {
  const text = commentAbove(lines, at)
    .replaceAll(/\{@link (?:\w+\.)?(\w+)\}/g, (link, member) =>
      code(link.includes('.') ? link.slice(7, -1) : member),
    )
    .replaceAll(/ Hot: guarded by `.*?`\./g, '')
    .replaceAll(/\s+/g, ' ');
  if (text === '' || text.startsWith('@')) missing.push(name);
  const [description, ...tags] = text.split(/\s*@(?=param |returns |throws )/);
  return { description, tags: tags.map(tagText) };
}

function tagText(tag) {
  const [, kind, rest] = /^(\w+) (.*)$/.exec(tag);
  if (kind === 'returns') return `returns ${rest}`;
  if (kind === 'throws') return `throws ${rest.replace(/^[A-Z]\w+(?:(?:, | or )[A-Z]\w+)*/, errorNames)}`;
  const [, parameter, meaning] = /^(\w+) (.*)$/.exec(rest);
  return `${code(parameter)}: ${meaning}`;
}

function errorNames(names) {
  return names.replaceAll(/[A-Z]\w+/g, code);
}

/** The meaning with a list of its tags. */
function listed({ description, tags }) {
  const items = tags.map((tag) => wrapped(`- ${tag}`, '  ')).join('\n');
  return [wrapped(description, ''), items].filter((text) => text !== '').join('\n\n');
}

/** The meaning for a cell of a table. */
function inline({ description, tags }) {
  return [description.replace(/\.$/, ''), ...tags].filter((text) => text !== '').join('; ');
}

/** Breaks a text into lines of the width of the other pages. */
function wrapped(text, indent) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line.length + word.length < WIDTH) lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    else lines.push(indent + word);
  }
  return lines.join('\n');
}

function block(text) {
  return `\`\`\`ts\n${text.replace(/;$/, '')};\n\`\`\``;
}

function code(text) {
  return `\`${text}\``;
}
