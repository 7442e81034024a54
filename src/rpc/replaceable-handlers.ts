import type { CallContext, MethodHandlers } from './handlers.js';

type AnyHandler = (params: unknown, call: CallContext) => unknown;
type AnyHandlers = Readonly<Record<string, AnyHandler>>;

/** Handlers that can be replaced while they serve: those of a node that has no chain yet, then those of one that has. */
export class ReplaceableHandlers {
  /** To be bound to the interface; each passes its call on to the present one of its name. */
  readonly handlers: MethodHandlers;
  #present: AnyHandlers;

  constructor(first: MethodHandlers) {
    this.#present = erased(first);
    const entries = Object.keys(this.#present).map((name): [string, AnyHandler] => [
      name,
      (params, call) => this.#call(name, params, call),
    ]);
    // Of the same names as `first`, each with the type of the handler that it passes on to.
    this.handlers = Object.fromEntries(entries) as unknown as MethodHandlers;
  }

  replaceWith(next: MethodHandlers): void {
    this.#present = erased(next);
  }

  #call(name: string, params: unknown, call: CallContext): unknown {
    const handler = this.#present[name];
    if (handler === undefined) throw new Error(`no handler for ${name}`);
    return handler(params, call);
  }
}

function erased(handlers: MethodHandlers): AnyHandlers {
  return handlers as unknown as AnyHandlers;
}
