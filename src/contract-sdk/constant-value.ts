import { KIND, type ProgramSymbol, type SourceNode, textOf } from './source-tree.js';

/** References followed before a value counts as unknown; stops at constants that refer to each other. */
const MAX_DEPTH = 32;

/**
 * The value of a constant integer expression: literals, constants, members of enums, and arithmetic on them.
 * @param scope where names are looked up
 * @returns undefined if the value is not constant or not known before the compilation
 */
export function constantValue(node: SourceNode, scope: ProgramSymbol, depth = MAX_DEPTH): bigint | undefined {
  if (depth === 0) return undefined;
  const inner = (of: SourceNode | undefined): bigint | undefined =>
    of === undefined ? undefined : constantValue(of, scope, depth - 1);
  switch (node.kind) {
    case KIND.parenthesized:
    case KIND.assertion:
      return inner(node.expression);
    case KIND.literal:
      return integer(textOf(node));
    case KIND.unaryPrefix: {
      const value = inner(node.operand);
      return value !== undefined && textOf(node).startsWith('-') ? -value : undefined;
    }
    case KIND.binary:
      return arithmetic(operatorOf(node), inner(node.left), inner(node.right));
    case KIND.identifier:
      return symbolValue(scope.lookup(node.text ?? ''), depth);
    case KIND.propertyAccess: {
      const owner = scope.lookup(node.expression?.text ?? '');
      const member = owner?.members?.get(node.property?.text ?? '');
      return member && (symbolValue(member, depth) ?? enumValue(owner, member, depth));
    }
    default:
      return undefined;
  }
}

function integer(text: string): bigint | undefined {
  const digits = text.replaceAll('_', '');
  return /^(?:\d+|0x[\da-f]+|0b[01]+|0o[0-7]+)$/i.test(digits) ? BigInt(digits) : undefined;
}

function operatorOf({ left, right, range }: SourceNode): string {
  return range.source.text.slice(left?.range.end, right?.range.start).trim();
}

function arithmetic(operator: string, a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  return operator === '*' ? a * b : undefined;
}

/** The value of a symbol that has an initializer and cannot change. */
function symbolValue(symbol: ProgramSymbol | null, depth: number): bigint | undefined {
  const { declaration } = symbol ?? {};
  if (symbol === null || !declaration?.initializer || !isConstant(declaration)) return undefined;
  return constantValue(declaration.initializer, symbol.parent, depth - 1);
}

/** Flags of the compiler: a `const` or `readonly` declaration. */
const CONST = 8;
const READONLY = 64;
const ENUM_MEMBER = 54;

function isConstant({ kind, flags = 0 }: SourceNode): boolean {
  return kind === ENUM_MEMBER || (flags & (CONST | READONLY)) !== 0;
}

/** The value of a member of an enum without initializer: one more than the member before it. */
function enumValue(
  owner: ProgramSymbol | null | undefined,
  member: ProgramSymbol,
  depth: number,
): bigint | undefined {
  if (member.declaration?.kind !== ENUM_MEMBER || member.declaration.initializer) return undefined;
  const members = [...(owner?.members?.values() ?? [])];
  const before = members[members.indexOf(member) - 1];
  if (before === undefined) return 0n;
  const value = symbolValue(before, depth) ?? enumValue(owner, before, depth - 1);
  return value === undefined ? undefined : value + 1n;
}
