import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeGas, coldCodeGas, GAS, machineCodeGas } from '../../src/ledger/gas.js';
import { LIMITS } from '../../src/vm/wasm/engine-limits.js';
import { measureMachineCode } from '../../test/support/contracts/machine-code.js';
import { hostileModules } from '../../test/support/forged/hostile-modules.js';
import { packageRoot } from '../../test/support/package-root.js';
import { recordCost } from '../support/record-values.js';

/** Limits that refuse nothing, so that modules refused only by a limit show what their price buys too. */
const UNLIMITED = {
  ...LIMITS,
  parameters: 1_000,
  anyTypes: true,
  types: 4_096,
  machineCode: 1e9,
  functionMachineCode: 1e9,
  flowWork: 1e9,
};
const CONTRACTS = ['amm', 'compute', 'escrow', 'registry', 'token'];

/** What the gas for a module's code buys: its deployment, and its first entry before any of it is compiled. */
export interface CodeLine {
  readonly module: string;
  /** Time to check, instrument and compile all of it (Liftoff), per gas of its deployment. */
  readonly deployNanoseconds: number;
  /** Time to compile all of it (Liftoff), per gas of a transaction that enters it first. */
  readonly coldNanoseconds: number;
  /** Bytes of machine code from both compilers, per gas of a transaction that enters the module first. */
  readonly machineCode: number;
  /** Ratio of actual to estimated machine code; above 1 the estimate is too low. */
  readonly share: number;
  /** Bytes of prepared code per byte of the module. */
  readonly prepared: number;
}

/** @param times size factor of the hostile modules */
export function codeLines(times = 300): CodeLine[] {
  const modules = hostileModules(times);
  for (const name of CONTRACTS) {
    modules.set(name, readFileSync(join(packageRoot(import.meta.url), 'contracts', name, `${name}.wasm`)));
  }
  const names = [...modules.keys()];
  return measureMachineCode([...modules.values()], UNLIMITED, 3).map((found, index) => {
    const bytes = BigInt(found.bytes);
    const deployGas = Number(
      GAS.tx_base +
        codeGas({ code: new Uint8Array(found.bytes) }) +
        GAS.payload_byte * bytes +
        machineCodeGas(found.estimate),
    );
    const coldGas = Number(GAS.tx_base + coldCodeGas(found.estimate));
    const code = found.baseline + found.optimized;
    return {
      module: names[index] ?? '',
      deployNanoseconds: (1e6 * (found.prepareMs + found.baselineMs)) / deployGas,
      coldNanoseconds: (1e6 * found.baselineMs) / coldGas,
      machineCode: code / coldGas,
      share: code / found.estimate,
      prepared: found.preparedBytes / found.bytes,
    };
  });
}

/** Records the worst module's figures. */
export function recordCodeLines(lines: readonly CodeLine[]): void {
  if (lines.length === 0) return;
  const worst = (of: (line: CodeLine) => number): number => Math.max(...lines.map(of));
  recordCost(
    'time of a gas of code: deployment, worst module',
    'ns',
    worst((line) => line.deployNanoseconds),
  );
  recordCost(
    'time of a gas of code: first entry, worst module',
    'ns',
    worst((line) => line.coldNanoseconds),
  );
  recordCost(
    'machine code, of the estimate, worst module',
    '×',
    worst((line) => line.share),
  );
}

export function printCodeLines(lines: readonly CodeLine[]): void {
  const columns = [
    ['ns a gas of deployment', (line: CodeLine) => line.deployNanoseconds],
    ['ns a gas of a first entry', (line: CodeLine) => line.coldNanoseconds],
    ['bytes of machine code a gas of a first entry', (line: CodeLine) => line.machineCode],
    ['machine code, of the estimate', (line: CodeLine) => line.share],
    ['prepared bytes a byte', (line: CodeLine) => line.prepared],
  ] as const;
  for (const [title, value] of columns) {
    console.log(`\n${title}, the worst of ${lines.length} modules:`);
    const worst = [...lines].sort((left, right) => value(right) - value(left)).slice(0, 5);
    for (const line of worst) console.log(`${value(line).toFixed(2).padStart(10)}   ${line.module}`);
  }
}
