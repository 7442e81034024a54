export const RPC_PATH = '/v2/rpc';

/** One request, sent again on each connection as soon as it is answered. */
export interface RequestTask {
  readonly url: string;
  /** Default {@link RPC_PATH}. */
  readonly path?: string;
  readonly body: string;
  /** Sent as a bearer token. */
  readonly token?: string;
  readonly connections: number;
  /** Requests in flight at the end of this time are still waited for. */
  readonly milliseconds: number;
}

/** Several requests, sent in turn. */
export interface RequestsTask extends Omit<RequestTask, 'body'> {
  readonly bodies: readonly string[];
  /** Ends the task after this number of answers, if it comes before the time. */
  readonly answers?: number;
}

/** Answers, and the time from the first request to the last answer. */
export interface Answered {
  readonly answers: number;
  readonly seconds: number;
}

export interface TimedAnswers extends Answered {
  /** Time from sending to answer, in milliseconds. */
  readonly p99: number;
}
