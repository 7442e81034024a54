import { computed, signal } from '@preact/signals';
import { type Client, connect } from '../../client/client.js';
import { store, stored } from './browser-storage.js';

const TOKEN = 'heddle.token';

/** The bearer token of the pages' calls; undefined to send none. */
export const token = signal(stored(TOKEN));

/** Uses another token. @param keep whether to keep it in this tab's session storage; otherwise only in memory */
export function useToken(text: string | undefined, keep: boolean): void {
  store(TOKEN, keep ? text : undefined);
  token.value = text;
}

/** True if the token survives a reload of this tab. */
export function isTokenKept(): boolean {
  return stored(TOKEN) !== undefined;
}

/** The URL of the node: the directory of this page, which may be below a base path. */
export function nodeUrl(): string {
  return new URL('.', location.origin + location.pathname).href.replace(/\/$/, '');
}

/** Low, because the node also serves other clients. */
const MAX_CONCURRENT = 6;

/**
 * The client for the calls of pages. Each call takes the token of its moment, so that a page keeps its content, such as
 * a form, when the token changes.
 */
export const client = computed<Client>(() =>
  connect(nodeUrl(), { fetch: fetchWithToken, maxConcurrent: MAX_CONCURRENT, retry: { retries: 1 } }),
);

/** `fetch` with the token of its moment. */
export function fetchWithToken(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers);
  const text = token.peek();
  if (text !== undefined) headers.set('authorization', `Bearer ${text}`);
  return fetch(input, { ...init, headers });
}

/**
 * The client of the live feed. It sends no token, because a token's prepaid units would pay for every poll, and the
 * feed needs none. The calls of one tick share a request and are not repeated.
 */
export const feed = computed<Client>(() =>
  connect(nodeUrl(), { batch: true, timeoutMs: 10_000, retry: { retries: 0 } }),
);

/**
 * The client for what embellishes a page, such as the units of tokens. It sends the token, because a node may ask for one
 * for views. The calls of one tick share a request and are not repeated.
 */
export const lookups = computed<Client>(() =>
  connect(nodeUrl(), {
    fetch: fetchWithToken,
    batch: true,
    maxConcurrent: 1,
    timeoutMs: 10_000,
    retry: { retries: 0 },
  }),
);
