import type { Tier } from '../idl/manifest.js';
import { answerTooLong } from './domain-errors.js';
import type { HandlerContext, HandlerResult, HandlersOf, MethodTypes } from './handlers.js';

/** The part of a method's compiled declaration that the dispatcher uses. */
export interface MethodDeclaration {
  readonly name: string;
  /** Includes the interface's name: `NodeRpcV1.status`. */
  readonly qualifiedName: string;
  readonly tier: Tier;
  readonly cost: number;
  /** True if a result never changes once the block or transaction that its parameters name is final. */
  readonly isImmutable: boolean;
  /** @throws JsonDecodeError */
  decodeParams(params: unknown): unknown;
  /** Encodes a result as JSON text. */
  encodeResult(result: unknown): string;
}

/** A handler whose types {@link bindInterface} has checked against its declaration. */
export type BoundHandler = (params: unknown, call: HandlerContext) => HandlerResult<unknown>;

export type BoundInterface = readonly BoundMethod[];

export interface BoundMethod {
  readonly declaration: MethodDeclaration;
  readonly handler: BoundHandler;
  /** True if the handler gets its parameters as source text, a JsonSource. */
  readonly takesRawParams: boolean;
  /** True if the work waits in the queue of `MainThreadScheduler`, besides the call itself. */
  readonly isQueued?: boolean;
}

/**
 * @param asText the methods whose handlers take their parameters as source text
 * @throws Error if declarations and handlers name different methods, because generated code is out of date
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
    // The declaration decodes exactly the parameters that HandlersOf<M> specifies for the handler.
    const takesRawParams = texts.has(declaration.name);
    bound.push({ declaration, handler: handler as BoundHandler, takesRawParams });
  }
  const [undeclared] = byName.keys();
  if (undeclared !== undefined) throw new Error(`the interface does not declare ${undeclared}`);
  return bound;
}

/** Encodes a result as JSON text. @throws RpcError limit_exceeded if it is longer than an answer may be */
export function encodedResult(
  declaration: MethodDeclaration,
  result: unknown,
  maxAnswerBytes: number,
): string {
  const text = declaration.encodeResult(result);
  if (text.length * 3 > maxAnswerBytes && Buffer.byteLength(text) > maxAnswerBytes) {
    throw answerTooLong(maxAnswerBytes, Buffer.byteLength(text));
  }
  return text;
}
