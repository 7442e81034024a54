/** The most validators of a set. */
export const MAX_VALIDATORS = 100;

/** How many of n validators may be faulty: ⌊(n − 1) / 3⌋. */
export function maxFaulty(validators: number): number {
  return Math.floor((validators - 1) / 3);
}

/** How many of n validators make a certificate: those that are left where as many as may be are faulty. */
export function quorumOf(validators: number): number {
  return validators - maxFaulty(validators);
}
