import type { NativeMode } from '../../config/native-mode.js';
import type { StoreHandle } from '../../storage/store.js';

/*
 * Messages between the main thread and the thread that reads the forked chain. Questions of blocked threads come through
 * mailboxes instead; see `storage/fork-base/mailboxes.ts`.
 */

export interface ForkWorkerData {
  readonly native: NativeMode;
  readonly directory: string;
  /** A node of the forked chain. */
  readonly url: string;
  readonly token: string | undefined;
  /** borsh(BlockHeader) of the block whose state is forked. */
  readonly header: Uint8Array;
  readonly mailboxes: SharedArrayBuffer;
}

export type ForkRequest =
  /** The next proposal copies these names: its execution must not see the forked chain's values. */
  | { readonly type: 'copying'; readonly names: readonly Uint8Array[] }
  /** Answered by `flushed` after all earlier replies. */
  | { readonly type: 'flush' }
  | { readonly type: 'stop' };

export type ForkReply =
  | { readonly type: 'ready'; readonly cache: StoreHandle }
  /** An execution read a value that is not copied. */
  | { readonly type: 'missed'; readonly name: Uint8Array }
  | { readonly type: 'flushed' }
  | { readonly type: 'stopped' };
