import type { Crypto } from '../../crypto/crypto.js';
import type { ContractRecord } from '../../generated/ledger.js';
import type { ViewCallArgs } from '../../generated/node-rpc-v1.js';
import { AbiError } from '../../idl/abi-context.js';
import { JsonDecodeError } from '../../idl/codec-errors.js';
import type { ContractAbi } from '../../idl/contract-abi.js';
import { IdlError } from '../../idl/diagnostics.js';
import { toHex } from '../../idl/hex.js';
import { callInput } from '../../ledger/call-input.js';
import { MAX_IDL_BYTES } from '../../ledger/constants.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import { StateUnavailableError } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import type { CallOutcome } from '../../vm/engine.js';
import type { ContractMachine } from '../contract-machine.js';
import { WorldState } from '../world-state.js';
import { encodeAnswers, faultLine, problemLine } from './call-answers.js';
import { type BatchHead, BatchReader, type DecodedCall } from './call-batch.js';
import { resultJson } from './call-result.js';
import { ChangeTable } from './change-table.js';
import { applyOverrides, overriddenBlock } from './overrides.js';
import { StateCache } from './state-cache.js';
import { type ReferredState, StateReferences } from './state-reference.js';
import { ViewCallError } from './view-call-error.js';
import type { ViewSetup } from './view-setup.js';

/** A worker gives its thread up after this long, so that blocks and signatures get their turn between dear calls. */
const SLICE_MS = 10;
const NO_OUTPUT = new Uint8Array(0);
const NO_INTERFACES: ReadonlyMap<string, ContractAbi> = new Map();
const ZERO_ADDRESS = new Uint8Array(20);

/** What of its thread a runner uses. */
export interface ViewRunnerParts {
  readonly store: StoreReader;
  readonly crypto: Crypto;
  readonly interfaces: ContractInterfaces;
  readonly machine: ContractMachine;
}

/** Answers view calls in a worker. One for each thread. */
export class ViewRunner {
  readonly #machine: ContractMachine;
  readonly #progress: Int32Array;
  readonly #maxCallGas: number;
  readonly #interfaces: ContractInterfaces;
  readonly #states: StateReferences;
  /** What is stored under the hash of a record that is at hand, null where that is no interface. */
  readonly #abis = new WeakMap<ContractRecord, ContractAbi | null>();

  constructor(setup: ViewSetup, parts: ViewRunnerParts) {
    const { store, crypto, interfaces, machine } = parts;
    this.#machine = machine;
    this.#progress = new Int32Array(setup.progress);
    this.#maxCallGas = setup.maxCallGas;
    this.#interfaces = interfaces;
    const cache = new StateCache({ store, crypto, changes: ChangeTable.attach(setup.changes) });
    this.#states = new StateReferences({ store, crypto, machine, cache });
  }

  /** @param batch in the encoding of `call-batch.ts`; the answer is in that of `call-answers.ts` */
  run(batch: Uint8Array): string {
    const reader = new BatchReader(batch);
    const { head } = reader;
    const lines: string[] = [];
    const end = performance.now() + SLICE_MS;
    for (let call = reader.next(); call !== undefined; call = reader.next()) {
      Atomics.store(this.#progress, head.task, lines.length + 1);
      lines.push(this.#answer(call, head));
      if (performance.now() > end) break;
    }
    return encodeAnswers(lines);
  }

  #answer(call: DecodedCall, head: BatchHead): string {
    try {
      return this.#call(call, head);
    } catch (error) {
      if (error instanceof ViewCallError) return problemLine(error.problem);
      if (error instanceof JsonDecodeError) {
        const { path, expected, got } = error;
        return problemLine({ code: 'invalid_params', path, expected, got });
      }
      if (error instanceof StateUnavailableError) {
        const { height, oldest } = error;
        return problemLine({
          code: 'state_unavailable',
          height: Number(height),
          oldest: Number(oldest),
          newest: head.tipHeight,
        });
      }
      return faultLine(error);
    }
  }

  /** Hot: guarded by `bench/view-call.bench.ts`. */
  #call(call: DecodedCall, head: BatchHead): string {
    const { contract, rest } = call;
    const { source, block } = this.#stateOf(rest, head);
    const state = new WorldState(source);
    const interfaces =
      rest?.overrides === undefined
        ? NO_INTERFACES
        : applyOverrides(rest.overrides, state, this.#machine, (text, path) => this.#interfaceOf(text, path));
    const name = toHex(contract);
    const { contract: record } = state.account(name);
    if (record === undefined) throw noContract(name);
    const given = rest?.idl === undefined ? interfaces.get(name) : this.#interfaceOf(rest.idl, 'params.idl');
    const abi = given ?? this.#storedInterface(record);
    const abiOf = (address: Uint8Array): ContractAbi | undefined => {
      const emitter = toHex(address);
      if (emitter === name) return abi;
      const { contract: other } = state.account(emitter);
      return interfaces.get(emitter) ?? (other === undefined ? undefined : this.#storedInterface(other));
    };
    const input = callInput(call.text, () => abi, 'params');
    const env =
      rest?.block_override === undefined ? block.env : overriddenBlock(block.env, rest.block_override);
    const caller = call.caller ?? ZERO_ADDRESS;
    const outcome = this.#machine.host(state, env).call({
      entry: 'invoke',
      contract,
      caller,
      origin: caller,
      value: call.value,
      input,
      gas: BigInt(call.gasLimit ?? this.#maxCallGas),
      isView: false,
      depth: 0,
    });
    const { logs } = state;
    if (outcome === undefined) {
      const { balance } = state.account(toHex(caller));
      const refusal = `insufficient balance: ${call.value} to be sent, the caller has ${balance}`;
      return resultJson({ outcome: REFUSED, refusal, block, logs, input, abi, abiOf });
    }
    return resultJson({ outcome, block, logs, input, abi, abiOf });
  }

  #stateOf(rest: ViewCallArgs | undefined, head: BatchHead): ReferredState {
    return rest?.at === undefined ? this.#states.latest(head) : this.#states.find(rest.at, head);
  }

  #storedInterface(record: ContractRecord): ContractAbi | undefined {
    if (record.idl_hash === undefined) return undefined;
    let abi = this.#abis.get(record);
    if (abi === undefined) {
      abi = this.#interfaces.stored(record.idl_hash) ?? null;
      this.#abis.set(record, abi);
    }
    return abi ?? undefined;
  }

  #interfaceOf(text: string, path: string): ContractAbi {
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_IDL_BYTES) {
      throw new ViewCallError({
        code: 'limit_exceeded',
        subject: 'idl_bytes',
        limit: MAX_IDL_BYTES,
        given: bytes,
      });
    }
    try {
      return this.#interfaces.strict(text);
    } catch (error) {
      if (!(error instanceof IdlError) && !(error instanceof AbiError)) throw error;
      throw new ViewCallError({
        code: 'invalid_params',
        path,
        expected: 'the interface of one contract',
        got: error.message,
      });
    }
  }
}

/** What a call comes to whose caller cannot send what it wants to. */
const REFUSED: CallOutcome = { status: 'reverted', gasUsed: 0n, output: NO_OUTPUT, trap: undefined };

/** @param name the address in hex */
function noContract(name: string): ViewCallError {
  const contract = `0x${name}`;
  return new ViewCallError({
    code: 'not_found',
    message: `there is no contract at ${contract}`,
    subject: { contract },
  });
}
