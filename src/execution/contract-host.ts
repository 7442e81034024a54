import { sameBytes } from '../base/same-bytes.js';
import { contractAddress } from '../crypto/address.js';
import type { ContractRecord } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { addressName } from '../ledger/address-names.js';
import { coldCodeGas } from '../ledger/gas.js';
import { OutcomeBytes } from '../ledger/outcome-bytes.js';
import type {
  CallObserver,
  CallOutcome,
  Creation,
  CreationOutcome,
  Engine,
  EngineHost,
  Frame,
  Program,
  WholeBlockFacts,
} from '../vm/engine.js';
import { type ActionEffect, type ActionHost, invalid } from './actions/action-effect.js';
import { deployContract } from './actions/deploy.js';
import { type BlockEnvironment, EnvironmentFacts } from './block-environment.js';
import type { AdmittedProgram, ContractMachine } from './contract-machine.js';
import { EnteredCode } from './entered-code.js';
import { type GasDependence, GasWithheld } from './gas-dependence.js';
import type { WorldState } from './world-state.js';

/** Maximum number of nested reverts remembered, to find the contract that raised the transaction's revert. */
const MAX_RAISED = 16;

const NO_BYTES = new Uint8Array(0);

const PAID = { status: 'success', trap: undefined } as const;
const OUT_OF_GAS = { status: 'out_of_gas', trap: undefined } as const;
const TOO_MUCH_CODE = {
  status: 'trapped',
  trap: {
    kind: 'host_limit',
    message:
      'over a limit of the host: the contracts that the transaction enters are too many or too large together',
    backtrace: [],
  },
} as const;

/** The host environment of contracts: one per transaction or view call. */
export class ContractHost implements EngineHost, ActionHost {
  readonly block: WholeBlockFacts;
  readonly #state: WorldState;
  readonly #env: BlockEnvironment;
  readonly #machine: ContractMachine;
  readonly #observer: CallObserver | undefined;
  readonly #gasDependence: GasDependence | undefined;
  readonly #entered = new EnteredCode();
  /** Revert data of nested calls, each with the contract that first raised it; the latest are kept. */
  readonly #raised: { readonly data: Uint8Array; readonly contract: Uint8Array }[] = [];
  readonly #outcome = new OutcomeBytes();
  /** Whether the transaction may use only a part of its gas. */
  #withholdsGas = false;

  constructor(options: {
    readonly state: WorldState;
    readonly env: BlockEnvironment;
    readonly machine: ContractMachine;
    readonly observer?: CallObserver | undefined;
    /** Notes each use of a value that depends on the gas limit. */
    readonly gasDependence?: GasDependence | undefined;
  }) {
    const { state, env, machine, observer, gasDependence } = options;
    this.#state = state;
    this.#env = env;
    this.#machine = machine;
    this.#observer = observer;
    this.#gasDependence = gasDependence;
    this.block = new EnvironmentFacts(env, machine.committedHash);
  }

  readStorage(contract: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
    return this.#state.slot(contract, slot);
  }

  writeStorage(contract: Uint8Array, slot: Uint8Array, value: Uint8Array): number | undefined {
    return this.#state.replaceSlot(contract, slot, value);
  }

  removeStorage(contract: Uint8Array, slot: Uint8Array): number | undefined {
    return this.#state.removeSlot(contract, slot);
  }

  storedBytes(contract: Uint8Array, slot: Uint8Array): number | undefined {
    return this.#state.slot(contract, slot)?.length;
  }

  balance(address: Uint8Array): bigint {
    this.#gasDependence?.record();
    return this.#state.balance(addressName(address));
  }

  transfer(from: Uint8Array, to: Uint8Array, amount: bigint): boolean {
    const isDone = this.#state.moveBalance(addressName(from), addressName(to), amount);
    if (!isDone) this.#gasDependence?.record();
    this.#observer?.balanceSent?.(from, to, amount, isDone);
    return isDone;
  }

  codeSize(address: Uint8Array): number {
    return this.#state.contract(addressName(address))?.code_size ?? 0;
  }

  codeHash(address: Uint8Array): Uint8Array | undefined {
    return this.#state.contract(addressName(address))?.code_hash;
  }

  code(address: Uint8Array): Uint8Array | undefined {
    const hash = this.codeHash(address);
    return hash === undefined ? undefined : this.#state.code(hash);
  }

  /** @throws GasWithheld */
  call(frame: Frame): CallOutcome | undefined {
    if (frame.depth > 0) this.#gasDependence?.record();
    if (this.#withholdsGas && frame.withheldGas === undefined) throw new GasWithheld(frame.gas);
    const name = addressName(frame.contract);
    const isDelegated = frame.codeOf !== undefined;
    const contract = this.#state.contract(isDelegated ? addressName(frame.codeOf) : name);
    if (contract === undefined) return undefined;
    const savepoint = this.#state.savepoint();
    const { events } = this.#outcome;
    if (isDelegated) {
      this.#state.touch(addressName(frame.codeOf));
    } else if (frame.value > 0n && !this.#state.moveBalance(addressName(frame.caller), name, frame.value)) {
      this.#gasDependence?.record();
      return undefined;
    }
    this.#state.touch(name);
    const outcome = this.#run(contract, frame);
    if (outcome.status !== 'success') {
      this.#state.revert(savepoint);
      this.#outcome.truncateTo(events);
    }
    if (outcome.status === 'reverted' && frame.depth > 0) this.#noteRaised(frame.contract, outcome.output);
    return outcome;
  }

  callAccount(frame: Frame): CallOutcome | undefined {
    this.#gasDependence?.record();
    const name = addressName(frame.contract);
    if (this.#state.contract(name) !== undefined) return this.call(frame);
    if (!this.#state.moveBalance(addressName(frame.caller), name, frame.value)) return undefined;
    return this.#notRun(frame, PAID, 0n);
  }

  create(creation: Creation): CreationOutcome | undefined {
    const { vm, creator, value, gas } = creation;
    this.#gasDependence?.record();
    // No engine says how much of the gas is withheld here.
    if (this.#withholdsGas) throw new GasWithheld(gas);
    const state = this.#state;
    const name = addressName(creator);
    if (!state.covers(name, value)) return undefined;
    const index = state.deployIndex(name);
    state.writeDeployIndex(name, index + 1n);
    const contract = creation.address ?? contractAddress(this.#machine.crypto, creator, index);
    const savepoint = state.savepoint();
    const { events } = this.#outcome;
    const effect =
      state.contract(addressName(contract)) === undefined
        ? deployContract(
            {
              ...creation,
              vm: { type: vm },
              abiVersion: 0,
              upgradePolicy: { type: 'immutable' },
              deployer: creator,
            },
            { state, env: this.#env, machine: this.#machine, host: this },
            () => contract,
          )
        : invalid(`there is a contract at 0x${addressName(contract)} already`, gas);
    const outcome = outcomeOf(effect, gas);
    if (outcome.status !== 'success') {
      state.revert(savepoint);
      this.#outcome.truncateTo(events);
    }
    if (outcome.status === 'reverted') this.#noteRaised(contract, outcome.output);
    return { outcome, contract };
  }

  /**
   * Returns the nested contract that first reverted with this data, as contracts pass on reverts; undefined if the
   * outermost one did, or it is no longer remembered. The chain does not commit to it.
   */
  raiserOf(data: Uint8Array): Uint8Array | undefined {
    if (data.length === 0) return undefined;
    return this.#raised.findLast((raised) => sameBytes(raised.data, data))?.contract;
  }

  #noteRaised(contract: Uint8Array, data: Uint8Array): void {
    if (data.length === 0 || this.raiserOf(data) !== undefined) return;
    if (this.#raised.length === MAX_RAISED) this.#raised.shift();
    this.#raised.push({ data, contract });
  }

  /** Runs a frame of an existing contract; the caller moves the value and undoes changes. */
  enter(frame: Frame): CallOutcome {
    const contract = this.#state.contract(addressName(frame.contract));
    if (contract === undefined) throw new RangeError('there is no contract to enter');
    return this.#run(contract, frame);
  }

  /** Like {@link enter}, for code that has no address, is already paid for, and has been passed to {@link noteEntered}. */
  enterCode({ vm, hash, program }: AdmittedProgram, code: Uint8Array, frame: Frame): CallOutcome {
    if (!this.#entered.has(vm, program.codeHash)) return this.#notRun(frame, TOO_MUCH_CODE, 0n);
    const engine = this.#machine.engines.of(vm);
    const variant = this.#observer?.variant ?? 'plain';
    const entered =
      variant === 'plain' ? program : engine.load(hash, engine.validate(code).prepare(variant), variant);
    return this.#runProgram(engine, entered, frame, 0n);
  }

  /** Notes code that the transaction has paid for by deploying it. */
  noteEntered({ vm, program: { codeHash, machineCode } }: AdmittedProgram): void {
    // Entering the code fails if it exceeds the limit.
    if (!this.#entered.has(vm, codeHash)) this.#entered.add(vm, codeHash, machineCode);
  }

  /** Hot: guarded by `bench/view-call.bench.ts`. */
  #run(contract: ContractRecord, frame: Frame): CallOutcome {
    const {
      vm: { type: vm },
      code_hash,
    } = contract;
    // Only the output of a batch's last call counts.
    if (frame.depth === 0) this.#outcome.setOutput(0);
    const engine = this.#machine.engines.of(vm);
    const variant = this.#observer?.variant;
    const loaded = engine.find(code_hash, variant);
    const hash = loaded === undefined ? toHex(code_hash) : loaded.codeHash;
    let gas = 0n;
    if (!this.#entered.has(vm, hash)) {
      const machineCode =
        loaded === undefined ? this.#machine.machineCode(vm, code_hash, this.#state) : loaded.machineCode;
      gas = coldCodeGas(machineCode);
      if (gas > frame.gas) {
        const { withheldGas = 0n } = frame;
        if (withheldGas > 0n) throw new GasWithheld(frame.gas);
        return this.#notRun(frame, OUT_OF_GAS, frame.gas);
      }
      if (!this.#entered.add(vm, hash, machineCode)) return this.#notRun(frame, TOO_MUCH_CODE, gas);
    }
    const program = loaded ?? this.#machine.load(contract, this.#state, variant);
    if (this.#gasDependence !== undefined && program.seesGas) this.#gasDependence.record();
    return this.#runProgram(engine, program, frame, gas);
  }

  #runProgram(engine: Engine, program: Program, frame: Frame, entryGas: bigint): CallOutcome {
    const { withheldGas = 0n } = frame;
    if (withheldGas === 0n) return engine.call(program, frame, this, this.#observer, entryGas);
    if (program.seesGas) throw new GasWithheld(frame.gas);
    this.#withholdsGas = true;
    const outcome = engine.call(program, frame, this, this.#observer, entryGas);
    if (outcome.status === 'out_of_gas') throw new GasWithheld(0n);
    return outcome;
  }

  /** Returns the outcome of a frame that runs no code: nothing is loaded. */
  #notRun(frame: Frame, end: Pick<CallOutcome, 'status' | 'trap'>, gasUsed: bigint): CallOutcome {
    const outcome = { ...end, gasUsed, output: NO_BYTES };
    this.#observer?.frameEntered?.(frame);
    this.#observer?.frameLeft?.(frame, outcome);
    return outcome;
  }

  emit(contract: Uint8Array, topics: readonly Uint8Array[], data: Uint8Array): boolean {
    if (!this.#outcome.addEvent(topics.length, data.length)) return false;
    this.#state.emit({ contract, topics, data });
    this.#observer?.eventEmitted?.(contract, topics, data);
    return true;
  }

  holdOutput(bytes: number): boolean {
    return this.#outcome.setOutput(bytes);
  }
}

function outcomeOf(effect: ActionEffect, gasLimit: bigint): CallOutcome {
  const { outcome, gas, output = NO_BYTES, message = 'the deployment is refused' } = effect;
  switch (outcome) {
    case 'success':
      return { status: outcome, gasUsed: gas, output: NO_BYTES, trap: undefined };
    case 'reverted':
      return { status: outcome, gasUsed: gas, output, trap: undefined };
    case 'out_of_gas':
      return { status: outcome, gasUsed: gasLimit, output: NO_BYTES, trap: undefined };
    default: {
      const trap = effect.trap ?? { kind: 'invalid_deployment', message, backtrace: [] };
      return { status: 'trapped', gasUsed: gas, output: NO_BYTES, trap };
    }
  }
}
