import type { Manifest } from '../manifest.js';
import { TypeTable } from '../type-table.js';
import type { CodecOptions } from './codec.js';
import {
  bindMethods,
  type MethodCodec,
  paramsForm,
  readJsonNothing,
  writeJsonNothing,
} from './method-codecs.js';
import { RuntimeTypes } from './runtime/runtime-types.js';

/**
 * Codecs for every method of an interface known only at run time, by plain name, in declaration order.
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
