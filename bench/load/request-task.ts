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
  readonly milliseconds: number;
}

/** Answers, and the time from the first request to the last answer. */
export interface Answered {
  readonly answers: number;
  readonly seconds: number;
}
