import { BoundedLog } from '../../config/bounded-log.js';
import type { Log } from '../../config/log.js';
import { Cancellation } from '../../execution/cancellation.js';
import type { ExecutionTasks } from '../../execution/pool/messages.js';
import type { TaskRunner } from '../../execution/task-runner.js';
import { encodedResult } from '../answer-text.js';
import { clientOf } from '../client-of.js';
import { toRpcError } from '../domain-errors.js';
import { RpcError } from '../errors.js';
import { type CallContext, EncodedResult, Parked } from '../handlers.js';
import { Later } from '../later.js';
import type { BoundInterface, BoundMethod } from '../rpc-interface.js';
import type { LinkAnswer, LinkRequest, PoolName, Question, SentClient } from './messages.js';
import { sentError } from './sent-error.js';

export interface LinkServerOptions {
  /** What the node answers. */
  readonly interfaces: readonly BoundInterface[];
  /** There is none before there is a chain. */
  readonly pool: (name: PoolName) => TaskRunner<ExecutionTasks> | undefined;
  readonly answer: (question: Question) => unknown;
  readonly maxAnswerBytes: number;
  readonly log: Log;
  /** Called once a turn, before answers go out. */
  readonly beforeAnswers: () => void;
  readonly send: (answers: readonly LinkAnswer[]) => void;
}

/** The main thread's end of the link to one front thread: does what it is asked, and sends answers back a turn's at a time. */
export class LinkServer {
  readonly #options: LinkServerOptions;
  readonly #log: BoundedLog;
  readonly #methods: ReadonlyMap<string, BoundMethod>;
  /** By the front thread's number, which is given again, how to take back what is under way. */
  readonly #underWay: ((() => void) | undefined)[] = [];
  #gathered: LinkAnswer[] = [];

  constructor(options: LinkServerOptions) {
    this.#options = options;
    this.#log = new BoundedLog(options.log);
    this.#methods = new Map(
      options.interfaces.flatMap(({ methods }) => methods.map((method) => [method.declaration.name, method])),
    );
  }

  /** Does what a message asks for. Never throws. */
  take(requests: readonly LinkRequest[]): void {
    for (const request of requests) {
      if ('cancel' in request) this.#underWay[request.cancel]?.();
      else if ('task' in request) void this.#task(request);
      else if ('question' in request) void this.#question(request);
      else this.#call(request);
    }
  }

  #call({ id, method: name, params, client }: Extract<LinkRequest, { readonly method: string }>): void {
    const method = this.#methods.get(name);
    if (method === undefined) {
      this.#fail(id, new Error(`a front thread asks for ${name}, which the node does not answer`), name);
      return;
    }
    const context = new SentContext(client);
    try {
      const result = method.handler(params, context);
      if (result instanceof Later || result instanceof Promise) {
        this.#underWay[id] = () => context.abort();
        void this.#later(id, method, result);
      } else {
        this.#answer({ id, json: this.#text(method, result) });
      }
    } catch (error) {
      this.#fail(id, error, name);
    }
  }

  async #later(id: number, method: BoundMethod, promised: PromiseLike<unknown>): Promise<void> {
    try {
      let result = await promised;
      if (result instanceof Parked) {
        this.#answer({ id, parked: true });
        await result.until;
        result = await result.resume();
      }
      // A Later stands for a rejection where its value is an error.
      if (result instanceof Error) throw result;
      this.#answer({ id, json: this.#text(method, result) });
    } catch (error) {
      this.#fail(id, error, method.declaration.name);
    } finally {
      this.#underWay[id] = undefined;
    }
  }

  async #task({
    id,
    pool: name,
    task,
    input,
    once,
  }: Extract<LinkRequest, { readonly task: unknown }>): Promise<void> {
    const cancellation = new Cancellation();
    this.#underWay[id] = () => cancellation.cancel();
    try {
      const pool = this.#options.pool(name);
      if (pool === undefined) throw new Error(`a front thread sends a ${task} task before there is a chain`);
      this.#answer({ id, result: await pool.run(task, input as never, { once, cancellation }) });
    } catch (error) {
      this.#answer({ id, error: sentError(error) });
    } finally {
      this.#underWay[id] = undefined;
    }
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

  #fail(id: number, error: unknown, what: string): void {
    const refusal = error instanceof RpcError ? error : toRpcError(error, what, this.#log);
    this.#answer({ id, error: sentError(refusal) });
  }

  #answer(answer: LinkAnswer): void {
    if (this.#gathered.length === 0) setImmediate(() => this.#flush());
    this.#gathered.push(answer);
  }

  #flush(): void {
    const gathered = this.#gathered;
    this.#gathered = [];
    this.#options.beforeAnswers();
    this.#options.send(gathered);
  }
}

/** Who calls, where the call came in on another thread. */
class SentContext implements CallContext {
  readonly remoteAddress: string;
  readonly tier: CallContext['tier'];
  readonly subject: string | undefined;
  #controller: AbortController | undefined;
  #isAborted = false;

  constructor({ remoteAddress, tier, subject }: SentClient) {
    this.remoteAddress = remoteAddress;
    this.tier = tier;
    this.subject = subject;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  get client(): string {
    return clientOf(this);
  }

  get isGone(): boolean {
    return this.#isAborted;
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort();
  }
}
