import type { NativeMode, NativeReport } from '../config/native-mode.js';
import { CryptoError } from './crypto-error.js';

/** One primitive that has a native implementation and a twin. */
export interface Part<T> {
  readonly name: string;
  readonly nativeName: string;
  readonly loadNative: () => T;
  readonly twinName: string;
  /** Loaded only where it serves. */
  readonly loadTwin: () => Promise<T>;
  /** @throws CryptoError `implementation_refused` where the implementation does not do what the rules want */
  readonly check: (implementation: T) => void;
}

/**
 * The implementation that serves, proved by its check.
 * @throws CryptoError `native_unavailable` or `implementation_refused`, as load-crypto.ts says
 */
export async function choosePart<T>(
  part: Part<T>,
  mode: NativeMode,
  report: NativeReport | undefined,
): Promise<T> {
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

async function takeTwin<T>(part: Part<T>, report: NativeReport | undefined, reason: string): Promise<T> {
  const twin = await part.loadTwin();
  part.check(twin);
  report?.({ part: part.name, implementation: part.twinName, native: false, reason });
  return twin;
}
