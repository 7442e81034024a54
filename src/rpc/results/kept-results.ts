import { createHash } from 'node:crypto';
import { mapAsync } from '../../async/deferred.js';
import { JsonDecodeError, JsonEncodeError } from '../../idl/codecs/codec-errors.js';
import { encodedResult } from '../answer-text.js';
import { EncodedResult, type MethodHandlers, Parked } from '../handlers.js';
import { JsonSource } from '../json/json-text.js';
import type { BoundHandler, MethodDeclaration } from '../rpc-interface.js';
import { IMMUTABLE_RESULTS, type ResultJudge } from './immutable-results.js';
import { type KeptResult, ResultCache } from './result-cache.js';

/** Longer params are not looked up, because encoding them in canonical form would cost too much. */
const MAX_PARAMS_LENGTH = 4_096;
/** Longer keys are hashed. */
const MAX_KEY_LENGTH = 200;

/** The chain as this thread knows it. */
export interface KnownChain {
  /** True for a development chain: another one may have its place tomorrow, at the same address. */
  readonly isDevelopment: boolean;
  readonly finalized: bigint;
  /** The oldest height whose state is kept; read on access. */
  readonly oldestState: bigint;
}

export interface KeptResultsOptions {
  /** Maximum size of the kept results; 0 keeps none. */
  readonly maxBytes: number;
  readonly maxAnswerBytes: number;
  /** The compiled interface, by plain name. */
  readonly methods: ReadonlyMap<string, MethodDeclaration & Pick<Encoder, 'encodeParams'>>;
}

/** A call whose result may never change. */
export interface AskedResult {
  /** As in {@link KnownChain}. */
  readonly isDevelopment: boolean;
  /** The kept result if its text is the given one. */
  readonly kept: (json: string) => KeptResult | undefined;
  /** Whether a result, given as JSON, never changes. */
  readonly isFixed: (json: string) => boolean;
}

interface Encoder {
  encodeParams(params: unknown): string;
}

/**
 * Keeps encoded results that never change in front of a thread's handlers. Access checks, limits and charges come
 * first, so a kept result costs its caller the same, and its bytes are the same. The key is the method and the
 * canonical form of the decoded params, so spellings of the same params share a result, and different params never do.
 */
export class KeptResults {
  readonly cache: ResultCache | undefined;
  readonly #options: KeptResultsOptions;
  #chain: (() => KnownChain) | undefined;

  constructor(options: KeptResultsOptions) {
    this.#options = options;
    this.cache = options.maxBytes > 0 ? new ResultCache(options.maxBytes) : undefined;
  }

  /** Starts keeping results, once there is a chain. */
  serve(chain: () => KnownChain): void {
    this.#chain = chain;
  }

  /** Puts the kept results in front of handlers. */
  over(handlers: MethodHandlers): MethodHandlers {
    const { cache } = this;
    if (cache === undefined) return handlers;
    const all = Object.entries(handlers as unknown as Record<string, BoundHandler>).map(([name, handler]) => {
      const method = this.#options.methods.get(name);
      const isImmutable = method !== undefined && IMMUTABLE_RESULTS.has(name);
      return [name, isImmutable ? this.#kept(name, method, handler, cache) : handler] as const;
    });
    // The wrapped handlers take the same params and answer the same results.
    return Object.fromEntries(all) as unknown as MethodHandlers;
  }

  /**
   * Prepares the check of a result. Call it before the call begins.
   * @param params the params as parsed from JSON, or decoded
   * @returns undefined if no result for these params is fixed
   */
  asked(name: string, params: unknown): AskedResult | undefined {
    const asked = this.#judge(name, params);
    const method = this.#options.methods.get(name);
    if (asked === undefined || method === undefined) return undefined;
    return {
      isDevelopment: asked.known.isDevelopment,
      kept: (json) => {
        const key = keyOf(name, method, asked.decoded);
        const kept = key === undefined ? undefined : this.cache?.get(key);
        return kept?.json === json ? kept : undefined;
      },
      isFixed: (json) => {
        const block = asked.judge(json)?.block;
        return block !== undefined && block <= asked.finalized;
      },
    };
  }

  #kept(
    name: string,
    method: MethodDeclaration & Encoder,
    handler: BoundHandler,
    cache: ResultCache,
  ): BoundHandler {
    return (params, call) => {
      // The result of a call with a lowered gas limit may differ from that of others.
      if (call.allowance?.gas !== undefined) return handler(params, call);
      const asked = this.#judge(name, params);
      if (asked === undefined) return handler(params, call);
      const key = keyOf(name, method, asked.decoded);
      if (key === undefined) return handler(params, call);
      const kept = cache.get(key);
      if (kept !== undefined) {
        const { block, state } = kept.heights;
        if (block <= asked.finalized && (state === undefined || state >= asked.known.oldestState)) {
          cache.hits++;
          return new EncodedResult(kept.json);
        }
        cache.delete(key);
      }
      cache.misses++;
      if (!cache.isWanted(key)) return handler(params, call);
      return this.#keeping(handler(params, call), method, (json) => {
        const heights = asked.judge(json);
        if (heights !== undefined && heights.block <= asked.finalized) {
          cache.keep(key, { json, heights }, call.client);
        }
      });
    };
  }

  /** Passes a result on and shows its JSON to `keep`. */
  #keeping(
    result: ReturnType<BoundHandler>,
    method: MethodDeclaration,
    keep: (json: string) => void,
  ): ReturnType<BoundHandler> {
    const encoded = (value: unknown): unknown => {
      if (value instanceof Parked || value instanceof Error) return value;
      const { maxAnswerBytes } = this.#options;
      const json = value instanceof EncodedResult ? value.json : encodedResult(method, value, maxAnswerBytes);
      keep(json);
      return value instanceof EncodedResult ? value : new EncodedResult(json);
    };
    return mapAsync(result, encoded, undefined) as ReturnType<BoundHandler>;
  }

  /** The decoded params of a call and the judge of its result; undefined if the result may change. */
  #judge(
    name: string,
    params: unknown,
  ): { decoded: unknown; judge: ResultJudge; finalized: bigint; known: KnownChain } | undefined {
    const rule = IMMUTABLE_RESULTS.get(name);
    const known = this.#chain?.();
    if (rule === undefined || known === undefined) return undefined;
    let decoded = params;
    if (params instanceof JsonSource) {
      const { text, parsed } = params;
      if (text.length > MAX_PARAMS_LENGTH || typeof parsed !== 'object' || parsed === null) return undefined;
      if (rule.mayBeFixed?.(parsed) === false) return undefined;
      decoded = this.#decoded(name, parsed);
      if (decoded === undefined) return undefined;
    }
    const judge = rule.judge(decoded);
    return judge === undefined ? undefined : { decoded, judge, finalized: known.finalized, known };
  }

  /** The decoded params; undefined if they are wrong, which the handler reports. */
  #decoded(name: string, params: unknown): unknown {
    try {
      return this.#options.methods.get(name)?.decodeParams(params);
    } catch (error) {
      if (error instanceof JsonDecodeError) return undefined;
      throw error;
    }
  }
}

/** The key of a call; undefined for params without a JSON form, such as the number 1e400, which the handler judges. */
function keyOf(name: string, method: Encoder, decoded: unknown): string | undefined {
  let params: string;
  try {
    params = method.encodeParams(decoded);
  } catch (error) {
    if (error instanceof JsonEncodeError) return undefined;
    throw error;
  }
  const key = `${name} ${params}`;
  return key.length <= MAX_KEY_LENGTH
    ? key
    : `${name} ${createHash('sha256').update(params).digest('base64')}`;
}
