/** A text without spaces at its start. */
export type TrimStart<S extends string> = S extends `  ${infer R}`
  ? TrimStart<R>
  : S extends ` ${infer R}`
    ? TrimStart<R>
    : S;

/** A text without spaces at its ends. */
export type Trim<S extends string> = S extends `${infer R} ` ? Trim<R> : TrimStart<S>;

/** A text without spaces. */
export type NoSpaces<S extends string> = S extends `${infer A} ${infer B}` ? NoSpaces<`${A}${B}`> : S;

/** An IDL text on one line, without comments and without the strings of annotations. */
export type Code<S extends string, Out extends string = ''> = S extends `${infer L}\n${infer R}`
  ? Code<R, `${Out} ${CodeOfLine<L>}`>
  : `${Out} ${CodeOfLine<S>}`;

type CodeOfLine<S extends string> = S extends `${string}\t${string}` | `${string}\r${string}`
  ? WithoutComment<Spaced<S>>
  : WithoutComment<S>;

type Spaced<S extends string> = S extends `${infer A}\t${infer B}`
  ? Spaced<`${A} ${B}`>
  : S extends `${infer A}\r${infer B}`
    ? Spaced<`${A} ${B}`>
    : S;

type WithoutComment<S extends string, Out extends string = ''> = S extends `${infer A}"${infer B}`
  ? A extends `${infer C}//${string}`
    ? `${Out}${C}`
    : WithoutComment<AfterString<B>, `${Out}${A}`>
  : S extends `${infer C}//${string}`
    ? `${Out}${C}`
    : `${Out}${S}`;

type AfterString<S extends string> = S extends `${infer A}"${infer B}`
  ? EndsInEscape<A> extends true
    ? AfterString<B>
    : B
  : '';

type EndsInEscape<S extends string> = S extends `${infer A}\\\\`
  ? EndsInEscape<A>
  : S extends `${string}\\`
    ? true
    : false;

/** A text after its leading annotations. */
export type AfterAnnotations<S extends string> =
  TrimStart<S> extends infer T extends string
    ? T extends `@${infer A}`
      ? AfterAnnotations<AfterAnnotation<TrimStart<A>>>
      : T
    : never;

type AfterAnnotation<S extends string> = S extends `${infer Name} ${infer R}`
  ? Name extends `${string}(${string}`
    ? AfterLiterals<S>
    : TrimStart<R> extends `(${infer L}`
      ? AfterLiterals<`(${L}`>
      : R
  : AfterLiterals<S>;

type AfterLiterals<S extends string> = S extends `${string})${infer R}` ? R : '';

/** `CatchingUp` → `catching_up`: the tag of an enum's variant. */
export type SnakeCase<
  S extends string,
  Before extends 'lower' | 'upper' | 'other' = 'other',
  Out extends string = '',
> = S extends `${infer C}${infer R}`
  ? SnakeCase<R, KindOf<C>, `${Out}${Underscore<C, Before, R>}${Lowercase<C>}`>
  : Out;

type Underscore<C extends string, Before, R extends string> =
  KindOf<C> extends 'upper'
    ? Before extends 'lower'
      ? '_'
      : Before extends 'upper'
        ? R extends `${infer N}${string}`
          ? N extends Letter
            ? '_'
            : ''
          : ''
        : ''
    : '';

type Letter =
  | ('a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm')
  | ('n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z');

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';

type KindOf<C extends string> = C extends Letter | Digit
  ? 'lower'
  : C extends Uppercase<Letter>
    ? 'upper'
    : 'other';
