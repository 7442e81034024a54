import type { MethodDefinition, Tier } from '../manifest.js';
import type { TypeTable } from '../type-table.js';
import { type CodecOptions, CodecState, type JsonReader, type JsonWriter } from './codec.js';
import { describe, JsonDecodeError } from './codec-errors.js';

/** Codec of one method: decodes parameters and encodes results for servers, and the reverse for clients. */
export interface MethodCodec {
  readonly name: string;
  /** `NodeRpcV1.status`. */
  readonly qualifiedName: string;
  readonly tier: Tier;
  /** Compute units that a call charges. */
  readonly cost: number;
  /** True if a result never changes once the block or transaction that its parameters name is final. */
  readonly isImmutable: boolean;
  /**
   * @param params the `params` of a request after JSON.parse; undefined means no parameters
   * @returns the struct if the method takes exactly one; else an object of the named parameters
   * @throws JsonDecodeError with paths that begin with `params`
   */
  decodeParams(params: unknown): unknown;
  /** @returns JSON text @throws JsonEncodeError */
  encodeResult(result: unknown): string;
  /** @returns JSON text @throws JsonEncodeError */
  encodeParams(params: unknown): string;
  /**
   * @param result the `result` of an answer after JSON.parse
   * @throws JsonDecodeError with paths that begin with `result`
   */
  decodeResult(result: unknown): unknown;
}

/** A method's functions for clients. */
export interface CallFunctions<P, R> {
  /** Whether the method is idempotent, so that a call that may have arrived can be repeated. */
  readonly isRepeatable: boolean;
  readonly writeParams: (writer: JsonWriter, params: P, path: string) => string;
  readonly readResult: (reader: JsonReader, result: unknown, path: string) => R;
}

/** The forms in which a method accepts its parameters. */
export interface ParamsForm {
  /** Parameter names, for the error message when a list is sent. */
  readonly members: readonly string[];
  /** Name of the only parameter if it is a struct; the struct may also be sent in an object under this name. */
  readonly wrapper?: string;
}

/** A method, as `heddle idl generate` writes it. The writers check every value. */
export interface MethodFunctions extends CallFunctions<never, unknown>, ParamsForm {
  readonly name: string;
  readonly tier: Tier;
  readonly cost: number;
  readonly isImmutable?: boolean;
  readonly readParams: (reader: JsonReader, params: unknown, path: string) => unknown;
  readonly writeResult: (writer: JsonWriter, result: never, path: string) => string;
}

/** Codecs of an interface's methods by plain name, in the order of `methods`. */
export function bindMethods(
  interfaceName: string,
  methods: readonly MethodFunctions[],
  options: CodecOptions = {},
): ReadonlyMap<string, MethodCodec> {
  const state = new CodecState(options);
  return new Map(
    methods.map((method) => [method.name, new StatefulMethodCodec(interfaceName, method, state)]),
  );
}

export function readJsonNothing(): null {
  return null;
}

export function writeJsonNothing(): string {
  return 'null';
}

export function paramsForm(method: MethodDefinition, types: TypeTable): ParamsForm {
  const sole = types.soleStruct(method.params);
  const members = (sole?.fields ?? method.params).map(({ name }) => name);
  const parameter = method.params[0]?.name;
  if (sole === undefined || parameter === undefined) return { members };
  // {"args": …} counts as the wrapper only if it cannot be the struct itself.
  const canBeStruct = sole.fields.every((field) => field.name === parameter || field.optional);
  const isField = sole.fields.some((field) => field.name === parameter);
  return isField && canBeStruct ? { members } : { members, wrapper: parameter };
}

class StatefulMethodCodec implements MethodCodec {
  readonly name: string;
  readonly qualifiedName: string;
  readonly tier: Tier;
  readonly cost: number;
  readonly isImmutable: boolean;
  readonly #method: MethodFunctions;
  readonly #state: CodecState;

  constructor(interfaceName: string, method: MethodFunctions, state: CodecState) {
    this.name = method.name;
    this.qualifiedName = `${interfaceName}.${method.name}`;
    this.tier = method.tier;
    this.cost = method.cost;
    this.isImmutable = method.isImmutable === true;
    this.#method = method;
    this.#state = state;
  }

  decodeParams(params: unknown): unknown {
    if (params === undefined) return this.#readParams({}, 'params');
    const { members, wrapper } = this.#method;
    if (Array.isArray(params)) {
      const names = members.length === 0 ? 'without members' : `by name: ${members.join(', ')}`;
      const expected = `an object of parameters ${names}`;
      throw new JsonDecodeError('wrong_value', 'params', expected, describe(params));
    }
    if (
      wrapper !== undefined &&
      typeof params === 'object' &&
      params !== null &&
      Object.hasOwn(params, wrapper) &&
      Object.keys(params).length === 1
    ) {
      return this.#readParams((params as Record<string, unknown>)[wrapper], `params.${wrapper}`);
    }
    return this.#readParams(params, 'params');
  }

  encodeResult(result: unknown): string {
    const { jsonWriter } = this.#state;
    jsonWriter.begin();
    return this.#method.writeResult(jsonWriter, result as never, 'result');
  }

  encodeParams(params: unknown): string {
    const { jsonWriter } = this.#state;
    jsonWriter.begin();
    return this.#method.writeParams(jsonWriter, params as never, 'params');
  }

  decodeResult(result: unknown): unknown {
    const { jsonReader } = this.#state;
    jsonReader.begin();
    return this.#method.readResult(jsonReader, result, 'result');
  }

  #readParams(params: unknown, path: string): unknown {
    const { jsonReader } = this.#state;
    jsonReader.begin();
    return this.#method.readParams(jsonReader, params, path);
  }
}
