import type { Fields, Variants } from './declarations.js';
import type { NoSpaces } from './text.js';
import type { BaseName } from './values.js';

/** Sizes are tuples with as many items, because types can only count those. */
type Size = readonly 0[];

/** All sizes that fit in a topic, by their decimal digits. */
type Sizes<All extends readonly Size[] = [readonly []]> = All['length'] extends 33
  ? All
  : All extends readonly [...Size[], infer Last extends Size]
    ? Sizes<readonly [...All, readonly [...Last, 0]]>
    : never;

type SizeTable = Sizes;
type SizeOfNumber<N> = N extends keyof SizeTable ? (SizeTable[N] extends Size ? SizeTable[N] : false) : false;

interface PrimitiveSizes {
  bool: 1;
  u8: 1;
  i8: 1;
  u16: 2;
  i16: 2;
  u32: 4;
  i32: 4;
  u64: 8;
  i64: 8;
  u128: 16;
  i128: 16;
  address: 20;
  hash: 32;
}

/**
 * The encoded size of a type, from its text without spaces; false if it varies or exceeds a topic, so that an indexed
 * field's value cannot be recovered from its topic.
 */
export type TopicSize<T extends string, X, Depth extends Size = []> = Depth['length'] extends 16
  ? false
  : T extends `${BaseName<T>}${infer S}`
    ? SuffixedSize<S, NamedSize<BaseName<T>, X, readonly [...Depth, 0]>>
    : false;

type SuffixedSize<S extends string, N> = N extends Size
  ? S extends ''
    ? N
    : S extends `[${infer L}]${infer R}`
      ? SuffixedSize<R, Times<N, SizeOfNumber<L>>>
      : false
  : false;

type Times<N extends Size, L, Out = readonly []> = L extends readonly [0, ...infer R extends Size]
  ? Times<N, R, Sum<Out, N>>
  : L extends false
    ? false
    : Out;

type Sum<A, B> = A extends Size
  ? B extends Size
    ? readonly [...A, ...B] extends infer C extends Size
      ? C extends SizeTable[number]
        ? C
        : false
      : false
    : false
  : false;

type NamedSize<N extends string, X, Depth extends Size> = N extends keyof PrimitiveSizes
  ? SizeOfNumber<`${PrimitiveSizes[N]}`>
  : N extends `bytes${infer L extends number}`
    ? SizeOfNumber<`${L}`>
    : N extends keyof X
      ? X[N] extends readonly ['struct', infer B extends string]
        ? StructSize<Fields<B>, X, Depth>
        : X[N] extends readonly ['enum', infer B extends string]
          ? EnumSize<Variants<B>[number], X, Depth>
          : X[N] extends readonly ['type', infer B extends string]
            ? TopicSize<NoSpaces<B>, X, Depth>
            : false
      : false;

type StructSize<F, X, Depth extends Size, Out = readonly []> = F extends readonly [
  readonly [string, infer T extends string, infer Optional, boolean],
  ...infer R,
]
  ? Optional extends true
    ? false
    : StructSize<R, X, Depth, Sum<Out, TopicSize<T, X, Depth>>>
  : Out;

/** The variants' common size. Distributes over the variants. */
type EnumSize<V, X, Depth extends Size> = OnlySize<
  V extends readonly [string, infer T extends string]
    ? T extends ''
      ? readonly [0]
      : Sum<readonly [0], TopicSize<T, X, Depth>>
    : never
>;

/** The only member of a union of sizes; false if there are more. */
type OnlySize<S> = [S] extends [Size] ? (true extends IsUnion<S> ? false : S) : false;

type IsUnion<S, All = S> = S extends unknown ? ([All] extends [S] ? false : true) : never;
