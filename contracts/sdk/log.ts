import * as host from "./host";
import { utf8Length, writeUtf8 } from "./text";

/** Logs text that appears only in traces. */
export function log(message: string): void {
  const length = utf8Length(message);
  const pointer = heap.alloc(length);
  writeUtf8(message, pointer);
  host.log(pointer, length);
}
