export const MAX_VALIDATORS = 100;

/** Maximum number of faulty validators among n: ⌊(n − 1) / 3⌋. */
export function maxFaulty(validators: number): number {
  return Math.floor((validators - 1) / 3);
}

/** Number of validators that make a certificate: n minus the maximum number of faulty ones. */
export function quorumOf(validators: number): number {
  return validators - maxFaulty(validators);
}
