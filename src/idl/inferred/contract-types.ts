import type { Declaration, Declarations, Field, Fields, Parameters, Returns } from './declarations.js';
import type { TopicSize } from './topic-size.js';
import type { Flat, Members, NamedTypes, Value } from './values.js';

/** A contract whose functions, events and errors are not known to the compiler. */
export interface AnyContract {
  readonly calls: { readonly [method: string]: AnyFunction };
  readonly views: { readonly [view: string]: AnyFunction };
  readonly events: { readonly [event: string]: { readonly [field: string]: unknown } };
  readonly errors: { readonly [error: string]: { readonly [field: string]: unknown } };
}

interface AnyFunction {
  readonly args: { readonly [parameter: string]: unknown };
  readonly result: unknown;
}

/**
 * The types of the only contract in an IDL text: the same as `heddle idl generate --contract` writes. For a text that
 * the compiler does not know, {@link AnyContract}; for one that is no such IDL, `never`.
 */
export type InferredContract<Idl extends string> = string extends Idl
  ? AnyContract
  : OfDeclarations<Declarations<Idl>>;

type OfDeclarations<D> = [D] extends [never]
  ? never
  : D extends readonly Declaration[]
    ? Extract<D[number], readonly ['contract', string, string]> extends never
      ? never
      : OfMembers<D, NamedTypes<D>>
    : never;

interface OfMembers<D extends readonly Declaration[], X> {
  readonly calls: Functions<D, 'method', X>;
  readonly views: Functions<D, 'view', X>;
  readonly events: {
    readonly [E in D[number] as E[0] extends 'event' ? E[1] : never]: EventMembers<Fields<E[2]>, X>;
  };
  readonly errors: {
    readonly [E in D[number] as E[0] extends 'error' ? E[1] : never]: Members<Fields<E[2]>, X>;
  };
}

/** Run only by deployments and upgrades. */
type DeploymentOnly = 'init' | 'migrate';

type Functions<D extends readonly Declaration[], Kind, X> = {
  readonly [E in D[number] as E[0] extends Kind ? Exclude<E[1], DeploymentOnly> : never]: {
    readonly args: Members<Parameters<E[2]>, X>;
    readonly result: Result<Returns<E[2]>, X>;
  };
};

type Result<T extends string, X> = T extends '' ? null : Value<T, X>;

type EventMembers<F extends readonly Field[], X> = F extends readonly []
  ? { readonly [name: string]: never }
  : Flat<
      {
        readonly [E in F[number] as MayBeAbsent<E, X> extends true ? never : E[0]]: EventValue<E, X>;
      } & {
        readonly [E in F[number] as MayBeAbsent<E, X> extends true ? E[0] : never]?: EventValue<E, X>;
      }
    >;

type MayBeAbsent<E extends Field, X> = E[2] extends true
  ? IsTopic<E, X> extends true
    ? false
    : true
  : false;

type EventValue<E extends Field, X> =
  IsTopic<E, X> extends true ? { readonly topic: Uint8Array } : Value<E[1], X>;

/** Whether only the topic of an indexed field is known, not its value. */
type IsTopic<E extends Field, X> = E[3] extends true
  ? E[2] extends true
    ? true
    : TopicSize<E[1], X> extends false
      ? true
      : false
  : false;
