import { createConnection, type Socket } from 'node:net';
import { CodedError, errorMessage } from '../../base/errors.js';
import { QuotaError, type QuotaErrorCode, type TokenRecord } from '../../rpc/access/quota-store.js';
import type { TokenAdmin } from '../../rpc/access/token-service.js';
import type { IssuedToken, TokenClaims } from '../../rpc/access/tokens.js';
import type { TokenDay, UsageQuery, UsageReader } from '../../rpc/access/usage/usage.js';
import type { ControlAnswer, ControlRequest, ControlResults, CutCheckpoint } from './control-protocol.js';
import { controlSocketPath, type SocketPath } from './control-protocol.js';

/**
 * - `not_listening`: no node takes connections in the data directory; it may be starting or stopping;
 * - `no_answer`: the node got the request and did not answer it in full; it may have carried it out;
 * - `refused`: the node answered with an error.
 */
export type ControlErrorCode = 'not_listening' | 'no_answer' | 'refused';

export class ControlError extends CodedError<ControlErrorCode> {
  override readonly name = 'ControlError';
}

const TIMEOUT_MS = 10_000;

/** The tokens of the running node that owns a data directory. Methods also reject with {@link ControlError}. */
export class ControlClient implements TokenAdmin, UsageReader {
  readonly #dataDir: string;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  issue(claims: TokenClaims): Promise<IssuedToken> {
    return this.#ask({ kind: 'token_issue', claims });
  }

  list(): Promise<readonly TokenRecord[]> {
    return this.#ask({ kind: 'token_list' });
  }

  show(id: string): Promise<TokenRecord> {
    return this.#ask({ kind: 'token_show', id });
  }

  revoke(id: string): Promise<TokenRecord> {
    return this.#ask({ kind: 'token_revoke', id });
  }

  topUp(id: string, units: number): Promise<TokenRecord> {
    return this.#ask({ kind: 'token_top_up', id, units });
  }

  usage(query: UsageQuery): Promise<readonly TokenDay[]> {
    return this.#ask({ kind: 'token_usage', query });
  }

  /** Cuts a checkpoint, by default of the last committed block, and waits for it. */
  async cutCheckpoint(height: bigint | undefined, signal: AbortSignal): Promise<CutCheckpoint> {
    let at = height === undefined ? {} : { height: String(height) };
    for (;;) {
      const answer = await this.#ask({ kind: 'checkpoint_cut', ...at });
      if (answer.state === 'done') return answer;
      signal.throwIfAborted();
      at = { height: answer.height };
    }
  }

  async #ask<R extends ControlRequest>(request: R): Promise<ControlResults[R['kind']]> {
    const path = await this.#path();
    try {
      const answer = await exchange(createConnection(path.path), `${JSON.stringify(request)}\n`);
      if ('result' in answer) return answer.result as ControlResults[R['kind']];
      const { code, message } = answer.error;
      throw code === undefined
        ? new ControlError('refused', message)
        : new QuotaError(code as QuotaErrorCode, message);
    } finally {
      await path.close();
    }
  }

  async #path(): Promise<SocketPath> {
    try {
      return await controlSocketPath(this.#dataDir);
    } catch (cause) {
      const message = `there is no control socket in ${this.#dataDir}: ${errorMessage(cause)}`;
      throw new ControlError('not_listening', message, { cause });
    }
  }
}

/** @throws ControlError */
function exchange(socket: Socket, request: string): Promise<ControlAnswer> {
  return new Promise((resolve, reject) => {
    let isSent = false;
    const fail = (why: string, cause?: unknown): void => {
      socket.destroy();
      const message = `the node does not answer on its control socket: ${why}`;
      const hint = 'it may have carried out the command: see "heddle token list" before you repeat it';
      reject(
        isSent
          ? new ControlError('no_answer', `${message}; ${hint}`, { cause })
          : new ControlError('not_listening', message, { cause }),
      );
    };
    let text = '';
    socket.setEncoding('utf8');
    socket.setTimeout(TIMEOUT_MS, () => fail(`no answer within ${TIMEOUT_MS / 1000} s`));
    socket.on('error', (error) => fail(error.message, error));
    socket.on('data', (piece: string) => {
      text += piece;
    });
    socket.on('end', () => {
      if (text === '') fail('it closed the connection');
      else if (!text.endsWith('\n')) fail('it closed the connection in the middle of its answer');
      else {
        try {
          resolve(parsed(text));
        } catch (error) {
          fail(`its answer is invalid: ${errorMessage(error)}`, error);
        }
      }
    });
    socket.on('connect', () => {
      isSent = true;
      socket.write(request);
    });
  });
}

/** @throws Error if the text is not an answer */
function parsed(text: string): ControlAnswer {
  const answer: unknown = JSON.parse(text);
  if (typeof answer === 'object' && answer !== null && ('result' in answer || 'error' in answer)) {
    return answer as ControlAnswer;
  }
  throw new Error('it has neither a result nor an error');
}
