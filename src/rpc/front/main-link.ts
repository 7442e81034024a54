import type { Cancellation } from '../../execution/cancellation.js';
import type { ExecutionTasks, TaskInput, TaskKind, TaskResult } from '../../execution/pool/messages.js';
import type { RunOptions, TaskWorkers } from '../../execution/task-runner.js';
import type { LinkAnswer, LinkRequest, PoolName, Question, SentClient } from './messages.js';
import { receivedError } from './sent-error.js';

/** Of all requests, those that wait for an answer. */
interface Asked {
  readonly resolve: (answer: Exclude<LinkAnswer, { readonly error: unknown }>) => void;
  readonly reject: (error: Error) => void;
}

/** A front thread's way to the main thread: what is asked in one turn of the event loop goes over as one message. */
export class MainLink {
  readonly #send: (requests: readonly LinkRequest[]) => void;
  /** By their numbers, which are given again: a Map's tables would be replaced all the time, and grow old with what they have. */
  readonly #asked: (Asked | undefined)[] = [];
  readonly #freeIds: number[] = [];
  #gathered: LinkRequest[] = [];

  constructor(send: (requests: readonly LinkRequest[]) => void) {
    this.#send = send;
  }

  /**
   * Has the main thread answer a method.
   * @param resolve called with the JSON of the result
   * @param onParked told where the call comes to wait for something that costs nothing; its answer comes later
   * @returns what takes it back: to be called where nobody waits for the answer any more
   */
  call(
    method: string,
    params: unknown,
    client: SentClient,
    { resolve, reject, onParked }: CallListener,
  ): () => void {
    return this.#ask((id) => ({ id, method, params, client }), {
      resolve: (answer) => {
        if ('parked' in answer) onParked?.();
        else if ('json' in answer) resolve(answer.json);
        else reject(new Error(`${method} was answered with something else than JSON`));
      },
      reject,
    });
  }

  /** Asks what only the main thread knows. */
  ask(question: Question): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#ask((id) => ({ id, question }), {
        resolve: (answer) => resolve('result' in answer ? answer.result : undefined),
        reject,
      });
    });
  }

  /** Has a pool do a task. */
  run(
    pool: PoolName,
    task: TaskKind,
    input: unknown,
    once: boolean,
    cancellation: Cancellation | undefined,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const settled = () => cancellation?.onCancel(undefined);
      const takeBack = this.#ask((id) => ({ id, pool, task, input, once }), {
        resolve: (answer) => {
          settled();
          resolve('result' in answer ? answer.result : undefined);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      cancellation?.onCancel(takeBack);
    });
  }

  /** What the main thread sends back. */
  answered(answers: readonly LinkAnswer[]): void {
    for (const answer of answers) {
      const { id } = answer;
      const asked = this.#asked[id];
      if (asked === undefined) continue;
      if (!('parked' in answer)) {
        this.#asked[id] = undefined;
        this.#freeIds.push(id);
      }
      if ('error' in answer) asked.reject(receivedError(answer.error));
      else asked.resolve(answer);
    }
  }

  #ask(request: (id: number) => LinkRequest, asked: Asked): () => void {
    const id = this.#freeIds.pop() ?? this.#asked.length;
    this.#asked[id] = asked;
    this.#add(request(id));
    return () => {
      if (this.#asked[id] === asked) this.#add({ cancel: id });
    };
  }

  #add(request: LinkRequest): void {
    if (this.#gathered.length === 0) setImmediate(() => this.#flush());
    this.#gathered.push(request);
  }

  #flush(): void {
    const gathered = this.#gathered;
    this.#gathered = [];
    this.#send(gathered);
  }
}

interface CallListener {
  readonly resolve: (json: string) => void;
  readonly reject: (error: Error) => void;
  readonly onParked?: () => void;
}

/** One of the node's pools as a front thread has it: its tasks go by the main thread. */
export class LinkedPool implements TaskWorkers<ExecutionTasks> {
  readonly workers: number;
  readonly #link: MainLink;
  readonly #pool: PoolName;

  constructor(link: MainLink, pool: PoolName, workers: number) {
    this.#link = link;
    this.#pool = pool;
    this.workers = workers;
  }

  /** @throws ExecutionError */
  async run<K extends TaskKind>(
    kind: K,
    input: TaskInput<K>,
    { once = false, cancellation }: RunOptions = {},
  ): Promise<TaskResult<K>> {
    return (await this.#link.run(this.#pool, kind, input, once, cancellation)) as TaskResult<K>;
  }
}
