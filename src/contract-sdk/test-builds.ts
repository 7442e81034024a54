import { createHash } from 'node:crypto';
import { type CompiledContract, compileContract, compileForDebugging } from './build-contract.js';
import type { ContractProject } from './contract-project.js';
import { addProbes, type CoverableLine } from './coverage-probes.js';
import { DEBUG_LIMITS } from './sandbox-limits.js';
import type { DebugBuild } from './test-run.js';

/** The builds of one contract that its tests need. */
export interface TestBuilds {
  readonly release: CompiledContract;
  readonly debug: DebugBuild;
  /** Line of each probe of the covered build. */
  readonly lines: readonly CoverableLine[];
}

/** @throws ContractError, ModuleRefused */
export async function compileForTests(
  project: ContractProject,
  options: { readonly sdk: string; readonly coverage: boolean },
): Promise<TestBuilds> {
  const release = await compileContract(project, { sdk: options.sdk, names: true });
  const compiled = await compileForDebugging(project, options.sdk);
  const debug = { codeHash: createHash('sha256').update(release.code).digest('hex'), ...compiled };
  if (!options.coverage) return { release, debug, lines: [] };
  const { code, firstProbe, lines } = addProbes(compiled.code, compiled.sourceMap, DEBUG_LIMITS);
  return { release, debug: { ...debug, covered: { code, firstProbe, probes: lines.length } }, lines };
}
