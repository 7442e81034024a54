import type { Manifest, MethodDefinition, StructDefinition, Tier, TypeReference } from '../manifest.js';
import { TypeTable } from '../type-table.js';
import { describe, JsonDecodeError } from './codec-errors.js';
import { type Codec, type CodecOptions, CodecUnit } from './codecs.js';

/** Decodes the parameters and encodes the result of one method, and the other way round for clients. */
export interface MethodCodec {
  readonly name: string;
  /** `NodeRpcV1.status`. */
  readonly qualifiedName: string;
  readonly tier: Tier;
  /** Compute units that a call charges. */
  readonly cost: number;
  /**
   * @param params the `params` of a request after JSON.parse; undefined stands for no parameters
   * @returns the struct, where the method takes exactly that; else an object of the named parameters
   * @throws JsonDecodeError with paths that begin with `params`
   */
  decodeParams(params: unknown): unknown;
  /**
   * @returns JSON text
   * @throws JsonEncodeError
   */
  encodeResult(result: unknown): string;
  /**
   * @returns JSON text
   * @throws JsonEncodeError
   */
  encodeParams(params: unknown): string;
  /**
   * @param result the `result` of an answer after JSON.parse
   * @throws JsonDecodeError with paths that begin with `result`
   */
  decodeResult(result: unknown): unknown;
}

/**
 * The codecs of every method of an interface, by plain name, in the order of the declaration.
 * @throws Error where the manifest has no interface of that name
 */
export function compileInterface(
  manifest: Manifest,
  interfaceName: string,
  options: CodecOptions = {},
): ReadonlyMap<string, MethodCodec> {
  const definition = manifest.interfaces.find(({ name }) => name === interfaceName);
  if (definition === undefined) throw new Error(`the manifest declares no interface ${interfaceName}`);
  const types = new TypeTable(manifest);
  const roots = new Map<string, TypeReference | StructDefinition>();
  for (const method of definition.methods) {
    const params = { name: `parameters of ${method.name}`, fields: method.params };
    roots.set(`${method.name} params`, types.soleStruct(method.params) ?? params);
    if (method.returns !== undefined) roots.set(`${method.name} result`, method.returns);
  }
  const unit = new CodecUnit(types, roots, options);
  return new Map(
    definition.methods.map((method) => [
      method.name,
      new CompiledMethodCodec(interfaceName, method, types.soleStruct(method.params), unit),
    ]),
  );
}

class CompiledMethodCodec implements MethodCodec {
  readonly name: string;
  readonly qualifiedName: string;
  readonly tier: Tier;
  readonly cost: number;
  readonly #params: Codec<unknown>;
  readonly #result: Codec<unknown> | undefined;
  /** Names for the message that refuses a list. */
  readonly #memberNames: readonly string[];
  /** Name of the one struct parameter, under which the struct may be sent as well. */
  readonly #wrapper: string | undefined;

  constructor(
    interfaceName: string,
    method: MethodDefinition,
    sole: StructDefinition | undefined,
    unit: CodecUnit,
  ) {
    this.name = method.name;
    this.qualifiedName = `${interfaceName}.${method.name}`;
    this.tier = method.tier;
    this.cost = method.cost;
    this.#params = unit.codec(`${method.name} params`, 'params');
    this.#result = method.returns === undefined ? undefined : unit.codec(`${method.name} result`, 'result');
    this.#memberNames = (sole?.fields ?? method.params).map(({ name }) => name);
    const parameter = method.params[0]?.name;
    if (sole !== undefined && parameter !== undefined) {
      // {"args": …} is taken for the wrapper only where it could not be the struct itself.
      const canBeStruct = sole.fields.every((field) => field.name === parameter || field.optional);
      const isField = sole.fields.some((field) => field.name === parameter);
      this.#wrapper = isField && canBeStruct ? undefined : parameter;
    }
  }

  decodeParams(params: unknown): unknown {
    if (params === undefined) return this.#params.fromJson({}, 'params');
    if (Array.isArray(params)) {
      const names =
        this.#memberNames.length === 0 ? 'without members' : `by name: ${this.#memberNames.join(', ')}`;
      throw new JsonDecodeError(
        'wrong_value',
        'params',
        `an object of parameters ${names}`,
        describe(params),
      );
    }
    const wrapper = this.#wrapper;
    if (
      wrapper !== undefined &&
      typeof params === 'object' &&
      params !== null &&
      Object.hasOwn(params, wrapper)
    ) {
      const members = Object.keys(params);
      if (members.length === 1) {
        return this.#params.fromJson((params as Record<string, unknown>)[wrapper], `params.${wrapper}`);
      }
    }
    return this.#params.fromJson(params, 'params');
  }

  encodeResult(result: unknown): string {
    return this.#result === undefined ? 'null' : this.#result.toJson(result);
  }

  encodeParams(params: unknown): string {
    return this.#params.toJson(params);
  }

  decodeResult(result: unknown): unknown {
    return this.#result === undefined ? null : this.#result.fromJson(result, 'result');
  }
}
