import type { Span } from './diagnostics.js';

/** A name in the source text. */
export interface NameNode {
  readonly text: string;
  readonly span: Span;
}

export type TypeNode =
  | { readonly kind: 'name'; readonly name: string; readonly span: Span }
  | { readonly kind: 'list'; readonly item: TypeNode; readonly length?: number; readonly span: Span }
  | { readonly kind: 'option'; readonly item: TypeNode; readonly span: Span };

export interface LiteralNode {
  readonly kind: 'word' | 'integer' | 'string';
  readonly text: string;
  readonly span: Span;
}

export interface AnnotationNode {
  readonly name: NameNode;
  readonly arguments: readonly LiteralNode[];
}

/** Doc lines and annotations before a declaration. */
export interface Attributes {
  readonly doc: readonly string[];
  readonly annotations: readonly AnnotationNode[];
}

/** A field of a struct, event or error, or a parameter. */
export interface FieldNode extends Attributes {
  readonly name: NameNode;
  readonly optional: boolean;
  /** True only in events. */
  readonly indexed: boolean;
  readonly type: TypeNode;
}

export interface VariantNode extends Attributes {
  readonly name: NameNode;
  readonly payload?: TypeNode;
}

export interface MethodNode extends Attributes {
  readonly kind: 'method' | 'view';
  readonly name: NameNode;
  readonly parameters: readonly FieldNode[];
  readonly returns?: TypeNode;
}

/** An event or an error of a contract. */
export interface RecordNode extends Attributes {
  readonly kind: 'event' | 'error';
  readonly name: NameNode;
  readonly fields: readonly FieldNode[];
}

export type ItemNode = Attributes & { readonly name: NameNode } & (
    | { readonly kind: 'interface'; readonly members: readonly MethodNode[] }
    | { readonly kind: 'contract'; readonly members: readonly (MethodNode | RecordNode)[] }
    | { readonly kind: 'struct'; readonly fields: readonly FieldNode[] }
    | { readonly kind: 'enum'; readonly variants: readonly VariantNode[] }
    | { readonly kind: 'alias'; readonly type: TypeNode }
  );

export interface FileNode {
  /** False if an item could not be parsed at all, so that names may be missing. */
  readonly complete: boolean;
  readonly items: readonly ItemNode[];
}
