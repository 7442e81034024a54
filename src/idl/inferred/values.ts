import type { JsonValue } from '../json-value.js';
import type { Declaration, Field, Fields, Variants } from './declarations.js';
import type { NoSpaces, SnakeCase } from './text.js';

/** The structs, enums and aliases of an IDL by name: kind and body. */
export type NamedTypes<D extends readonly Declaration[]> = {
  [E in D[number] as E[0] extends 'struct' | 'enum' | 'type' ? E[1] : never]: readonly [E[0], E[2]];
};

interface Primitives {
  bool: boolean;
  u8: number;
  u16: number;
  u32: number;
  u64: bigint;
  u128: bigint;
  i8: number;
  i16: number;
  i32: number;
  i64: bigint;
  i128: bigint;
  string: string;
  bytes: Uint8Array;
  address: Uint8Array;
  hash: Uint8Array;
  json: JsonValue;
}

/** The name in the text of a type, without `[]` and `?`. */
export type BaseName<T extends string> = T extends `${infer A}[${string}`
  ? BaseName<A>
  : T extends `${infer A}?${string}`
    ? A
    : T;

/** The value of a type, from its text without spaces: the same type as in generated contracts. */
export type Value<T extends string, X> = T extends `${BaseName<T>}${infer S}`
  ? Suffixed<S, Named<BaseName<T>, X>>
  : never;

type Suffixed<S extends string, V> = S extends `?${infer R}`
  ? Suffixed<R, V | null>
  : S extends `[${string}]${infer R}`
    ? Suffixed<R, readonly V[]>
    : V;

type Named<N extends string, X> = N extends keyof Primitives
  ? Primitives[N]
  : N extends `bytes${number}`
    ? Uint8Array
    : N extends keyof X
      ? X[N] extends readonly ['struct', infer B extends string]
        ? Members<Fields<B>, X>
        : X[N] extends readonly ['enum', infer B extends string]
          ? Variant<Variants<B>[number], X>
          : X[N] extends readonly ['type', infer B extends string]
            ? Value<NoSpaces<B>, X>
            : never
      : never;

type Variant<V extends readonly [string, string], X> = V extends readonly [
  infer N extends string,
  infer T extends string,
]
  ? T extends ''
    ? { readonly type: SnakeCase<N>; readonly value?: null }
    : { readonly type: SnakeCase<N>; readonly value: Value<T, X> }
  : never;

/** An object of fields. */
export type Members<F extends readonly Field[], X> = F extends readonly []
  ? { readonly [name: string]: never }
  : Flat<
      {
        readonly [E in F[number] as E[2] extends false ? E[0] : never]: Value<E[1], X>;
      } & {
        readonly [E in F[number] as E[2] extends true ? E[0] : never]?: Value<E[1], X>;
      }
    >;

/** One object type in place of an intersection. */
export type Flat<T> = { [K in keyof T]: T[K] };
