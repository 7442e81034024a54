// Codecs built at run time from a manifest, which do what the generated ones do.
import {
  bindCodecs,
  type CodecOptions,
  type CodecTable,
  type FunctionTable,
  type TypeFunctions,
} from '../../src/idl/codecs/codec.js';
import {
  bindMethods,
  type MethodCodec,
  paramsForm,
  readJsonNothing,
  writeJsonNothing,
} from '../../src/idl/codecs/method-codecs.js';
import { type RuntimeOptions, RuntimeTypes } from '../../src/idl/codecs/runtime/runtime-types.js';
import type { Manifest } from '../../src/idl/manifest.js';
import { TypeTable } from '../../src/idl/type-table.js';

/**
 * Codecs by name for every struct and enum of a manifest.
 * @typeParam T the interface that maps names to types
 */
export function compileTypes<T>(
  manifest: Manifest,
  options: CodecOptions & RuntimeOptions = {},
): CodecTable<T> {
  const types = new RuntimeTypes(new TypeTable(manifest), options);
  const table: Record<string, TypeFunctions<unknown>> = {};
  for (const { name } of [...manifest.structs, ...manifest.enums]) table[name] = types.of(name);
  return bindCodecs<T>(table as FunctionTable<T>, options) as CodecTable<T>;
}

/**
 * Codecs by plain name for every method of an interface, in declaration order.
 * @throws Error if the manifest has no interface of that name
 */
export function compileInterface(
  manifest: Manifest,
  interfaceName: string,
  options: CodecOptions = {},
): ReadonlyMap<string, MethodCodec> {
  const definition = manifest.interfaces.find(({ name }) => name === interfaceName);
  if (definition === undefined) throw new Error(`the manifest declares no interface ${interfaceName}`);
  const types = new TypeTable(manifest);
  const functions = new RuntimeTypes(types);
  const methods = definition.methods.map((method) => {
    const record = { name: `parameters of ${method.name}`, fields: method.params };
    const params = functions.of(types.soleStruct(method.params) ?? record);
    const result = method.returns === undefined ? undefined : functions.of(method.returns);
    return {
      name: method.name,
      tier: method.tier,
      cost: method.cost,
      isImmutable: method.immutable === true,
      isRepeatable: method.once !== true,
      ...paramsForm(method, types),
      readParams: params.readJson,
      writeParams: params.writeJson,
      readResult: result?.readJson ?? readJsonNothing,
      writeResult: result?.writeJson ?? writeJsonNothing,
    };
  });
  return bindMethods(interfaceName, methods, options);
}
