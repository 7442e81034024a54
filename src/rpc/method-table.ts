import { nearestName } from '../idl/nearest-name.js';
import { LIMITED_METHODS } from './access/declared-gas.js';
import { RpcError } from './errors.js';
import type { MethodStats, RpcMetrics } from './metrics/rpc-metrics.js';
import type { BoundInterface, BoundMethod } from './rpc-interface.js';

export interface CallableMethod extends BoundMethod {
  /** True if a token's limits of gas and time hold for its calls. */
  readonly isLimited: boolean;
  readonly stats: MethodStats;
  /** True if its calls take slots: it has answered asynchronously, or passes its parameters on to workers. */
  mayWait: boolean;
}

const SHOWN_CHARACTERS = 60;

/** Finds methods by qualified name, or by plain name if it is unique among the interfaces. */
export class MethodTable {
  readonly #byName = new Map<string, CallableMethod>();
  readonly #ambiguous = new Map<string, readonly string[]>();

  constructor(interfaces: readonly BoundInterface[], metrics: RpcMetrics) {
    const plain = new Map<string, CallableMethod[]>();
    for (const bound of interfaces.flat()) {
      const { name, qualifiedName } = bound.declaration;
      const method: CallableMethod = {
        ...bound,
        isLimited: LIMITED_METHODS.has(name),
        stats: metrics.method(qualifiedName),
        mayWait: bound.takesRawParams,
      };
      this.#byName.set(qualifiedName, method);
      plain.set(name, [...(plain.get(name) ?? []), method]);
    }
    for (const [name, methods] of plain) {
      const [first, ...others] = methods;
      const names = methods.map(({ declaration }) => declaration.qualifiedName);
      if (first !== undefined && others.length === 0) this.#byName.set(name, first);
      else this.#ambiguous.set(name, names);
    }
  }

  get(name: string): CallableMethod | undefined {
    return this.#byName.get(name);
  }

  refusal(name: string): RpcError {
    const candidates = this.#ambiguous.get(name);
    if (candidates !== undefined) {
      const message = `${name} is a method of several interfaces: ${candidates.join(', ')}`;
      return new RpcError('ambiguous_method', message, { candidates });
    }
    const suggestion = nearestName(name, this.#byName.keys());
    const method = name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name;
    const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
    return new RpcError('method_not_found', `there is no method ${JSON.stringify(method)}${hint}`, {
      method,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }
}
