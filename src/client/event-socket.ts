import { ClientError } from './client-error.js';
import { decodeAnswers, encodeCall, isObject } from './json-rpc.js';

/** The part of a WebSocket (WHATWG) that subscriptions use. */
export interface WebSocketLike {
  send(text: string): void;
  close(): void;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

/** The constructor of a WebSocket: the global one of browsers and of Node 22, or that of the package ws. */
export type WebSocketConstructor = new (url: string, protocols: string[]) => WebSocketLike;

export interface EventListeners {
  /** Called once the node has accepted the subscription. */
  readonly onStarted: () => void;
  /** Called with the JSON of each event; a thrown error ends the subscription. */
  readonly onEvent: (json: unknown) => void;
  /** Called with a height at which to resume: all events of lower blocks have been reported. */
  readonly onPosition: (height: bigint) => void;
}

const PROTOCOL = 'heddle.v2';
const SUBSCRIBE_ID = 1;
const POSITION_ID = 2;
/** A subscription that is silent for this long is asked for its position, and ended if it stays silent as long again. */
const SILENCE_MS = 20_000;

/** One WebSocket with one subscription, until either ends. */
export class EventSocket {
  readonly #url: string;
  readonly #socket: WebSocketLike;
  #subscription: string | undefined;
  #isHeard = true;
  #isAsked = false;

  /** Begins to connect. @throws ClientError `bad_argument` if there is no WebSocket */
  constructor(url: string, token: string | undefined, given: WebSocketConstructor | undefined) {
    const Implementation = given ?? globalWebSocket();
    if (Implementation === undefined) {
      throw new ClientError(
        'bad_argument',
        'no global WebSocket (Node has it since 22): pass one as the option webSocket, such as that of the package ws',
      );
    }
    this.#url = url;
    this.#socket = new Implementation(url, token === undefined ? [PROTOCOL] : [PROTOCOL, `bearer.${token}`]);
  }

  /**
   * Subscribes once connected.
   * @param params JSON text
   * @returns a promise that never resolves; it rejects with a ClientError `unreachable` when the connection or the
   *   subscription ends, with an RpcCallError if the node refuses it, or with the error thrown by `onEvent`
   */
  subscribe(params: string, { onStarted, onEvent, onPosition }: EventListeners): Promise<never> {
    const call = { id: SUBSCRIBE_ID, method: 'subscribe', params };
    return new Promise((_resolve, reject) => {
      const checking = setInterval(() => {
        if (this.#isDead()) lost();
      }, SILENCE_MS);
      const end = (error: unknown): void => {
        clearInterval(checking);
        reject(error);
        this.close();
      };
      const receive = (text: string): void => {
        const { id, result, params } = parseMessage(text);
        // The node answers with id null if it refuses a message unread, as under load.
        const isRefused = id === null && this.#subscription === undefined;
        if (id === SUBSCRIBE_ID || isRefused) {
          const [outcome] = decodeAnswers([call], { text });
          if (outcome?.ok !== true) throw outcome?.error ?? badMessage(text);
          const subscription = isObject(outcome.result) ? outcome.result['subscription'] : undefined;
          if (typeof subscription !== 'string') throw badMessage(text);
          this.#subscription = subscription;
          onStarted();
        } else if (id === POSITION_ID) {
          // Nodes without this method answer with an error, which is a sign of life too.
          if (result !== undefined) onPosition(heightIn(result));
        } else if (params !== undefined && params['subscription'] === this.#subscription) {
          const dropped = params['dropped'];
          if (dropped === undefined) onEvent(params['result']);
          else {
            onPosition(heightIn(dropped));
            const reason = isObject(dropped) ? dropped['reason'] : undefined;
            throw new ClientError('unreachable', `the node dropped the subscription: ${String(reason)}`);
          }
        }
      };
      this.#socket.addEventListener('open', () => this.#socket.send(encodeCall(call)));
      this.#socket.addEventListener('message', ({ data }) => {
        this.#isHeard = true;
        this.#isAsked = false;
        try {
          receive(String(data));
        } catch (error) {
          end(error);
        }
      });
      const lost = (): void =>
        end(new ClientError('unreachable', `cannot connect to ${this.#url}, or the connection was lost`));
      this.#socket.addEventListener('close', lost);
      this.#socket.addEventListener('error', lost);
    });
  }

  close(): void {
    this.#socket.close();
  }

  /**
   * Asks a silent node how far the subscription has come, so that one without events can resume near the tip. Returns
   * true if the last question had no answer, or the node never accepted the subscription.
   */
  #isDead(): boolean {
    const wasHeard = this.#isHeard;
    this.#isHeard = false;
    if (wasHeard) return false;
    if (this.#isAsked) return true;
    this.#isAsked = true;
    if (this.#subscription !== undefined) {
      const params = JSON.stringify({ subscription: this.#subscription });
      this.#socket.send(encodeCall({ id: POSITION_ID, method: 'subscription_position', params }));
    }
    return false;
  }
}

interface Message {
  readonly id: unknown;
  readonly result: unknown;
  /** Undefined unless it is about a subscription. */
  readonly params: Readonly<Record<string, unknown>> | undefined;
}

/** @throws ClientError `bad_answer` if the text is not a JSON object */
function parseMessage(text: string): Message {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (cause) {
    throw badMessage(text, cause);
  }
  if (!isObject(message)) throw badMessage(text);
  const { id, result, params } = message;
  return { id, result, params: isObject(params) ? params : undefined };
}

/** The height in a message of a subscription. @throws ClientError `bad_answer` */
function heightIn(value: unknown): bigint {
  const height = isObject(value) ? value['from_height'] : undefined;
  if (typeof height === 'number' && Number.isSafeInteger(height) && height >= 0) return BigInt(height);
  throw new ClientError('bad_answer', 'the node sent a subscription position without from_height');
}

function badMessage(text: string, cause?: unknown): ClientError {
  const start = JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
  return new ClientError('bad_answer', `expected a subscription message, got ${start}`, { cause });
}

/** The platform's WebSocket; undefined before Node 22. */
export function globalWebSocket(): WebSocketConstructor | undefined {
  const { WebSocket: found } = globalThis as { readonly WebSocket?: WebSocketConstructor };
  return found;
}

/**
 * The URL of a node's WebSockets.
 * @param endpoint URL for calls, such as `http://127.0.0.1:9545/v2/rpc`
 * @throws ClientError `bad_url`
 */
export function socketUrl(endpoint: string): string {
  const [, secure, rest] = /^http(s?)(:\/\/.+\/v2\/)rpc$/.exec(endpoint) ?? [];
  if (rest === undefined) {
    const reason = `subscriptions need an http or https URL, got ${JSON.stringify(endpoint)}`;
    throw new ClientError('bad_url', reason);
  }
  return `ws${secure}${rest}ws`;
}
