import type { Tier } from '../idl/manifest.js';
import type { CallContext, HandlerResult, HandlersOf, MethodTypes } from './handlers.js';

/** What the dispatcher needs of a method's compiled declaration. */
export interface MethodDeclaration {
  readonly name: string;
  /** With the interface's name in front: `NodeRpcV1.status`. */
  readonly qualifiedName: string;
  readonly tier: Tier;
  /** Compute units that a call charges. */
  readonly cost: number;
  /** @throws JsonDecodeError */
  decodeParams(params: unknown): unknown;
  /** The JSON text of a result. */
  encodeResult(result: unknown): string;
}

/** A handler whose types have been checked against its declaration by {@link bindInterface}. */
export type BoundHandler = (params: unknown, call: CallContext) => HandlerResult<unknown>;

/** An interface of the IDL with the handlers that answer it. */
export interface BoundInterface {
  readonly methods: readonly BoundMethod[];
}

export interface BoundMethod {
  readonly declaration: MethodDeclaration;
  readonly handler: BoundHandler;
  /** Whether the handler gets its parameters as the text that they were sent as, a JsonSource. */
  readonly takesRawParams: boolean;
}

/**
 * Puts declarations and handlers together.
 * @param methods the compiled interface whose methods `M` describes
 * @param asText the methods whose handlers take their parameters as they were written
 * @throws Error where the two do not name the same methods: generated code that is out of date
 */
export function bindInterface<M extends MethodTypes<M>, T extends keyof M & string = never>(
  methods: ReadonlyMap<string, MethodDeclaration>,
  handlers: HandlersOf<M, T>,
  asText: readonly T[] = [],
): BoundInterface {
  const texts = new Set<string>(asText);
  const byName = new Map<string, unknown>(Object.entries(handlers as object));
  const bound: BoundMethod[] = [];
  for (const declaration of methods.values()) {
    const handler = byName.get(declaration.name);
    if (typeof handler !== 'function') throw new Error(`no handler for ${declaration.qualifiedName}`);
    byName.delete(declaration.name);
    // The declaration decodes exactly the parameters that HandlersOf<M> gives the handler.
    bound.push({
      declaration,
      handler: handler as BoundHandler,
      takesRawParams: texts.has(declaration.name),
    });
  }
  const [undeclared] = byName.keys();
  if (undeclared !== undefined) throw new Error(`the interface does not declare ${undeclared}`);
  return { methods: bound };
}
