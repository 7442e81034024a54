import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EngineLimits, LIMITS } from '../../../src/vm/wasm/engine-limits.js';
import { instrument } from '../../../src/vm/wasm/instrument.js';
import { validateModule } from '../../../src/vm/wasm/validate.js';
import { removeDirectory, temporaryDirectory } from '../temporary-directory.js';

/** V8's code for one module, and the engine's estimate of its maximum. */
export interface MeasuredCode {
  /** Bytes of the module, before and after instrumentation. */
  readonly bytes: number;
  readonly preparedBytes: number;
  /** The engine's upper bound for the module's machine code. */
  readonly estimate: number;
  /** Size of the machine code from the baseline and the optimizing compiler, with all functions compiled. */
  readonly baseline: number;
  readonly optimized: number;
  /** Peak memory of the optimizing compiler for one function. */
  readonly compilerMemory: number;
  /** Milliseconds that each compiler took for the whole module. */
  readonly baselineMs: number;
  readonly optimizedMs: number;
  /** Milliseconds that checking and instrumenting took. */
  readonly prepareMs: number;
}

const MODULE_CACHE =
  Number(process.versions.node.split('.')[0]) < 25
    ? 'wasm-native-module-cache-enabled'
    : 'wasm-native-module-cache';
const TIERS = [['--no-wasm-tier-up'], ['--no-liftoff']] as const;
const CHILD = `
  const bytes = require('node:fs').readFileSync(process.argv[1]);
  const kept = [], ms = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    let best = Infinity;
    for (let round = 0; round < Number(process.argv[3]); round++) {
      const start = performance.now();
      kept.push(new WebAssembly.Module(bytes.subarray(at + 4, at + 4 + length)));
      best = Math.min(best, performance.now() - start);
    }
    ms.push(best);
    at += 4 + length;
  }
  require('node:fs').writeFileSync(process.argv[2], JSON.stringify(ms));
`;

/**
 * Compiles whole modules with each of V8's compilers, in separate processes.
 * @param rounds number of repetitions; the best times count
 */
export function measureMachineCode(
  modules: readonly Uint8Array[],
  limits: EngineLimits = LIMITS,
  rounds = 1,
): MeasuredCode[] {
  const directory = temporaryDirectory();
  try {
    const prepared = modules.map((bytes) => {
      let ms = Number.POSITIVE_INFINITY;
      const prepare = (): { made: Uint8Array; estimate: number } => {
        const start = performance.now();
        const validated = validateModule(bytes, limits, 'contract');
        const made = instrument(validated, { variant: 'plain', profile: 'contract', limits });
        ms = Math.min(ms, performance.now() - start);
        return { made, estimate: validated.machineCode };
      };
      for (let round = 1; round < rounds; round++) prepare();
      const last = prepare();
      return { ...last, ms };
    });
    const file = join(directory, 'modules');
    writeFileSync(file, Buffer.concat(prepared.flatMap(({ made }) => [le32(made.length), made])));
    const [baseline, optimized] = TIERS.map((flags) =>
      compileAll(file, join(directory, 'ms'), rounds, flags),
    );
    return prepared.map(({ made, estimate, ms }, index) => {
      const [base, best] = [baseline?.[index], optimized?.[index]];
      assert.ok(base !== undefined && best !== undefined, `module ${index} was compiled`);
      return {
        bytes: modules[index]?.length ?? 0,
        preparedBytes: made.length,
        estimate,
        baseline: base.code,
        optimized: best.code,
        compilerMemory: best.memory,
        baselineMs: base.ms,
        optimizedMs: best.ms,
        prepareMs: ms,
      };
    });
  } finally {
    removeDirectory(directory);
  }
}

interface Compiled {
  code: number;
  memory: number;
  ms: number;
}

function compileAll(file: string, times: string, rounds: number, flags: readonly string[]): Compiled[] {
  const child = spawnSync(
    process.execPath,
    [
      ...flags,
      '--no-wasm-lazy-compilation',
      `--no-${MODULE_CACHE}`,
      '--wasm-num-compilation-tasks=1',
      '--trace-wasm-compilation-times',
      '-e',
      CHILD,
      file,
      times,
      String(rounds),
    ],
    { encoding: 'utf8', maxBuffer: 1 << 28, timeout: 300_000 },
  );
  assert.equal(child.status, 0, child.stderr);
  const ms: number[] = JSON.parse(readFileSync(times, 'utf8'));
  const compiled = new Map<string, Compiled>();
  for (const [, module = '', memory = '0', code = '0'] of child.stdout.matchAll(
    /^Compiled function (0x[0-9a-f]+)#\d+ .*?(?:and \d+ \/ (\d+) max.*?)?codesize (\d+)/gm,
  )) {
    const known = compiled.get(module) ?? { code: 0, memory: 0, ms: 0 };
    known.code += Number(code);
    known.memory = Math.max(known.memory, Number(memory));
    compiled.set(module, known);
  }
  return [...compiled.values()]
    .filter((_, index) => index % rounds === 0)
    .map((each, index) => ({ ...each, ms: ms[index] ?? 0 }));
}

function le32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
