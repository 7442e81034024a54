import * as host from "./host";
import { utf8Length, writeUtf8 } from "./text";

/** Ends the call and undoes all its changes. The caller gets the message as UTF-8. */
export function revert(message: string): void {
  const length = utf8Length(message);
  const pointer = heap.alloc(length);
  writeUtf8(message, pointer);
  host.revert(pointer, length);
}

/** Reverts with the message unless the condition holds. */
// @ts-ignore: decorator
@inline
export function require(condition: bool, message: string): void {
  if (!condition) revert(message);
}

/** Called when AssemblyScript's own checks fail, such as array bounds. */
export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  revert(message === null ? "aborted" : message);
  unreachable();
}
