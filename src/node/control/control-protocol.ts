import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { TokenRecord } from '../../rpc/access/quota-store.js';
import type { IssuedToken, TokenClaims } from '../../rpc/access/tokens.js';
import type { TokenDay, UsageQuery } from '../../rpc/access/usage/usage.js';

/*
 * The protocol between an operator's commands and a running node, over a socket in the data directory that only the
 * directory's owner can open. Each connection carries one request and one answer, each a line of JSON.
 */

export type ControlRequest =
  | { readonly kind: 'token_issue'; readonly claims: TokenClaims }
  | { readonly kind: 'token_list' }
  | { readonly kind: 'token_show'; readonly id: string }
  | { readonly kind: 'token_revoke'; readonly id: string }
  | { readonly kind: 'token_top_up'; readonly id: string; readonly units: number }
  | { readonly kind: 'token_usage'; readonly query: UsageQuery }
  /** Repeated until the answer's state is `done`, with the height of the first answer. */
  | { readonly kind: 'checkpoint_cut'; readonly height?: string };

export interface CutCheckpoint {
  readonly state: 'done';
  readonly height: string;
  readonly entries: string;
  readonly chunk_count: number;
  /** 64 hex digits. */
  readonly state_root: string;
}

export type CheckpointAnswer = { readonly state: 'cutting'; readonly height: string } | CutCheckpoint;

export interface ControlResults {
  readonly token_issue: IssuedToken;
  readonly token_list: readonly TokenRecord[];
  readonly token_show: TokenRecord;
  readonly token_revoke: TokenRecord;
  readonly token_top_up: TokenRecord;
  readonly token_usage: readonly TokenDay[];
  readonly checkpoint_cut: CheckpointAnswer;
}

export type ControlAnswer =
  | { readonly result: unknown }
  /** `code` is that of a `QuotaError`, or absent for an error of the node. */
  | { readonly error: { readonly code?: string; readonly message: string } };

/** Name of the socket in the data directory. */
export const CONTROL_SOCKET = 'control.sock';

/** Maximum length of a request in characters. */
export const MAX_REQUEST_CHARACTERS = 65_536;

/** Maximum length of a socket path on every system, in bytes, without the final NUL. */
const MAX_PATH_BYTES = 103;

export interface SocketPath {
  readonly path: string;
  /** Releases the path; call it once no socket uses it. */
  close(): Promise<void>;
}

/**
 * The path of a data directory's control socket. On Linux, a path that is too long goes through a descriptor of the
 * directory; other systems refuse it when it is used.
 */
export async function controlSocketPath(dataDir: string): Promise<SocketPath> {
  const path = join(dataDir, CONTROL_SOCKET);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES || process.platform !== 'linux') {
    return { path, close: async () => undefined };
  }
  const directory: FileHandle = await open(dataDir, 'r');
  return { path: `/proc/self/fd/${directory.fd}/${CONTROL_SOCKET}`, close: () => directory.close() };
}
