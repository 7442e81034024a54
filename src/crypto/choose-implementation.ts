import { errorMessage } from '../base/errors.js';
import { NATIVE_OFF, type NativeMode, type NativeReport } from '../config/native-mode.js';
import { CryptoError } from './crypto-error.js';

/** A primitive with a native implementation and a fallback. */
export interface Primitive<T> {
  readonly name: string;
  readonly nativeName: string;
  readonly loadNative: () => T;
  readonly fallbackName: string;
  /** Loaded only if used. */
  readonly loadFallback: () => Promise<T>;
  /** @throws CryptoError `implementation_refused` if the implementation breaks the rules */
  readonly check: (implementation: T) => void;
}

/**
 * Chooses the implementation and runs its check.
 * @throws CryptoError `native_unavailable` or `implementation_refused`, as in load-crypto.ts
 */
export async function chooseImplementation<T>(
  part: Primitive<T>,
  mode: NativeMode,
  report: NativeReport | undefined,
): Promise<T> {
  if (mode === 'off') return useFallback(part, report, NATIVE_OFF);
  let native: T;
  try {
    native = part.loadNative();
    part.check(native);
  } catch (error) {
    const [reason = ''] = errorMessage(error).split('\n');
    if (mode === 'auto') return useFallback(part, report, reason);
    throw new CryptoError(
      error instanceof CryptoError ? error.code : 'native_unavailable',
      `${part.name}: the native implementation ${part.nativeName} is required but unusable: ${reason}`,
      { cause: error },
    );
  }
  report?.({ part: part.name, implementation: part.nativeName, native: true });
  return native;
}

async function useFallback<T>(
  part: Primitive<T>,
  report: NativeReport | undefined,
  reason: string,
): Promise<T> {
  const fallback = await part.loadFallback();
  part.check(fallback);
  report?.({ part: part.name, implementation: part.fallbackName, native: false, reason });
  return fallback;
}
