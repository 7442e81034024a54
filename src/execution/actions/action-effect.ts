import type { Outcome } from '../../generated/ledger.js';
import type { CallOutcome, EngineHost, Frame, Trap } from '../../vm/engine.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { AdmittedProgram, ContractMachine } from '../contract-machine.js';
import type { WorldState } from '../world-state.js';

/** The transaction's host, as far as actions use it. */
export interface ActionHost extends Pick<EngineHost, 'call'> {
  enter(frame: Frame): CallOutcome;
  enterCode(program: AdmittedProgram, code: Uint8Array, frame: Frame): CallOutcome;
  warm(program: AdmittedProgram): void;
}

/** What contracts are put on the chain with. */
export interface DeploymentParts {
  readonly state: WorldState;
  readonly env: BlockEnvironment;
  readonly machine: ContractMachine;
  /** Of the transaction. */
  readonly host: ActionHost;
}

/** What an action that concerns contracts is applied with. */
export interface ActionContext extends DeploymentParts {
  /** 20 bytes. */
  readonly sender: Uint8Array;
  /** The most gas that the action may use. */
  readonly gasLeft: bigint;
}

/** What an action came to. Unless it succeeded, everything that it wrote has to be taken back. */
export interface ActionEffect {
  readonly outcome: Outcome['type'];
  /** Gas that the action used, beyond what the transaction costs by itself. */
  readonly gas: bigint;
  /** The output of a success, the data of a revert. */
  readonly output?: Uint8Array;
  /** The contract that a deployment made, 20 bytes. */
  readonly contract?: Uint8Array;
  /** Why it failed, for people. */
  readonly message?: string;
  readonly trap?: Trap;
  /** The called contract that raised what it reverted with, 20 bytes, where it was not the outermost. */
  readonly raisedBy?: Uint8Array;
}

export const OUT_OF_GAS: ActionEffect = { outcome: 'out_of_gas', gas: 0n };

/** It could never have worked. */
export function invalid(message: string, gas = 0n): ActionEffect {
  return { outcome: 'invalid', gas, message };
}

/** It may work another time. */
export function reverted(message: string, gas = 0n): ActionEffect {
  return { outcome: 'reverted', gas, message };
}

/** What a frame's end means for the transaction that started it. */
export function effectOfCall(call: CallOutcome, gasBefore = 0n): ActionEffect {
  const { status, gasUsed, output, trap } = call;
  return {
    outcome: status,
    gas: gasBefore + gasUsed,
    output,
    ...(trap === undefined ? {} : { trap, message: trap.message }),
  };
}
