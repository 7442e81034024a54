import { postRequest, RawHttpConnection } from '../support/raw-http.js';
import { RPC_PATH } from './request-task.js';

/** Transactions to submit, in order. */
export interface SignedTransactions {
  readonly count: number;
  /** A signed transaction in hexadecimal, as the node encodes them. */
  hexAt(index: number): string;
}

/** The way a node takes transactions. */
export interface SubmitMethod {
  /** Path of JSON-RPC. */
  readonly path: string;
  readonly method: string;
  /** JSON of the parameters. */
  params(encodedHex: string): string;
}

const TX_SUBMIT: SubmitMethod = {
  path: RPC_PATH,
  method: 'tx_submit',
  params: (encoded) => `{"encoded":"0x${encoded}"}`,
};

export interface SubmitterOptions {
  readonly url: string;
  readonly connections: number;
  /** Requests in flight per connection; uWebSockets.js accepts only one and closes the connection otherwise. */
  readonly inFlight: number;
  /** Transactions per JSON-RPC batch; 0: single requests. */
  readonly batch: number;
  /** Default `tx_submit`. */
  readonly by?: SubmitMethod;
}

export interface SubmitResult {
  readonly accepted: number;
  /** Number of refusals by a full pool or with a request to retry; each transaction was sent again. */
  readonly retried: number;
  readonly seconds: number;
}

interface RpcAnswer {
  readonly error?: {
    readonly message: string;
    readonly data?: { readonly retryable?: boolean; readonly reason?: string };
  };
}

const RETRY_MS = 20;
/** Reasons for refusal by a full pool. */
const FULL = ['pool_full', 'fee_too_low'];
const ERROR = Buffer.from('"error"');

/**
 * Submits signed transactions over keep-alive connections, each with a few requests in flight. Transaction i goes
 * over connection i mod n: an account's transactions stay in order if accounts take turns and n divides their number.
 */
export class Submitter {
  readonly #options: SubmitterOptions;

  constructor(options: SubmitterOptions) {
    this.#options = options;
  }

  /** Sends every transaction in `signed` and resolves once all are accepted; a permanent refusal is an error. */
  async submit(signed: SignedTransactions): Promise<SubmitResult> {
    const begin = performance.now();
    const lanes = await Promise.all(
      Array.from({ length: this.#options.connections }, (_, i) => this.#connection(signed, i)),
    );
    const retried = lanes.reduce((sum, lane) => sum + lane.retried, 0);
    const accepted = lanes.reduce((sum, lane) => sum + lane.accepted, 0);
    return { accepted, retried, seconds: (performance.now() - begin) / 1000 };
  }

  async #connection(
    signed: SignedTransactions,
    index: number,
  ): Promise<{ readonly accepted: number; readonly retried: number }> {
    const { connections, inFlight, batch, by = TX_SUBMIT } = this.#options;
    const size = Math.max(1, batch);
    const again: number[][] = [];
    const out: number[][] = [];
    let next = index;
    let accepted = 0;
    let retried = 0;
    let paused = false;

    const take = (): number[] | undefined => {
      const retry = again.shift();
      if (retry !== undefined) return retry;
      const indexes: number[] = [];
      for (; next < signed.count && indexes.length < size; next += connections) indexes.push(next);
      return indexes.length === 0 ? undefined : indexes;
    };

    return new Promise((resolve, reject) => {
      let connection: RawHttpConnection | undefined;
      const fail = (error: Error): void => {
        connection?.close();
        reject(error);
      };
      const fill = (): void => {
        if (connection === undefined || paused) return;
        let text = '';
        while (out.length < inFlight) {
          const indexes = take();
          if (indexes === undefined) break;
          out.push(indexes);
          text += postRequest(by.path, requestBody(by, signed, indexes, batch > 0));
        }
        if (text !== '') connection.send(text);
        if (out.length === 0 && again.length === 0) {
          connection.close();
          resolve({ accepted, retried });
        }
      };
      const retryLater = (indexes: number[]): void => {
        retried += indexes.length;
        again.push(indexes);
        if (paused) return;
        paused = true;
        setTimeout(() => {
          paused = false;
          fill();
        }, RETRY_MS);
      };
      const answered = (status: number, body: Buffer): void => {
        const indexes = out.shift();
        if (indexes === undefined) throw new Error(`an answer that nobody asked for: ${body.toString()}`);
        if (status === 200 && !body.includes(ERROR)) {
          accepted += indexes.length;
        } else {
          const { refused, fatal } = sortAnswers(body, indexes);
          if (fatal !== undefined) {
            fail(new Error(`${status}: ${fatal}`));
            return;
          }
          accepted += indexes.length - refused.length;
          if (refused.length > 0) retryLater(refused);
        }
        fill();
      };
      RawHttpConnection.open(this.#options.url, answered, fail).then((opened) => {
        connection = opened;
        fill();
      }, reject);
    });
  }
}

function requestBody(
  { method, params }: SubmitMethod,
  signed: SignedTransactions,
  indexes: readonly number[],
  asBatch: boolean,
): string {
  const call = (index: number, id: number): string => {
    return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params(signed.hexAt(index))}}`;
  };
  return asBatch ? `[${indexes.map(call).join(',')}]` : call(indexes[0] ?? 0, 1);
}

/** The transactions to send again, or the error that makes continuing useless. */
function sortAnswers(
  body: Buffer,
  indexes: readonly number[],
): { readonly refused: number[]; readonly fatal?: string } {
  const parsed = JSON.parse(body.toString()) as RpcAnswer | readonly (RpcAnswer & { readonly id: number })[];
  const answers = Array.isArray(parsed)
    ? [...(parsed as readonly (RpcAnswer & { readonly id: number })[])].sort((a, b) => a.id - b.id)
    : indexes.map(() => parsed as RpcAnswer);
  const refused: number[] = [];
  for (const [i, answer] of answers.entries()) {
    const { error } = answer;
    const index = indexes[i];
    if (error === undefined || index === undefined) continue;
    if (error.data?.reason === 'already_known') continue;
    // Fees are far above the base fee: they are too low only while a full pool holds nothing cheaper.
    const passing = error.data?.retryable === true || FULL.includes(error.data?.reason ?? '');
    if (!passing) return { refused, fatal: `${error.message} ${JSON.stringify(error.data)}` };
    refused.push(index);
  }
  return { refused };
}
