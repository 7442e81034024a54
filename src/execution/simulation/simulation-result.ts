import { checkAnswerSize } from '../../base/answer-limit.js';
import type { Sha256 } from '../../crypto/crypto.js';
import type { Action } from '../../generated/ledger.js';
import type { ExecStatus } from '../../generated/node-rpc-v1.js';
import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { integerJson } from '../../idl/codecs/json-writer.js';
import { toHex } from '../../idl/hex.js';
import type { JsonValue } from '../../idl/json-value.js';
import { addressName } from '../../ledger/address-names.js';
import { ledger } from '../../ledger/codecs.js';
import { decodeOutput } from '../../ledger/contract-decoding.js';
import { logsJson } from '../../ledger/log-json.js';
import { addressedInterfaces, known } from '../../ledger/queries/action-interfaces.js';
import { lastCall } from '../../ledger/queries/receipt-json.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { execStatus } from '../../ledger/stored-receipt.js';
import { transactionHash } from '../../ledger/transaction-envelope.js';
import type { SimulatedTransaction } from './simulate-transaction.js';
import type { SimulationContext } from './simulation-context.js';
import { stateDiffJson } from './state-diff.js';

const NO_HASH = new Uint8Array(32);

export interface ResultContext {
  /** As the transaction found it. */
  readonly scene: SimulationContext;
  readonly crypto: Sha256;
  /** The interface to use for the contracts that the transaction calls, if one was given. */
  readonly calledAbi: ContractAbi | undefined;
}

const NO_HASH_TEXT = toHex(NO_HASH);

/**
 * Returns the JSON of a TxSimulateResult as its codec writes it, from parts that need no check. Its events have the
 * height of the block that it was simulated in, and no block hash. Hot: guarded by
 * `bench/macro/contract-calls.bench.ts`. @throws AnswerTooLongError
 */
export function simulationJson(simulated: SimulatedTransaction, context: ResultContext): string {
  const { outcome, fee, gasEstimate, state } = simulated;
  const { scene } = context;
  const isSuccess = outcome.outcome === 'success';
  const abiOf = interfacesOf(simulated, context);
  const status = isSuccess
    ? '{"type":"success","value":null}'
    : rpcTypes.ExecStatus.toJson(statusOf(simulated, abiOf, context));
  const decoded = isSuccess ? decodedOutput(simulated, abiOf) : undefined;
  const shown = decoded === undefined ? '' : `,"decoded":${JSON.stringify(decoded)}`;
  const contract = outcome.contract === undefined ? '' : `,"contract":"0x${toHex(outcome.contract)}"`;
  const logs = outcome.logs.length === 0 ? '[]' : logsText(simulated, abiOf, context);
  let changes = '';
  for (const change of stateDiffJson(state, scene.source)) {
    changes += changes === '' ? change : `,${change}`;
    checkAnswerSize(changes.length);
  }
  return `{"status":${status},"gas_used":${outcome.gasUsed},"gas_estimate":${gasEstimate},"fee":"${fee}","output":"0x${toHex(outcome.output)}"${shown}${contract},"logs":${logs},"state_diff":[${changes}],"height":${scene.block.env.height}}`;
}

type AbiOf = (contract: Uint8Array) => ContractAbi | undefined;

/** Returns the interface of a contract: from the call, else from the overrides, else from the state. */
function interfacesOf({ given, state }: SimulatedTransaction, { scene, calledAbi }: ResultContext): AbiOf {
  const called = calledAbi === undefined ? [] : calledContracts(given.transaction.action).map(toHex);
  return (contract) => {
    const name = addressName(contract);
    if (called.includes(name)) return calledAbi;
    return given.given.get(name) ?? scene.abiOf(contract, state);
  };
}

function calledContracts(action: Action): readonly Uint8Array[] {
  if (action.type === 'call') return [action.value.contract];
  return action.type === 'batch' ? action.value.map(({ contract }) => contract) : [];
}

/** Decodes the result of the call, or of a batch's last call. */
function decodedOutput({ given, outcome }: SimulatedTransaction, abiOf: AbiOf): JsonValue | undefined {
  const call = lastCall(given.transaction.action);
  return call && decodeOutput(abiOf(call.contract), call.input, outcome.output);
}

function statusOf(
  { given, outcome, fee }: SimulatedTransaction,
  abiOf: AbiOf,
  { scene }: ResultContext,
): ExecStatus {
  const { outcome: type, message, trap } = outcome;
  if (type === 'success' || type === 'out_of_gas') return { type };
  const receipt = {
    tx_hash: NO_HASH,
    outcome: { type },
    gas_used: outcome.gasUsed,
    fee,
    output: outcome.output,
    logs: [],
  };
  const details = {
    ...(message === undefined ? {} : { message }),
    ...(trap === undefined ? {} : { trap: { kind: trap.kind, backtrace: trap.backtrace } }),
  };
  const { raisedBy } = outcome;
  return execStatus(receipt, details, () => [
    ...(raisedBy === undefined ? [] : known(abiOf(raisedBy))),
    ...addressedInterfaces(given.transaction.action, abiOf, (idl) =>
      scene.parts.interfaces.compileUnchecked(idl),
    ),
  ]);
}

function logsText(
  { given, outcome }: SimulatedTransaction,
  abiOf: AbiOf,
  { scene, crypto }: ResultContext,
): string {
  const encoded = given.encoded ?? ledger.Transaction.encodeTransient(given.transaction);
  const hash = transactionHash(encoded, crypto);
  const place = `"height":${integerJson(scene.env.height)},"block_hash":"${NO_HASH_TEXT}","tx_hash":"${toHex(hash)}","tx_index":0`;
  return logsJson(outcome.logs, place, abiOf);
}
