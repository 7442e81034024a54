import { createHash } from 'node:crypto';
import { mapAsync } from '../../async/maybe-async.js';
import type { CommittedChain } from '../../chain/committed-chain.js';
import { JsonDecodeError, JsonEncodeError } from '../../idl/codecs/codec-errors.js';
import { isDevelopmentChain } from '../../ledger/dev-genesis.js';
import { oldestHeight } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import { EncodedResult, type MethodHandlers, Parked } from '../handlers.js';
import { JsonSource } from '../json/json-text.js';
import type { BoundHandler, MethodDeclaration } from '../rpc-interface.js';
import { encodedResult } from '../rpc-interface.js';
import { IMMUTABLE_RESULTS, type ResultJudge } from './immutable-results.js';
import { type KeptResult, ResultCache } from './result-cache.js';

/** Longer params are not looked up, because encoding them in canonical form would cost too much. */
const MAX_PARAMS_LENGTH = 4_096;
/** Longer keys are hashed. */
const MAX_KEY_LENGTH = 200;

/** The chain as this thread knows it now. */
export interface KnownChain {
  /** True for a development chain: another one may have its place tomorrow, at the same address. */
  readonly isDevelopment: boolean;
  readonly finalizedHeight: bigint;
  readonly oldestState: bigint;
}

export function knownChain(chain: CommittedChain, store: StoreReader): KnownChain {
  return {
    get isDevelopment() {
      return isDevelopmentChain(chain.tip.epochs.validators);
    },
    get finalizedHeight() {
      return chain.finalizedHeight;
    },
    get oldestState() {
      return oldestHeight(store);
    },
  };
}

export interface KeptResultsOptions {
  /** Maximum size of the kept results; 0 keeps none. */
  readonly maxBytes: number;
  readonly maxAnswerBytes: number;
  /** The compiled interface, by plain name. */
  readonly methods: ReadonlyMap<string, EncodingMethod>;
}

export interface AskedResult {
  /** As in {@link KnownChain}. */
  readonly isDevelopment: boolean;
  /** The kept result if its text is the given one. */
  readonly kept: (json: string) => KeptResult | undefined;
  /** Whether a result, given as JSON, never changes. */
  readonly isFixed: (json: string) => boolean;
}

interface EncodingMethod extends MethodDeclaration {
  encodeParams(params: unknown): string;
}

interface JudgedCall {
  readonly method: EncodingMethod;
  readonly params: unknown;
  readonly judge: ResultJudge;
  readonly chain: KnownChain;
  /** When the call began. */
  readonly finalized: bigint;
}

/**
 * Keeps encoded results that never change in front of a thread's handlers. Access checks, limits and charges come
 * first, so a kept result costs its caller the same, and its bytes are the same. The key is the method and the
 * canonical form of the decoded params, so spellings of the same params share a result, and different params never do.
 */
export class KeptResults {
  readonly cache: ResultCache | undefined;
  readonly #options: KeptResultsOptions;
  #chain: KnownChain | undefined;

  constructor(options: KeptResultsOptions) {
    this.#options = options;
    this.cache = options.maxBytes > 0 ? new ResultCache(options.maxBytes) : undefined;
  }

  /** Starts keeping results, once there is a chain. */
  serve(chain: KnownChain): void {
    this.#chain = chain;
  }

  over(handlers: MethodHandlers): MethodHandlers {
    const { cache } = this;
    if (cache === undefined) return handlers;
    const all = (Object.entries(handlers) as [string, BoundHandler][]).map(([name, handler]) => {
      return [name, IMMUTABLE_RESULTS.has(name) ? this.#kept(name, handler, cache) : handler] as const;
    });
    // The wrapped handlers take the same params and answer the same results.
    return Object.fromEntries(all) as MethodHandlers;
  }

  /** Call it before the call begins. @returns undefined if no result for these params is fixed */
  asked(name: string, params: unknown): AskedResult | undefined {
    const asked = this.#judge(name, params);
    if (asked === undefined) return undefined;
    return {
      isDevelopment: asked.chain.isDevelopment,
      kept: (json) => {
        const key = keyOf(asked);
        const kept = key === undefined ? undefined : this.cache?.get(key);
        return kept?.json === json ? kept : undefined;
      },
      isFixed: (json) => {
        const block = asked.judge(json)?.block;
        return block !== undefined && block <= asked.finalized;
      },
    };
  }

  #kept(name: string, handler: BoundHandler, cache: ResultCache): BoundHandler {
    return (params, call) => {
      // The result of a call with a lowered gas limit may differ from that of others.
      if (call.allowance?.gas !== undefined) return handler(params, call);
      const asked = this.#judge(name, params);
      const key = asked && keyOf(asked);
      if (asked === undefined || key === undefined) return handler(params, call);
      const kept = cache.get(key);
      if (kept !== undefined) {
        const { block, state } = kept.heights;
        if (block <= asked.finalized && (state === undefined || state >= asked.chain.oldestState)) {
          cache.hits++;
          return new EncodedResult(kept.json);
        }
        cache.delete(key);
      }
      cache.misses++;
      if (!cache.isWanted(key)) return handler(params, call);
      return this.#keeping(handler(params, call), asked.method, (json) => {
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

  /** @returns undefined if the result may change */
  #judge(name: string, given: unknown): JudgedCall | undefined {
    const rule = IMMUTABLE_RESULTS.get(name);
    const method = this.#options.methods.get(name);
    const chain = this.#chain;
    if (rule === undefined || method === undefined || chain === undefined) return undefined;
    let params = given;
    if (given instanceof JsonSource) {
      const { text, parsed } = given;
      if (text.length > MAX_PARAMS_LENGTH || typeof parsed !== 'object' || parsed === null) return undefined;
      if (rule.mayBeFixed?.(parsed) === false) return undefined;
      params = unlessWrong(JsonDecodeError, () => method.decodeParams(parsed));
      if (params === undefined) return undefined;
    }
    const judge = rule.judge(params);
    return judge && { method, params, judge, chain, finalized: chain.finalizedHeight };
  }
}

/** The key of a call; undefined for params without a JSON form, such as the number 1e400. */
function keyOf({ method, params }: JudgedCall): string | undefined {
  const { name } = method;
  const text = unlessWrong(JsonEncodeError, () => method.encodeParams(params));
  if (text === undefined) return undefined;
  const key = `${name} ${text}`;
  return key.length <= MAX_KEY_LENGTH ? key : `${name} ${createHash('sha256').update(text).digest('base64')}`;
}

/** Returns undefined for params that are wrong, which the handler reports. */
function unlessWrong<T>(problem: new (...args: never[]) => Error, convert: () => T): T | undefined {
  try {
    return convert();
  } catch (error) {
    if (error instanceof problem) return undefined;
    throw error;
  }
}
