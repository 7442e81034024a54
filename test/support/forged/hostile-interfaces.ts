/** Interface texts of 64 KiB that anybody may deploy, each with as much of one construct as fits. */
import { MAX_IDL_BYTES } from '../../../src/ledger/constants.js';

/** Contracts that declare as many functions, or parameters, as people might: what the others are compared with. */
export function ordinaryInterface(): string {
  return filled(
    'contract C {\n',
    (i) => `  /// Moves tokens.\n  method transfer_${i}(to: address, amount: u128);\n`,
    '}',
  );
}

export const HOSTILE_INTERFACES: Readonly<Record<string, () => string>> = {
  'functions without parameters': () => filled('contract C{', (i) => `view m${short(i)}();`, '}'),
  'functions of two types': () => filled('contract C{', (i) => `view m${short(i)}(a:u8)->u8[];`, '}'),
  'one function of many parameters': () =>
    filled('contract C{method m(', (i) => `${i === 0 ? '' : ','}p${short(i)}:u8`, ');}'),
  events: () => filled('contract C{', (i) => `event e${short(i)}{indexed a:u8;}`, '}'),
  errors: () => filled('contract C{', (i) => `error e${short(i)}{}`, '}'),
  'options of a chain of aliases': () =>
    filled(`${aliasChain(900)}contract C{method m(`, (i) => `${i === 0 ? '' : ','}p${short(i)}:A899?`, ');}'),
  'limits of a chain of aliases': () =>
    filled(
      `${aliasChain(900, 'string')}struct S{`,
      (i) => `@max(9)p${short(i)}:A899;`,
      '}contract C{method m(a:S);}',
    ),
  'names among many declarations': () =>
    filled(
      `${repeated(990, (i) => `type T${i}=u8;`)}contract C{view v(`,
      (i) => `${i === 0 ? '' : ','}a${short(i)}:T0`,
      ');}',
    ),
  'structs that wait for the next': () =>
    filled(
      `${repeated(90, (i) => `struct S${i}{a:S${i + 1};}`)}struct S90{a:u8;}contract C{method m(a:S0);}`,
      (i) =>
        i < 900
          ? `struct R${i}{a:S0;b:R${i + 1}[];c:R${(i * 7) % 900}?;}`
          : i === 900
            ? 'struct R900{}'
            : '//\n',
      '',
    ),
  'a struct of many fields': () =>
    filled('struct S{', (i) => `a${short(i)}:u8[${i + 1}]?;`, '}contract C{view m(a:S)->S;}'),
  'a long recursion': () => `${longRecursion(450, '[1][1][1][1][1][1][1][1]')}contract C{method m(a:S0?);}`,
  'enums that hold each other': () =>
    `${repeated(900, (i) => `enum E${i}{A:E${(i + 1) % 900}[1][1][1][1][1],B:E${(i + 7) % 900}[1][1],C}`)}contract C{method m(a:E0[]);}`,
  'aliases of lists of lists': () =>
    `type T0=u8;${repeated(900, (i) => `type T${i + 1}=T${i}[][][][][][][][];`)}contract C{method m(a:T900);}`,
  'a long name in many signatures': () =>
    filled(
      `struct ${'S'.repeat(9_000)}{a:u8;}type A=${'S'.repeat(9_000)};contract C{`,
      (i) => `view v${i}(a:A,b:A);`,
      '}',
    ),
  'one name again and again': () => filled('contract C{', () => 'view v();\n', '}'),
  'one type again and again, far below': () =>
    `${'\n'.repeat(54_000)}contract C{}${repeated(980, () => 'struct A{}')}`,
  'unknown types': () => filled('contract C{', (i) => `view v${i}(a:Q${i});`, '}'),
  'aliases in a circle': () =>
    `${repeated(900, (i) => `type T${i}=T${(i + 1) % 900};`)}contract C{method m(a:T0);}`,
};

function aliasChain(length: number, end = 'u8'): string {
  return `type A0=${end};${repeated(length - 1, (i) => `type A${i + 1}=A${i};`)}`;
}

function longRecursion(length: number, lists: string): string {
  return repeated(length, (i) => `struct S${i}{a:${i === length - 1 ? 'S0?' : `S${i + 1}${lists}`};}`);
}

function repeated(count: number, part: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => part(i)).join('');
}

/** The head, as many parts as fit, and the tail. */
function filled(head: string, part: (i: number) => string, tail: string): string {
  const parts = [head];
  let left = MAX_IDL_BYTES - head.length - tail.length;
  for (let i = 0; ; i++) {
    const next = part(i);
    left -= next.length;
    if (left < 0) return parts.join('') + tail;
    parts.push(next);
  }
}

function short(i: number): string {
  return i.toString(36);
}
