/**
 * Gas limits for simulated actions: each is a quarter above its estimate, because the state may change before the
 * transactions are included. If they would together exceed `most`, what is added shrinks in proportion. No limit is below
 * its estimate.
 * @param most undefined if there is no bound, or it is not known
 */
export function ampleLimits(estimates: readonly bigint[], most: bigint | undefined): bigint[] {
  const wanted = sumOf(estimates.map(quarter));
  const room = most === undefined ? wanted : most - sumOf(estimates);
  if (room <= 0n) return [...estimates];
  return estimates.map(
    (estimate) => estimate + (wanted <= room ? quarter(estimate) : (quarter(estimate) * room) / wanted),
  );
}

function quarter(gas: bigint): bigint {
  return gas / 4n;
}

function sumOf(gas: readonly bigint[]): bigint {
  return gas.reduce((sum, each) => sum + each, 0n);
}
