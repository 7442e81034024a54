import type { EthereumKind } from '../ethereum/program.js';

/** A request that is sent again and again, and a check of its answer before anything is timed. */
export interface Exchange {
  /** JSON. */
  readonly body: string;
  /** The mistake in a parsed answer; undefined if it is right. */
  readonly mistake: (answer: unknown) => string | undefined;
}

/** The same piece of work for every node. */
export interface Work {
  readonly name: string;
  readonly heddle: Exchange;
  readonly ethereum: Exchange;
  /** Nodes that don't offer the method. */
  readonly notOfferedBy?: readonly EthereumKind[];
  /** Aim for the ratio of Heddle's rate to anvil's, by number of connections. */
  readonly aims?: Readonly<Record<number, number>>;
  /** Beside a bare HTTP server that gives Heddle's answer; `aim` bounds Heddle's ratio of processor time to it. */
  readonly bare?: { readonly aim?: number };
  /** A request takes milliseconds, so the answers under way at the end of a round are a part of it that counts. */
  readonly isLong?: true;
  /** It is also measured in the first second of load on nodes that have just started. */
  readonly inFirstSecond?: true;
  /** Another way to ask for work that the list already has; `--skip-variants` leaves it out. */
  readonly isVariant?: true;
}

export function jsonRpc(method: string, params: unknown, id = 1): object {
  return { jsonrpc: '2.0', id, method, params };
}

/** An exchange of one JSON-RPC call. */
export function call(
  method: string,
  params: unknown,
  isRight: (result: unknown) => boolean,
  expected: string,
): Exchange {
  return {
    body: JSON.stringify(jsonRpc(method, params)),
    mistake: (answer) => {
      const { result } = answer as { readonly result?: unknown };
      return result !== undefined && isRight(result)
        ? undefined
        : `expected ${expected} from ${method}, got ${JSON.stringify(answer).slice(0, 1_000)}`;
    },
  };
}
