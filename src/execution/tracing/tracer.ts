import { sameBytes } from '../../base/same-bytes.js';
import type { LedgerReceipt } from '../../generated/ledger.js';
import type { ChainTraceTransactionArgs, TxSimulateTraceArgs } from '../../generated/node-rpc-v1.js';
import { integerJson } from '../../idl/codecs/json-writer.js';
import { toHex } from '../../idl/hex.js';
import type { BlockReader } from '../../ledger/block-store.js';
import { ledger } from '../../ledger/codecs.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import { LogJsonCache } from '../../ledger/log-json.js';
import { receiptJson } from '../../ledger/queries/receipt-json.js';
import type { IncludedTransaction } from '../../ledger/queries/tx-summary.js';
import { transactionHash } from '../../ledger/transaction-envelope.js';
import type { StoreReader } from '../../storage/store.js';
import { ledgerReceipt } from '../block-execution.js';
import { executeTransaction, type TransactionOutcome } from '../execute-transaction.js';
import { executeOpening, openingOf } from '../sealed/opening.js';
import { simulateTransaction } from '../simulation/simulate-transaction.js';
import type { Simulator, SimulatorParts } from '../simulation/simulator.js';
import type { BatchHead, CallKind } from '../views/batched-calls.js';
import { BlockReplays } from '../views/block-replays.js';
import { readParams } from '../views/call-params.js';
import type { StateReferences } from '../views/state-reference.js';
import { WorldState } from '../world-state.js';
import { type CallTracerParts, traceCall } from './call-tracer.js';
import type { InterfaceLookup } from './call-tree-json.js';
import { includedTransactions } from './included-transactions.js';
import {
  type AttachedWriteLog,
  claimReplay,
  encodeWantedWriteLog,
  type ReplayAnswer,
  type ReplayRequest,
} from './replay-messages.js';
import { TraceRecorder } from './trace-recorder.js';
import { transactionEnd, transactionFrame, transactionInterfaces } from './transaction-frame.js';

export type TraceKind = Extract<CallKind, 'chain_traceCall' | 'chain_traceTransaction' | 'tx_simulate_trace'>;

export interface TracerParts extends SimulatorParts, CallTracerParts {
  readonly simulator: Simulator;
  readonly blocks: BlockReader;
  readonly store: StoreReader;
  /** For receipts: the interfaces on the chain. */
  readonly chainInterfaces: ContractInterfaces;
}

const NO_HASH = '00'.repeat(32);

/** Answers traces in a worker. One per thread. */
export class Tracer {
  readonly #parts: TracerParts;
  readonly #replays: BlockReplays;
  readonly #find: ReturnType<typeof includedTransactions>;
  #lastExecuted:
    | {
        readonly height: number;
        readonly tipHeight: number;
        readonly executed: ReturnType<StateReferences['executed']>;
      }
    | undefined;

  constructor(parts: TracerParts) {
    this.#parts = parts;
    this.#replays = new BlockReplays(parts);
    this.#find = includedTransactions(parts.blocks, parts.store);
  }

  /**
   * @param writeLog attached to the call @returns the JSON of the method's result, or a request for a write log
   * @throws CallError, JsonDecodeError, StateUnavailableError
   */
  answer(kind: TraceKind, params: string, head: BatchHead, writeLog?: AttachedWriteLog): string {
    switch (kind) {
      case 'chain_traceCall':
        return traceCall(this.#parts, readParams(kind, params), head);
      case 'chain_traceTransaction':
        return this.traceTransaction(readParams(kind, params), head, writeLog);
      case 'tx_simulate_trace':
        return this.simulateTrace(readParams(kind, params), head);
    }
  }

  /**
   * Traces a transaction at its position in its block, or the opening of an opened envelope.
   * @returns the JSON of the ChainTraceTransactionResult, with the stored receipt; or a request for a write log
   * @throws CallError, StateUnavailableError; Error if the result differs from that in the block: the node is broken
   */
  traceTransaction(
    { tx_hash, tracers }: ChainTraceTransactionArgs,
    head: BatchHead,
    writeLog?: AttachedWriteLog,
  ): string {
    const { crypto, machine, interfaces, chainInterfaces, gas } = this.#parts;
    const included = this.#find(tx_hash, head.tipHeight);
    gas.expectUsed(included.receipt.head.gas_used);
    const { position, signed } = included;
    const height = Number(position.height);
    const { parent, block } = this.#executed(height, head);
    const parts = writeLog?.height === height ? writeLog.parts : undefined;
    if (parts === undefined && !this.#replays.covers(position)) {
      return encodeWantedWriteLog({ height, index: position.index });
    }
    const before = this.#replays.before(position, { env: block.env, parent }, parts);
    const recorder = new TraceRecorder(tracers, this.#parts.maxTraceBytes);
    const state = new WorldState(recorder.watch(before));
    const { transaction } = signed;
    recorder.begin(transactionFrame(transaction, before, crypto, block.env));
    const context = { state, env: block.env, machine, observer: recorder.observer };
    const { opening } = included.receipt.details;
    const outcome =
      opening === undefined
        ? executeTransaction(transaction, toHex(transaction.sender), context)
        : executeOpening(openingOf(opening, crypto), context);
    gas.use(outcome.gasUsed);
    recorder.end(transactionEnd(outcome));
    const made = expectReceipt(included, tx_hash, outcome);
    this.#replays.executed(position, state);
    const abiOf = interfaces.lookupIn(state);
    const written = new LogJsonCache();
    const given = { receipt: made, written };
    const receipt = receiptJson(included, BigInt(head.finalizedHeight), chainInterfaces, given);
    const view = {
      logPlace: `${block.json},"tx_hash":"${toHex(tx_hash)}","tx_index":${position.index}`,
      abiOf,
      ...transactionInterfaces(transaction, abiOf, interfaces),
      written,
    };
    return `{"receipt":${receipt},"trace":${recorder.json(state, before, view, receipt.length)}}`;
  }

  /**
   * Returns the JSON of the TxSimulateTraceResult, of the transaction as `tx_simulate` would run it.
   * @throws CallError, JsonDecodeError, StateUnavailableError
   */
  simulateTrace(args: TxSimulateTraceArgs, head: BatchHead): string {
    const { crypto, interfaces, machine, simulator, gas, maxTraceBytes } = this.#parts;
    const scene = simulator.open(args, head);
    const { given, calledAbi } = simulator.given(args, scene);
    const { transaction } = given;
    const { source, env } = scene;
    const recorder = new TraceRecorder(args.tracers, maxTraceBytes);
    recorder.begin(transactionFrame(transaction, source, crypto, env));
    // Runs without a gas estimate: the reads of an estimate's runs are not the transaction's.
    const { outcome, state } = simulateTransaction(
      given,
      { source: recorder.watch(source), env, machine, gas },
      { observer: recorder.observer, withoutEstimate: true },
    );
    recorder.end(transactionEnd(outcome));
    const abiOf: InterfaceLookup = (contract) =>
      given.given.get(toHex(contract)) ?? scene.abiOf(contract, state);
    const hash = transactionHash(given.encoded ?? ledger.Transaction.encodeTransient(transaction), crypto);
    const view = {
      logPlace: `"height":${integerJson(env.height)},"block_hash":"${NO_HASH}","tx_hash":"${toHex(hash)}","tx_index":0`,
      abiOf,
      ...transactionInterfaces(transaction, abiOf, interfaces),
      ...(calledAbi === undefined ? {} : { rootAbis: [calledAbi], rootAbi: calledAbi }),
    };
    const simulation = simulator.run(given, scene, {}, calledAbi).json;
    return `{"simulation":${simulation},"trace":${recorder.json(state, source, view, simulation.length)}}`;
  }

  /**
   * Makes the next part of a block's write log, unless another worker does.
   * @returns the part, and the JSON of a ReplayAnswer @throws CallError, StateUnavailableError
   */
  replay(
    request: ReplayRequest,
    head: BatchHead,
    { parts, claim }: AttachedWriteLog,
  ): { readonly json: string; readonly part?: SharedArrayBuffer } {
    const { height, round, ticket } = request;
    if (claim === undefined) throw new Error(`the replay of block ${height} has no claim`);
    if (!claimReplay(claim, round, ticket))
      return { json: JSON.stringify({ isElsewhere: true } satisfies ReplayAnswer) };
    const { parent, block } = this.#executed(height, head);
    const { part, covered } = this.#replays.extend({ ...request, parts }, { env: block.env, parent });
    const { blocks, gas } = this.#parts;
    for (let index = request.covered; index < covered; index++) {
      gas.use(blocks.receipt({ height: BigInt(height), index })?.head.gas_used ?? 0n);
    }
    return { json: JSON.stringify({ covered } satisfies ReplayAnswer), part };
  }

  /** Caches the last block: blocks never change, and reading a state that is pruned meanwhile throws. */
  #executed(height: number, head: BatchHead): ReturnType<StateReferences['executed']> {
    const last = this.#lastExecuted;
    if (last?.height === height && last.tipHeight === head.tipHeight) return last.executed;
    const executed = this.#parts.states.executed(height, head);
    this.#lastExecuted = { height, tipHeight: head.tipHeight, executed };
    return executed;
  }
}

/** Returns the receipt of an executed transaction. @throws Error if it differs from the stored one */
function expectReceipt(
  { position, receipt: stored }: IncludedTransaction,
  hash: Uint8Array,
  executed: TransactionOutcome,
): LedgerReceipt {
  const { outcome, gasUsed, logs } = executed;
  const receipt = ledgerReceipt(hash, executed);
  if (sameBytes(ledger.LedgerReceipt.encode(receipt), stored.encoded)) return receipt;
  const was = stored.receipt;
  throw new Error(
    `executing transaction ${position.index} of block ${position.height} again gives ${outcome}, ${gasUsed} gas and ${logs.length} events; its receipt says ${was.outcome.type}, ${was.gas_used} gas and ${was.logs.length} events${
      outcome === was.outcome.type && gasUsed === was.gas_used ? ', and they differ in their contents' : ''
    }: this node is broken`,
  );
}
