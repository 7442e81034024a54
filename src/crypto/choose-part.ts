import type { NativeMode, NativeReport } from '../config/native-mode.js';
import { CryptoError } from './crypto-error.js';

/** One primitive that has a native implementation and a twin. */
export interface Part<T> {
  readonly name: string;
  readonly nativeName: string;
  readonly loadNative: () => T;
  readonly twinName: string;
  readonly twin: T;
  /** @throws CryptoError `implementation_refused` where the implementation does not do what the rules want */
  readonly check: (implementation: T) => void;
}

/**
 * The implementation that serves, proved by its check.
 * @throws CryptoError `native_unavailable` or `implementation_refused`, as load-crypto.ts says
 */
export function choosePart<T>(part: Part<T>, mode: NativeMode, report: NativeReport | undefined): T {
  if (mode === 'off') return takeTwin(part, report, 'native parts are switched off');
  let native: T;
  try {
    native = part.loadNative();
    part.check(native);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    if (mode === 'auto') return takeTwin(part, report, reason);
    throw new CryptoError(
      error instanceof CryptoError ? error.code : 'native_unavailable',
      `${part.name}: the native implementation ${part.nativeName} is required and cannot serve: ${reason}`,
      { cause: error },
    );
  }
  report?.({ part: part.name, implementation: part.nativeName, native: true });
  return native;
}

function takeTwin<T>(part: Part<T>, report: NativeReport | undefined, reason: string): T {
  part.check(part.twin);
  report?.({ part: part.name, implementation: part.twinName, native: false, reason });
  return part.twin;
}
