import { setTimeout as pause } from 'node:timers/promises';
import { DynamicThreshold } from '../../async/dynamic-threshold.js';
import { isAsync, type MaybeAsync, mapAsync } from '../../async/maybe-async.js';
import type { BoundedLog } from '../../config/bounded-log.js';
import { clientOfAddress } from '../../config/host.js';
import type { Access, AccessRights } from '../access/access.js';
import { toRpcError } from '../domain-errors.js';
import { RpcError } from '../errors.js';
import type { UpgradeRequest, UpgradeVerdict, WebSocketRoute } from '../http/http-server.js';
import type { RequestIds } from '../http/request-id.js';
import type { TrustedProxies } from '../http/trusted-proxies.js';
import type { RpcMetrics } from '../metrics/rpc-metrics.js';
import { errorAnswer } from '../rpc-answer.js';
import { CLOSE, type MessageServices, SocketConnection } from './socket-connection.js';
import type { SocketPeer } from './socket-message.js';
import { TokenWatch } from './token-watch.js';
import { type CheckedUpgrade, checkUpgrade, UPGRADE_HEADERS, type UpgradeRules } from './upgrade-rules.js';

/** Message limit of a WebSocket that was accepted when earlier ones had used up the memory for full messages. */
export const CROWDED_MESSAGE_BYTES = 32 * 1024;

export interface WebSocketsParts extends UpgradeRules, MessageServices {
  readonly path: string;
  /** Absent to take the address of every peer as the client's. */
  readonly proxies: TrustedProxies | undefined;
  readonly access: Access;
  readonly metrics: RpcMetrics;
  readonly log: BoundedLog;
  readonly ids: RequestIds;
}

/** Twice a second, so that subscriptions end within a second of their token. */
const SWEEP_MS = 500;
/** Interval at which a stopping server checks whether all calls are answered. */
const STOP_POLL_MS = 20;
/** Share of the byte budget for unfinished messages of full length. */
const UNFINISHED_SHARE = 1 / 2;

/** The WebSockets of one thread: accepts connections, checks them regularly, and closes them at the end. */
export class WebSockets {
  readonly #parts: WebSocketsParts;
  readonly #connections = new Set<SocketConnection>();
  /** Grants of full-length messages, whose unfinished bytes the server libraries buffer internally. */
  readonly #allowance: DynamicThreshold;
  #sweeping: NodeJS.Timeout | undefined;
  #sweptAtMs = 0;
  /** A clock that does not advance while this thread is blocked: peers are not charged for that time. */
  #nowMs = 0;
  #isStopping = false;

  constructor(parts: WebSocketsParts) {
    this.#parts = parts;
    this.#allowance = new DynamicThreshold(parts.budget.limit * UNFINISHED_SHARE);
  }

  get route(): WebSocketRoute {
    const { path, limits } = this.#parts;
    const { maxBodyBytes, maxBacklogBytes, maxBatchAnswerBytes, maxAnswerBytes } = limits;
    return {
      path,
      headers: UPGRADE_HEADERS,
      maxMessageBytes: maxBodyBytes,
      crowdedMessageBytes: Math.min(maxBodyBytes, CROWDED_MESSAGE_BYTES),
      maxUnsentBytes: maxBacklogBytes + 2 * Math.max(maxBatchAnswerBytes, maxAnswerBytes),
      accept: (request) => this.#accept(request),
      stop: (graceMs) => this.#stop(graceMs),
    };
  }

  #accept(request: UpgradeRequest): MaybeAsync<UpgradeVerdict> {
    this.#parts.metrics.httpRequests++;
    return mapAsync(this.#judge(request), this.#answered, request);
  }

  readonly #answered = (verdict: UpgradeVerdict, request: UpgradeRequest): UpgradeVerdict => {
    const { metrics, ids } = this.#parts;
    if ('refusal' in verdict) {
      const { status, body } = verdict.refusal;
      metrics.answered(status, body.length);
      return { refusal: ids.mark(request, verdict.refusal) };
    }
    metrics.answered(101, 0);
    return verdict;
  };

  #judge(request: UpgradeRequest): MaybeAsync<UpgradeVerdict> {
    const { metrics, access, log, ids } = this.#parts;
    const refused = (error: unknown): UpgradeVerdict => {
      const refusal = toRpcError(error, 'the access token', log, { requestId: ids.of(request) });
      metrics.refuse(refusal.kind);
      return { refusal: errorAnswer('null', refusal) };
    };
    if (this.#isStopping) return refused(new RpcError('not_ready', 'the node is stopping', {}));
    const checked = checkUpgrade(request, this.#parts);
    if ('refusal' in checked) {
      metrics.refuse(checked.refusal.status === 403 ? 'forbidden' : 'invalid_request');
      return checked;
    }
    const { proxies } = this.#parts;
    const remoteAddress =
      proxies?.clientOf(request.remoteAddress, request.header('x-forwarded-for')) ?? request.remoteAddress;
    const { authorization } = checked;
    const peer = { remoteAddress, authorization };
    const address = clientOfAddress(remoteAddress);
    const identified = access.identify(authorization, { client: `address ${address}` }, () => address);
    if (!isAsync(identified)) return this.#accepted(peer, checked, identified);
    return identified.then((caller) => this.#accepted(peer, checked, caller), refused);
  }

  #accepted(peer: SocketPeer, { protocol }: CheckedUpgrade, caller: AccessRights): UpgradeVerdict {
    const { maxBodyBytes } = this.#parts.limits;
    const client = clientOfAddress(peer.remoteAddress);
    const isFull = this.#allowance.tryTake(maxBodyBytes, client);
    const giveBack = (): void => {
      if (isFull) this.#allowance.release(maxBodyBytes, client);
    };
    return {
      protocol,
      size: isFull ? 'full' : 'crowded',
      abandoned: giveBack,
      open: (socket) => {
        const { limits, budget, call, failure, subscriptionsOf, metrics, access, log } = this.#parts;
        const { authorization } = peer;
        const connection = new SocketConnection(socket, peer, this.#nowMs, {
          limits,
          budget,
          call,
          failure,
          subscriptionsOf,
          counts: metrics.sockets,
          token: new TokenWatch({ access, log, authorization, caller, address: client }),
          onClosed: () => {
            this.#closed(connection);
            giveBack();
          },
        });
        this.#opened(connection);
        return connection;
      },
    };
  }

  #opened(connection: SocketConnection): void {
    this.#connections.add(connection);
    this.#parts.metrics.sockets.connections++;
    if (this.#sweeping !== undefined) return;
    this.#sweptAtMs = performance.now();
    this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  #closed(connection: SocketConnection): void {
    this.#connections.delete(connection);
    this.#parts.metrics.sockets.connections--;
    if (this.#connections.size > 0) return;
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }

  #sweep(): void {
    const now = performance.now();
    this.#nowMs += Math.min(now - this.#sweptAtMs, 2 * SWEEP_MS);
    this.#sweptAtMs = now;
    for (const connection of this.#connections) connection.sweep(this.#nowMs);
  }

  async #stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    const deadline = performance.now() + graceMs;
    while (performance.now() < deadline && this.#isAnyWaiting) await pause(STOP_POLL_MS);
    for (const connection of this.#connections) connection.close(CLOSE.goingAway, 'the node is stopping');
  }

  get #isAnyWaiting(): boolean {
    for (const { isWaiting } of this.#connections) if (isWaiting) return true;
    return false;
  }
}
