import { ContractError } from './contract-error.js';
import type { MethodGas } from './gas-report.js';

const LINE = /^(\S+) calls=(\d+) failed=(\d+) min=(\d+) mean=(\d+) max=(\d+)$/;
const FIGURES = ['min', 'mean', 'max'] as const;

/**
 * Every tolerance above 0 accepts a change of this many units of gas. A change of one method makes the compiler rearrange
 * the module, which moves the gas of other methods by a unit or two.
 */
const SLIGHT_GAS = 2;

/** Writes a snapshot: one line for each function, in order of their names. */
export function snapshotText(report: readonly MethodGas[]): string {
  return report
    .map(
      ({ contract, method, calls, failed, min, mean, max }) =>
        `${contract}.${method} calls=${calls} failed=${failed} min=${min} mean=${mean} max=${max}\n`,
    )
    .join('');
}

/** @throws ContractError `bad_snapshot`, with the number of the line */
export function parseSnapshot(text: string): readonly MethodGas[] {
  const lines = text.split(/\r?\n/);
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const found = LINE.exec(line);
    const [contract, method] = found?.[1]?.split('.') ?? [];
    if (found === null || contract === undefined || method === undefined) {
      const expected = 'Contract.method calls=N failed=N min=N mean=N max=N';
      const reason = `line ${index + 1}: expected "${expected}", got ${JSON.stringify(line.slice(0, 100))}`;
      throw new ContractError('bad_snapshot', reason);
    }
    const [calls = 0, failed = 0, min = 0, mean = 0, max = 0] = found.slice(2).map(Number);
    return [{ contract, method, calls, failed, min, mean, max }];
  });
}

/**
 * Compares gas with a snapshot.
 * @param tolerance largest accepted change of a figure, in percent; unless it is 0, two units of gas are accepted too
 * @returns a line for each difference
 */
export function snapshotDifferences(
  before: readonly MethodGas[],
  now: readonly MethodGas[],
  tolerance = 0,
): readonly string[] {
  const nameOf = ({ contract, method }: MethodGas): string => `${contract}.${method}`;
  const old = new Map(before.map((gas) => [nameOf(gas), gas]));
  const present = new Set(now.map(nameOf));
  return [
    ...now.flatMap((gas) => {
      const earlier = old.get(nameOf(gas));
      if (earlier === undefined) return [`+ ${nameOf(gas)}: not in the snapshot`];
      return changesOf(earlier, gas, tolerance).map((change) => `~ ${nameOf(gas)}: ${change}`);
    }),
    ...before.filter((gas) => !present.has(nameOf(gas))).map((gas) => `- ${nameOf(gas)}: no longer called`),
  ];
}

function changesOf(before: MethodGas, now: MethodGas, tolerance: number): readonly string[] {
  const number = new Intl.NumberFormat('en-US');
  const changes: string[] = [];
  for (const count of ['calls', 'failed'] as const) {
    if (before[count] !== now[count]) changes.push(`${count} ${before[count]} → ${now[count]}`);
  }
  for (const figure of FIGURES) {
    const change = now[figure] - before[figure];
    const accepted = tolerance === 0 ? 0 : Math.max(SLIGHT_GAS, (tolerance * before[figure]) / 100);
    if (Math.abs(change) <= accepted) continue;
    const percent = before[figure] === 0 ? '' : ` (${signed((change / before[figure]) * 100)} %)`;
    changes.push(`${figure} gas ${number.format(before[figure])} → ${number.format(now[figure])}${percent}`);
  }
  return changes;
}

function signed(percent: number): string {
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent).toFixed(2)}`;
}
