import { computed, signal } from '@preact/signals';
import { type Client, connect } from '../../client/client.js';
import { store, stored } from './session.js';

const TOKEN = 'heddle.token';

/** The bearer token sent with every call; undefined to send none. */
const accessToken = signal(stored(TOKEN));

export const token = computed(() => accessToken.value);

/** Uses another token. @param keep whether to keep it in this tab's session storage; otherwise only in memory */
export function useToken(text: string | undefined, keep: boolean): void {
  store(TOKEN, keep ? text : undefined);
  accessToken.value = text;
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

/** The client for the calls of pages. Changes with the token. */
export const client = computed<Client>(() =>
  connect(nodeUrl(), {
    ...(accessToken.value !== undefined && { token: accessToken.value }),
    maxConcurrent: MAX_CONCURRENT,
    retry: { retries: 1 },
  }),
);

/** Like {@link client}, but the calls of one tick share a request and are not repeated: for the live feed. */
export const polling = computed<Client>(() =>
  connect(nodeUrl(), {
    ...(accessToken.value !== undefined && { token: accessToken.value }),
    batch: true,
    timeoutMs: 10_000,
    retry: { retries: 0 },
  }),
);
