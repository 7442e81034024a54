import type { CallContext, MethodHandlers } from './handlers.js';

/** Handlers that can be replaced while they serve: those of a starting node, then those of a node with a chain. */
export class ReplaceableHandlers {
  /** Handlers to bind to the interface; each delegates to the current one of the same name. */
  readonly handlers: MethodHandlers;
  #present: MethodHandlers;

  constructor(first: MethodHandlers) {
    this.#present = first;
    const names = Object.keys(first) as (keyof MethodHandlers)[];
    const passing = names.map((name) => [
      name,
      (params: never, call: CallContext) => this.#present[name](params, call),
    ]);
    // Each entry has the type of the handler it delegates to.
    this.handlers = Object.fromEntries(passing) as MethodHandlers;
  }

  replaceWith(next: MethodHandlers): void {
    this.#present = next;
  }
}
