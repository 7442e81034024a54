import type { BoundedLog } from '../../config/bounded-log.js';
import type { Access, AccessRights } from '../access/access.js';
import { toRpcError } from '../domain-errors.js';
import type { RpcError } from '../errors.js';

export interface TokenWatchParts {
  readonly access: Pick<Access, 'identifyAgain' | 'isCurrent'>;
  readonly log: BoundedLog;
  /** `Authorization` of the connection, and its caller so far. */
  readonly authorization: string;
  readonly caller: AccessRights;
  /** See `clientOfAddress`; connections of one address share the checks of tokens. */
  readonly address: string;
}

/** Watches the token that a connection relies on between its calls. */
export class TokenWatch {
  readonly #parts: TokenWatchParts;
  #caller: AccessRights;
  #isBusy = false;

  constructor(parts: TokenWatchParts) {
    this.#parts = parts;
    this.#caller = parts.caller;
  }

  /** Cheap while the token is current. @param onRefused called at most once, if it has expired or was revoked */
  check(onRefused: (refusal: RpcError) => void): void {
    const { access, authorization, address, log } = this.#parts;
    if (this.#isBusy || access.isCurrent(this.#caller)) return;
    this.#isBusy = true;
    Promise.resolve(access.identifyAgain(authorization, { client: `address ${address}` }))
      .then(
        (caller) => {
          this.#caller = caller;
          this.#isBusy = false;
        },
        (error: unknown) => {
          const refusal = toRpcError(error, 'the access token', log);
          // A refused token stays refused. After any other failure, the next check tries again.
          if (refusal.kind === 'unauthorized') onRefused(refusal);
          else this.#isBusy = false;
        },
      )
      .catch((error: unknown) => log.error({ err: error }, 'failed to end subscriptions'));
  }
}
