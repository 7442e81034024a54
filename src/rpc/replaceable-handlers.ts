import type { NodeRpcV1Methods } from '../generated/node-rpc-v1.js';
import type { Handler, MethodHandlers } from './handlers.js';

type MethodName = keyof NodeRpcV1Methods;
/** Handlers that may be set one by one, of a generic name too. */
type Writable<K extends MethodName> = {
  [M in K]: Handler<NodeRpcV1Methods[M]['params'], NodeRpcV1Methods[M]['result']>;
};

/** Handlers that can be replaced while they serve: those of a node that has no chain yet, then those of one that has. */
export class ReplaceableHandlers {
  /** To be bound to the interface; each passes its call on to the present one of its name. */
  readonly handlers: MethodHandlers;
  #present: MethodHandlers;

  constructor(first: MethodHandlers) {
    this.#present = first;
    const handlers: Writable<MethodName> = { ...first };
    const pass = <K extends MethodName>(name: K) => {
      const one: Writable<K> = handlers;
      one[name] = (params, call) => this.#present[name](params, call);
    };
    for (const name of Object.keys(first) as MethodName[]) pass(name);
    this.handlers = handlers;
  }

  replaceWith(next: MethodHandlers): void {
    this.#present = next;
  }
}
