import { BinaryReader } from './binary-reader.js';
import { ModuleRefused } from './module-refused.js';

const FUNCTION_NAMES = 1;
const MAX_NAME_BYTES = 1_024;

/**
 * The function names of a `name` section. Damage there does not invalidate a module (specification 7.4), so unreadable
 * names are skipped.
 * @param bytes the section's content, after its name
 */
export function readFunctionNames(bytes: Uint8Array): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  const reader = new BinaryReader(bytes);
  try {
    while (!reader.atEnd) {
      const kind = reader.byte();
      const size = reader.u32();
      const content = new BinaryReader(reader.take(size));
      if (kind === FUNCTION_NAMES) {
        const count = content.count('names', size);
        for (let n = 0; n < count; n++) {
          const index = content.u32();
          names.set(index, content.name(MAX_NAME_BYTES));
        }
      }
    }
  } catch (error) {
    if (!(error instanceof ModuleRefused)) throw error;
  }
  return names;
}
