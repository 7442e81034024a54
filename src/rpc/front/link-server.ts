import { Deferred } from '../../async/deferred.js';
import { isAsync, type MaybeAsync } from '../../async/maybe-async.js';
import { CallerGoneError } from '../../async/sliced-work.js';
import { BoundedLog } from '../../config/bounded-log.js';
import type { Log } from '../../config/log.js';
import type { Calls } from '../../execution/calls/worker-calls.js';
import { toRpcError } from '../domain-errors.js';
import { RpcError } from '../errors.js';
import { EncodedResult, Parked } from '../handlers.js';
import type { BoundInterface, BoundMethod } from '../rpc-interface.js';
import { encodedResult } from '../rpc-interface.js';
import {
  type LinkAnswer,
  type LinkRequest,
  longAnswer,
  type PoolName,
  type Question,
} from './front-messages.js';
import type { MainThreadScheduler } from './main-thread-scheduler.js';
import { LinkedCaller, RemoteContext } from './remote-context.js';
import { serializeError } from './serialized-error.js';

export interface LinkServerOptions {
  readonly interfaces: readonly BoundInterface[];
  /** Returns undefined before there is a chain. */
  readonly calls: (pool: PoolName) => Calls | undefined;
  readonly answer: (question: Question) => unknown;
  readonly maxAnswerBytes: number;
  readonly log: Log;
  readonly scheduler: MainThreadScheduler;
  /** Called once per tick, before answers are sent. */
  readonly beforeAnswers: () => void;
  readonly send: (answers: readonly LinkAnswer[]) => void;
}

const GONE = new CallerGoneError();

type MethodCall = Extract<LinkRequest, { readonly method: string }>;
type WorkerRequest = Extract<LinkRequest, { readonly call: unknown }>;
type WorkerAnswer = Extract<LinkAnswer, { readonly worked: unknown }>;

/**
 * The main thread's end of the link to one front thread. Calls use a bounded part of each event loop tick and share it
 * fairly between clients; a client with a full answer window waits, and a cancelled call does not start. The answers of
 * one tick are sent as one message.
 */
export class LinkServer {
  readonly #options: LinkServerOptions;
  readonly #log: BoundedLog;
  readonly #scheduler: MainThreadScheduler;
  readonly #methods: ReadonlyMap<string, BoundMethod>;
  /** Waiting and running requests by the front thread's id; ids are reused. */
  readonly #inFlight: ({ cancel(): void } | undefined)[] = [];
  /** Long answers that the front thread has not acknowledged, oldest first. */
  readonly #unacknowledged: { readonly client: string; readonly length: number }[] = [];
  #outgoing: LinkAnswer[] = [];

  constructor(options: LinkServerOptions) {
    this.#options = options;
    this.#log = new BoundedLog(options.log);
    this.#scheduler = options.scheduler;
    this.#methods = new Map(
      options.interfaces.flat().map((method) => [method.declaration.qualifiedName, method]),
    );
  }

  receive(requests: readonly LinkRequest[]): void {
    for (const request of requests) {
      if ('method' in request) this.#call(request);
      else if ('cancel' in request) this.#inFlight[request.cancel]?.cancel();
      else if ('taken' in request) this.#acknowledge(request.taken);
      else if ('call' in request) this.#work(request);
      else void this.#question(request);
    }
  }

  /** Cancels everything, because the front thread is gone. */
  close(): void {
    for (const call of this.#inFlight) call?.cancel();
  }

  #call(request: MethodCall): void {
    const { id, method: name, client } = request;
    const method = this.#methods.get(name);
    if (method === undefined) {
      this.#fail(id, new Error(`a front thread called ${name}, which the node does not serve`), name);
      return;
    }
    const context = new RemoteContext(client);
    if (this.#scheduler.isQuiet) {
      this.#begin(request, method, context);
      return;
    }
    this.#inFlight[id] = context;
    this.#scheduler.work.add(
      context,
      0,
      () => {
        this.#inFlight[id] = undefined;
        this.#begin(request, method, context);
      },
      (error) => {
        this.#inFlight[id] = undefined;
        this.#fail(id, error, name, context);
      },
    );
  }

  #begin({ id, method: name, params }: MethodCall, method: BoundMethod, context: RemoteContext): void {
    try {
      const result = method.handler(params, context);
      if (!isAsync(result)) {
        this.#answerText(id, context, this.#text(method, result));
        return;
      }
      this.#inFlight[id] = context;
      // The queue waits for room, so work in it would wait for the reservations of its own client.
      const reserved =
        method.isQueued === true ? 0 : this.#scheduler.window.reserveFor(method.declaration.name);
      if (result instanceof Deferred && reserved === 0) this.#answerOnce(id, method, result, context);
      else void this.#answerLater(id, method, result, context, reserved);
    } catch (error) {
      this.#fail(id, error, name, context);
    }
  }

  /** Answers a call whose answer is short, without a promise. */
  #answerOnce(id: number, method: BoundMethod, deferred: Deferred<unknown>, context: RemoteContext): void {
    const { name } = method.declaration;
    const fail = (error: unknown) => this.#fail(id, error, name, context);
    deferred.whenSettled((result) => {
      this.#inFlight[id] = undefined;
      if (context.isGone) {
        fail(GONE);
      } else if (result instanceof Error) {
        fail(result);
      } else {
        const text = this.#text(method, result);
        this.#scheduler.window.recordAnswer(name, text.length);
        this.#answerText(id, context, text);
      }
    }, fail);
  }

  /** @param toReserve characters of the answer window; 0 for a short answer */
  async #answerLater(
    id: number,
    method: BoundMethod,
    promised: MaybeAsync<unknown>,
    context: RemoteContext,
    toReserve: number,
  ): Promise<void> {
    const { name } = method.declaration;
    const { window } = this.#scheduler;
    let reserved = toReserve;
    if (reserved > 0) window.add(context.client, reserved);
    let isParked = false;
    try {
      let result = await promised;
      if (result instanceof Parked) {
        if (reserved > 0) this.#scheduler.acknowledged(context.client, reserved);
        reserved = 0;
        isParked = true;
        this.#answer({ id, parked: true });
        result = await this.#resume(result, context);
      }
      // A Deferred reports a failure by resolving to an Error.
      if (result instanceof Error) throw result;
      if (reserved > 0 && !(result instanceof EncodedResult)) await this.#scheduler.waitForShortTick(context);
      if (context.isGone) throw GONE;
      const text = this.#text(method, result);
      if (!isParked) window.recordAnswer(name, text.length);
      this.#answerText(id, context, text);
    } catch (error) {
      this.#fail(id, error, name, context);
    } finally {
      this.#inFlight[id] = undefined;
      if (reserved > 0) this.#scheduler.acknowledged(context.client, reserved);
    }
  }

  /** Resumes a parked call through the queue, because one block may release thousands of calls. */
  async #resume({ until, resume }: Parked<unknown>, context: RemoteContext): Promise<unknown> {
    await until;
    if (context.isGone) throw GONE;
    return new Promise((resolve, reject) => {
      const goOn = (): void => {
        try {
          resolve(resume());
        } catch (error) {
          reject(error);
        }
      };
      this.#scheduler.work.add(context, 0, goOn, reject);
    });
  }

  #work({ id, pool, call, client, maxMs }: WorkerRequest): void {
    const caller = new LinkedCaller(client, maxMs);
    const answer = (worked: WorkerAnswer['worked']): void => {
      this.#inFlight[id] = undefined;
      this.#answer({ id, worked, use: caller.allowance });
    };
    const reject = (error: unknown): void => answer({ error: serializeError(error) });
    const calls = this.#options.calls(pool);
    if (calls === undefined) {
      reject(new Error(`the ${pool} workers take no calls before the chain is open`));
      return;
    }
    this.#inFlight[id] = caller;
    calls.ask(call, { resolve: (json, waitedMs) => answer({ json, waitedMs }), reject }, caller);
  }

  async #question({ id, question }: Extract<LinkRequest, { readonly question: unknown }>): Promise<void> {
    try {
      this.#answer({ id, result: await this.#options.answer(question) });
    } catch (error) {
      this.#fail(id, error, question.kind);
    }
  }

  #text({ declaration }: BoundMethod, result: unknown): string {
    return result instanceof EncodedResult
      ? result.json
      : encodedResult(declaration, result, this.#options.maxAnswerBytes);
  }

  #fail(id: number, error: unknown, what: string, context?: RemoteContext): void {
    if (error instanceof CallerGoneError) {
      this.#answer({ id, gone: true });
      return;
    }
    const refusal = error instanceof RpcError ? error : toRpcError(error, what, this.#log, context);
    this.#answer({ id, error: serializeError(refusal) });
  }

  #answerText(id: number, { client }: RemoteContext, json: string): void {
    const answer = { id, json };
    const length = longAnswer(answer);
    if (length > 0) {
      this.#scheduler.window.add(client, length);
      this.#unacknowledged.push({ client, length });
    }
    this.#answer(answer);
  }

  #acknowledge(length: number): void {
    let left = length;
    let count = 0;
    for (const answer of this.#unacknowledged) {
      if (left <= 0) break;
      left -= answer.length;
      count++;
      this.#scheduler.acknowledged(answer.client, answer.length);
    }
    this.#unacknowledged.splice(0, count);
  }

  #answer(answer: LinkAnswer): void {
    if (this.#outgoing.length === 0) setImmediate(() => this.#flush());
    this.#outgoing.push(answer);
  }

  #flush(): void {
    const gathered = this.#outgoing;
    this.#outgoing = [];
    this.#options.beforeAnswers();
    this.#options.send(gathered);
  }
}
