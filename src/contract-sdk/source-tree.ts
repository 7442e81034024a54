/** The parts used here of the compiler's syntax tree and symbol table. */

/** Values of the compiler's `NodeKind`. */
export const KIND = {
  assertion: 8,
  binary: 9,
  call: 10,
  identifier: 7,
  literal: 17,
  new: 18,
  parenthesized: 21,
  propertyAccess: 22,
  this: 25,
  unaryPrefix: 29,
  variableStatement: 48,
  fieldDeclaration: 55,
  methodDeclaration: 59,
} as const;

/** Flag of declarations that are static members. */
export const STATIC = 32;

/** A node of the syntax tree. Its kind determines its members. */
export interface SourceNode {
  readonly kind: number;
  readonly range: SourceRange;
  readonly text?: string;
  readonly flags?: number;
  readonly name?: SourceNode | null;
  readonly initializer?: SourceNode | null;
  readonly members?: readonly SourceNode[];
  readonly declarations?: readonly SourceNode[];
  readonly args?: readonly SourceNode[];
  readonly typeName?: QualifiedName;
  readonly expression?: SourceNode;
  readonly property?: SourceNode;
  readonly left?: SourceNode;
  readonly right?: SourceNode;
  readonly operand?: SourceNode;
  readonly body?: SourceNode | null;
}

export interface QualifiedName {
  readonly identifier: SourceNode;
  readonly next: QualifiedName | null;
}

export interface SourceRange {
  /** Offset of the first character. */
  readonly start: number;
  /** Offset after the last character. */
  readonly end: number;
  readonly source: SourceFile;
}

export interface SourceFile {
  readonly text: string;
  /** 0 or 1 for a file of the project, more for libraries. */
  readonly sourceKind: number;
  /** Path without extension. */
  readonly internalPath: string;
  readonly normalizedPath: string;
  readonly statements: readonly SourceNode[];
  /** @returns the line of an offset, from 1 */
  lineAt(offset: number): number;
}

/** A named thing: a file, class, variable, enum or member. */
export interface ProgramSymbol {
  /** Path of its file and its name, such as `~lib/heddle/storage/Cell`. */
  readonly internalName: string;
  readonly name: string;
  readonly declaration?: SourceNode;
  readonly members?: ReadonlyMap<string, ProgramSymbol> | null;
  readonly basePrototype?: ProgramSymbol | null;
  readonly parent: ProgramSymbol;
  lookup(name: string): ProgramSymbol | null;
}

/** The compiler's program, after all declarations are known. */
export interface Program {
  readonly sources: readonly SourceFile[];
  readonly filesByName: ReadonlyMap<string, ProgramSymbol>;
  /** Reports an error at a place; the compilation then fails. */
  error(code: number, range: SourceRange, text: string): void;
}

/** The text of a node in its file. */
export function textOf({ range }: SourceNode): string {
  return range.source.text.slice(range.start, range.end);
}

/** All nodes below a node, and the node itself. */
export function* nodesOf(node: SourceNode): Generator<SourceNode> {
  yield node;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'range') continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield* nodesOf(child);
    }
  }
}

function isNode(value: unknown): value is SourceNode {
  return typeof value === 'object' && value !== null && 'kind' in value && 'range' in value;
}
