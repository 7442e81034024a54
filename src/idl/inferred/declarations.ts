import type { AfterAnnotations, Code, NoSpaces, Trim, TrimStart } from './text.js';

/** A declaration: its kind, name and the text of its body. */
export type Declaration = readonly [
  kind: 'struct' | 'enum' | 'type' | 'contract' | 'method' | 'view' | 'event' | 'error',
  name: string,
  body: string,
];

/** A field or parameter. */
export type Field = readonly [name: string, type: string, optional: boolean, indexed: boolean];

/** The declarations of an IDL text; `never` if it is not one. Members of contracts follow them. */
export type Declarations<S extends string> = Items<Code<S>, []>;

type Items<S extends string, D extends readonly Declaration[]> =
  AfterAnnotations<S> extends infer T extends string
    ? T extends ''
      ? D
      : T extends `contract ${infer N}{${infer R}`
        ? Members<R, [...D, ['contract', Trim<N>, '']]>
        : T extends `struct ${infer N}{${infer B}}${infer R}`
          ? Items<R, [...D, ['struct', Trim<N>, B]]>
          : T extends `enum ${infer N}{${infer B}}${infer R}`
            ? Items<R, [...D, ['enum', Trim<N>, B]]>
            : T extends `type ${infer N}=${infer B};${infer R}`
              ? Items<R, [...D, ['type', Trim<N>, B]]>
              : T extends `interface ${string}{${string}}${infer R}`
                ? Items<R, D>
                : never
    : never;

type Members<S extends string, D extends readonly Declaration[]> =
  AfterAnnotations<S> extends infer T extends string
    ? T extends `}${infer R}`
      ? Items<R, D>
      : T extends `method ${infer N}(${infer B};${infer R}`
        ? Members<R, [...D, ['method', Trim<N>, B]]>
        : T extends `view ${infer N}(${infer B};${infer R}`
          ? Members<R, [...D, ['view', Trim<N>, B]]>
          : T extends `event ${infer N}{${infer B}}${infer R}`
            ? Members<R, [...D, ['event', Trim<N>, B]]>
            : T extends `error ${infer N}{${infer B}}${infer R}`
              ? Members<R, [...D, ['error', Trim<N>, B]]>
              : never
    : never;

/** The fields in the body of a struct, event or error. */
export type Fields<S extends string, F extends readonly Field[] = []> = S extends `${infer A};${infer R}`
  ? Fields<R, [...F, FieldOf<AfterAnnotations<A>>]>
  : F;

type FieldOf<S extends string> = S extends `indexed ${infer A}`
  ? TrimStart<A> extends `:${string}` | `?${string}`
    ? MemberOf<S, false>
    : MemberOf<A, true>
  : MemberOf<S, false>;

/** The parameters in the body of a function. */
export type Parameters<S extends string, F extends readonly Field[] = []> = S extends `${infer A})${string}`
  ? ParameterList<A, F>
  : F;

type ParameterList<S extends string, F extends readonly Field[]> = S extends `${infer A},${infer R}`
  ? ParameterList<R, [...F, MemberOf<A, false>]>
  : Trim<S> extends ''
    ? F
    : [...F, MemberOf<S, false>];

/** The result type's text in the body of a function; `''` if it returns nothing. */
export type Returns<S extends string> = S extends `${string})${infer A}`
  ? A extends `${string}->${infer T}`
    ? NoSpaces<T>
    : ''
  : '';

type MemberOf<S extends string, Indexed extends boolean> = S extends `${infer N}:${infer T}`
  ? N extends `${infer O}?${string}`
    ? [Trim<O>, NoSpaces<T>, true, Indexed]
    : NoSpaces<T> extends `${infer O}?`
      ? [Trim<N>, O, true, Indexed]
      : [Trim<N>, NoSpaces<T>, false, Indexed]
  : never;

/** The variants in the body of an enum: names and payloads, `''` for none. */
export type Variants<
  S extends string,
  V extends readonly (readonly [name: string, payload: string])[] = [],
> = S extends `${infer A},${infer R}`
  ? Variants<R, [...V, VariantOf<AfterAnnotations<A>>]>
  : Trim<S> extends ''
    ? V
    : [...V, VariantOf<AfterAnnotations<S>>];

type VariantOf<S extends string> = S extends `${infer N}:${infer T}` ? [Trim<N>, NoSpaces<T>] : [Trim<S>, ''];
