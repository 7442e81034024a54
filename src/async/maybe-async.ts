import { Deferred } from './deferred.js';

/** A value that is present or will be. Use {@link mapAsync} or {@link settle} to read it. */
export type MaybeAsync<T> = T | Promise<T> | Deferred<T>;

export function isAsync<T>(value: MaybeAsync<T>): value is Promise<T> | Deferred<T> {
  return value instanceof Deferred || value instanceof Promise;
}

/** Transforms a value once it is there. @param context spares a closure for an immediate value */
export function mapAsync<T, U, C>(
  value: MaybeAsync<T>,
  step: (value: T, context: C) => U,
  context: C,
): MaybeAsync<U> {
  if (value instanceof Deferred) return value.map((settled) => step(settled, context));
  return value instanceof Promise ? value.then((settled) => step(settled, context)) : step(value, context);
}

/**
 * Passes a value to a listener once it is there; at once if it is immediate.
 * @param onFailure called with the failure of a value to come, or of its listener; absent if neither can fail
 */
export function settle<T>(
  value: MaybeAsync<T>,
  listener: (value: T) => void,
  onFailure?: (error: unknown) => void,
): void {
  if (value instanceof Deferred) value.whenSettled(listener, onFailure);
  else if (value instanceof Promise) void value.then(listener).catch(onFailure);
  else listener(value);
}
