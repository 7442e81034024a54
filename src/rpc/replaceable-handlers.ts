import type { CallContext, MethodHandlers } from './handlers.js';

/** Handlers that can be replaced while they serve: those of a node that has no chain yet, then those of one that has. */
export class ReplaceableHandlers {
  /** To be bound to the interface; each passes its call on to the present one of its name. */
  readonly handlers: MethodHandlers;
  #present: MethodHandlers;

  constructor(first: MethodHandlers) {
    this.#present = first;
    const names = Object.keys(first) as (keyof MethodHandlers)[];
    const passing = names.map((name) => [
      name,
      (params: never, call: CallContext) => this.#present[name](params, call),
    ]);
    // Each takes and returns what the handler of its name does.
    this.handlers = Object.fromEntries(passing) as MethodHandlers;
  }

  replaceWith(next: MethodHandlers): void {
    this.#present = next;
  }
}
