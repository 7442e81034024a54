import { constantValue } from './constant-value.js';
import {
  KIND,
  nodesOf,
  type Program,
  type ProgramSymbol,
  type SourceNode,
  type SourceRange,
  STATIC,
} from './source-tree.js';

/** Largest field number; `MAX_FIELD` of the SDK's storage. */
const MAX_FIELD = 63n;
const STORAGE_CLASS = /^~lib\/heddle\/storage\/(?:Cell|Mapping2?|Lock)$/;

/** A stored value of the contract. */
export interface StorageField {
  /** Class and name, such as `Token.balances`; for a global variable, its name. */
  readonly name: string;
  readonly number: bigint;
  /** Place of the number. */
  readonly range: SourceRange;
}

/**
 * The field numbers of all storage that exists in every call: of global variables, of the contract, its base classes
 * and the objects in their fields. Numbers that are not constant are left to the SDK's check at run time.
 */
export function storageFields(program: Program, contract: ProgramSymbol): readonly StorageField[] {
  const fields: StorageField[] = [];
  for (const source of program.sources) {
    const scope = program.filesByName.get(source.internalPath);
    if (source.sourceKind > 1 || scope === undefined) continue;
    const variables = source.statements.filter(({ kind }) => kind === KIND.variableStatement);
    for (const { name, initializer } of variables.flatMap(({ declarations = [] }) => declarations)) {
      if (initializer) fields.push(...storageOf(initializer, scope, name?.text ?? '', []));
    }
  }
  return [...fields, ...storageOfClass(contract, [])];
}

/** The problems of field numbers, with their places. */
export function fieldProblems(
  fields: readonly StorageField[],
): readonly { readonly text: string; readonly range: SourceRange }[] {
  const taken = new Map<bigint, StorageField>();
  return fields.flatMap((field) => {
    const { name, number, range } = field;
    if (number < 0n || number > MAX_FIELD) {
      return [{ text: `${name} has storage field ${number}; fields are numbered from 0 to 63`, range }];
    }
    const first = taken.get(number);
    if (first === undefined) {
      taken.set(number, field);
      return [];
    }
    const { start, source } = first.range;
    const place = `${source.normalizedPath} line ${source.lineAt(start)}`;
    return [{ text: `${name} has storage field ${number}, which ${first.name} has (${place})`, range }];
  });
}

/** @param inside classes being collected, which stops at classes that contain themselves */
function storageOfClass(symbol: ProgramSymbol, inside: readonly ProgramSymbol[]): readonly StorageField[] {
  if (inside.includes(symbol)) return [];
  const within = [...inside, symbol];
  const base = symbol.basePrototype ? storageOfClass(symbol.basePrototype, inside) : [];
  const own = (symbol.declaration?.members ?? []).flatMap((member) => {
    if (((member.flags ?? 0) & STATIC) !== 0) return [];
    const { kind, initializer, name } = member;
    if (kind === KIND.fieldDeclaration && initializer) {
      return storageOf(initializer, symbol, `${symbol.name}.${name?.text}`, within);
    }
    return kind === KIND.methodDeclaration && name?.text === 'constructor'
      ? assignedStorage(member, symbol, within)
      : [];
  });
  return [...base, ...own];
}

/** Storage that a constructor assigns: `this.field = new Cell<u64>(1)`. */
function assignedStorage(
  method: SourceNode,
  symbol: ProgramSymbol,
  inside: readonly ProgramSymbol[],
): readonly StorageField[] {
  return [...nodesOf(method)].flatMap(({ kind, left, right }) => {
    const isField = left?.kind === KIND.propertyAccess && left.expression?.kind === KIND.this;
    if (kind !== KIND.binary || !isField || right === undefined) return [];
    return storageOf(right, symbol, `${symbol.name}.${left.property?.text}`, inside);
  });
}

/** The storage in the value of a `new` expression. */
function storageOf(
  value: SourceNode,
  scope: ProgramSymbol,
  name: string,
  inside: readonly ProgramSymbol[],
): readonly StorageField[] {
  const made = madeClass(value, scope);
  if (made === undefined) return [];
  if (!STORAGE_CLASS.test(made.internalName))
    return made.internalName.startsWith('~lib/') ? [] : storageOfClass(made, inside);
  const [argument] = value.args ?? [];
  const number = argument === undefined ? undefined : constantValue(argument, scope);
  return argument === undefined || number === undefined ? [] : [{ name, number, range: argument.range }];
}

function madeClass({ kind, typeName }: SourceNode, scope: ProgramSymbol): ProgramSymbol | undefined {
  if (kind !== KIND.new || typeName === undefined) return undefined;
  let symbol = scope.lookup(typeName.identifier.text ?? '') ?? undefined;
  for (let { next } = typeName; next !== null; { next } = next) {
    symbol = symbol?.members?.get(next.identifier.text ?? '');
  }
  return symbol;
}
