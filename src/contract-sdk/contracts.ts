/**
 * Builds and tests contracts: the entry point `heddle/contracts`.
 *
 * ```js
 * const project = await readContractProject(folder);
 * const code = await buildContract(project, { sdk: sdkFolder(), names: true });
 * const counter = (await ContractSandbox.create()).deploy(address, code, contractAbi(project));
 * counter.init({ owner, start: 1 });
 * counter.call('increment', { by: 2 });
 * ```
 */

export type { ContractAbi, Decoded, ErrorAbi } from '../idl/abi/contract-abi.js';
export type { EventAbi } from '../idl/abi/event-abi.js';
export type { FunctionAbi } from '../idl/abi/function-abi.js';
export type { JsonValue } from '../idl/json-value.js';
export type { BlockFacts, CallObserver, CallOutcome, CallStatus, Frame, Trap } from '../vm/engine.js';
export { CodeRefused } from '../vm/errors.js';
export {
  type BuildOptions,
  buildContract,
  type CompiledContract,
  compileContract,
  sdkFolder,
} from './build-contract.js';
export type { SourceFrame } from './call-lines.js';
export { ContractError, type ContractErrorCode } from './contract-error.js';
export {
  type CalledContract,
  type ContractProject,
  contractAbi,
  generateContractFiles,
  readContractProject,
} from './contract-project.js';
export { ContractSandbox, type SandboxCall, SandboxContract } from './sandbox.js';
export type { SandboxLog } from './sandbox-ledger.js';
export type { SourcePosition } from './source-lines.js';
export type { TestRecorder } from './test-run.js';
