import type { Outcome } from '../../generated/ledger.js';
import type { CallOutcome, EngineHost, Frame, Trap } from '../../vm/engine.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { AdmittedProgram, ContractMachine } from '../contract-machine.js';
import type { WorldState } from '../world-state.js';

/** The part of the transaction's host that actions use. */
export interface ActionHost extends Pick<EngineHost, 'call'> {
  enter(frame: Frame): CallOutcome;
  enterCode(program: AdmittedProgram, code: Uint8Array, frame: Frame): CallOutcome;
  noteEntered(program: AdmittedProgram): void;
}

/** What putting code on the chain needs. */
export interface CodeParts {
  readonly state: WorldState;
  readonly machine: ContractMachine;
}

export interface DeploymentParts extends CodeParts {
  readonly env: BlockEnvironment;
  readonly host: ActionHost;
}

export interface ActionContext extends DeploymentParts {
  /** 20 bytes. */
  readonly sender: Uint8Array;
  /** Gas limit of the action. */
  readonly gasLeft: bigint;
  /** See {@link Frame.withheldGas}. */
  readonly withheldGas?: bigint;
}

/** The effect of an action. Unless it succeeded, the caller must undo all its writes. */
export interface ActionEffect {
  readonly outcome: Outcome['type'];
  /** Gas used by the action, beyond the intrinsic gas of the transaction. */
  readonly gas: bigint;
  /** The output of a success, or the data of a revert. */
  readonly output?: Uint8Array;
  /** Address of the deployed contract, 20 bytes. */
  readonly contract?: Uint8Array;
  readonly message?: string;
  readonly trap?: Trap;
  /** Address of the called contract that raised the revert data, 20 bytes; absent if it was the outermost one. */
  readonly raisedBy?: Uint8Array;
}

export const OUT_OF_GAS: ActionEffect = { outcome: 'out_of_gas', gas: 0n };

/** The effect of an action that could never succeed. */
export function invalid(message: string, gas = 0n): ActionEffect {
  return { outcome: 'invalid', gas, message };
}

/** The effect of an action that may succeed another time. */
export function reverted(message: string, gas = 0n): ActionEffect {
  return { outcome: 'reverted', gas, message };
}

export function effectOfCall(call: CallOutcome, gasBefore = 0n): ActionEffect {
  const { status, gasUsed, output, trap } = call;
  return {
    outcome: status,
    gas: gasBefore + gasUsed,
    output,
    ...(trap === undefined ? {} : { trap, message: trap.message }),
  };
}
