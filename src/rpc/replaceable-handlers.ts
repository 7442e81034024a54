import type { ChainHandlers, HandlerContext } from './handlers.js';
import type { BoundHandler } from './rpc-interface.js';

/** Handlers that can be replaced while they serve: those of a starting node, then those of a node with a chain. */
export class ReplaceableHandlers<H extends ChainHandlers> {
  /** Handlers to bind to the interface; each delegates to the current one of the same name. */
  readonly handlers: H;
  #present: H;

  constructor(first: H) {
    this.#present = first;
    const names = Object.keys(first) as (keyof H)[];
    const passing = names.map((name) => [
      name,
      (params: never, call: HandlerContext) => (this.#present[name] as BoundHandler)(params, call),
    ]);
    // Each entry has the type of the handler it delegates to.
    this.handlers = Object.fromEntries(passing) as H;
  }

  replaceWith(next: H): void {
    this.#present = next;
  }
}
