import type { Crypto } from '../../crypto/crypto.js';
import type { BlockRef, TxSimulateArgs } from '../../generated/node-rpc-v1.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import type { BatchHead } from '../views/batched-calls.js';
import type { StateCallParts } from '../views/view-runner.js';
import { WorldState } from '../world-state.js';
import { type InputTransaction, resolveTransaction, type TransactionArgs } from './input-transaction.js';
import {
  type SimulatedTransaction,
  type SimulationOptions,
  simulateTransaction,
  simulateTransactionWithin,
} from './simulate-transaction.js';
import { type ContextOverrides, SimulationContext } from './simulation-context.js';
import { simulationJson } from './simulation-result.js';

export interface SimulatorParts extends StateCallParts {
  readonly crypto: Crypto;
  readonly maxPipelineSteps: number;
  readonly maxBundleTransactions: number;
}

export interface Simulation {
  readonly simulated: SimulatedTransaction;
  /** The TxSimulateResult. */
  readonly json: string;
}

/** Simulates transactions in the current thread. One per thread. */
export class Simulator {
  constructor(readonly parts: SimulatorParts) {}

  /** Opens the state and the block that the arguments request, with their overrides. */
  open(args: ContextOverrides & { readonly at?: BlockRef }, head: BatchHead): SimulationContext {
    const scene = new SimulationContext(this.parts, args.at, head);
    scene.override(args, 'params');
    return scene;
  }

  /** Simulates the transaction of the arguments, without changing the scene. @param path for errors */
  simulate(
    args: TransactionArgs,
    scene: SimulationContext,
    options: SimulationOptions = {},
    path = 'params',
  ): Simulation {
    const { given, calledAbi } = this.given(args, scene, path);
    return this.run(given, scene, options, calledAbi);
  }

  /**
   * Returns the JSON of the TxSimulateResult on the latest state, with at most the given gas; undefined if the
   * transaction needs more, or its result might depend on its gas limit.
   * @throws CallError, JsonDecodeError, StateUnavailableError
   */
  answerWithin(maxGas: number, args: TxSimulateArgs, head: BatchHead): string | undefined {
    const { crypto, machine, gas } = this.parts;
    const scene = new SimulationContext(this.parts, undefined, head);
    const { given, calledAbi } = this.given(args, scene);
    const { source, env } = scene;
    const simulated = simulateTransactionWithin(BigInt(maxGas), given, { source, env, machine, gas });
    if (simulated === undefined) return undefined;
    return simulationJson(simulated, { scene, crypto, calledAbi });
  }

  /** The transaction of the arguments, and the interface they give for the contracts that it calls. */
  given(
    args: TransactionArgs,
    scene: SimulationContext,
    path = 'params',
  ): { readonly given: InputTransaction; readonly calledAbi: ContractAbi | undefined } {
    const { crypto, interfaces, gas } = this.parts;
    const calledAbi = args.idl === undefined ? undefined : interfaces.compile(args.idl, `${path}.idl`);
    const state = new WorldState(scene.source);
    const abiOf = (contract: Uint8Array) => calledAbi ?? scene.abiOf(contract, state);
    const context = { crypto, state, env: scene.env, gas, interfaces, abiOf };
    return { given: resolveTransaction(args, context, path), calledAbi };
  }

  /** Simulates a transaction in a scene, without changing the scene. */
  run(
    given: InputTransaction,
    scene: SimulationContext,
    options: SimulationOptions = {},
    calledAbi?: ContractAbi,
  ): Simulation {
    const { crypto, machine, gas } = this.parts;
    const { source, env, gasLeft } = scene;
    const simulated = simulateTransaction(given, { source, env, gasLeft, machine, gas }, options);
    return { simulated, json: simulationJson(simulated, { scene, crypto, calledAbi }) };
  }
}
