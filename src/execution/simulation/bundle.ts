import { checkAnswerSize } from '../../base/answer-limit.js';
import type { BundleSimulateArgs } from '../../generated/node-rpc-v1.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { BatchHead } from '../views/batched-calls.js';
import { expectEntries, invalidParams } from '../views/call-error.js';
import { type BundleAccess, criticalPathGas, dependenciesOf, parallelGroups } from './dependencies.js';
import { checked, encodedTransaction } from './input-transaction.js';
import type { Simulator } from './simulator.js';

/** Runs transactions in one block, as a bundle; returns the JSON of the BundleSimulateResult. */
export function bundleJson(args: BundleSimulateArgs, simulator: Simulator, head: BatchHead): string {
  const { transactions } = args;
  if (transactions.length === 0) {
    throw invalidParams('params.transactions', 'at least one transaction', 'none');
  }
  expectEntries('bundle_transactions', transactions.length, simulator.parts.maxBundleTransactions);
  const scene = simulator.open(args, head);
  const { crypto, gas } = simulator.parts;
  const results: string[] = [];
  let length = 0;
  const accesses: BundleAccess[] = [];
  let gasUsed = 0n;
  let gasLimit = 0n;
  let isSuccess = true;
  for (const [index, encoded] of transactions.entries()) {
    const path = `params.transactions[${index}]`;
    const given = checked(encodedTransaction(encoded, crypto, path), { env: scene.env, gas }, path);
    const { simulated, json } = simulator.run(given, scene, { withAccess: true });
    const { outcome, state, access } = simulated;
    scene.include(state, outcome.gasUsed);
    gas.deduct(outcome.gasUsed);
    results.push(json);
    length += json.length;
    checkAnswerSize(length);
    accesses.push({
      sender: given.sender,
      lane: given.transaction.lane,
      gasUsed: outcome.gasUsed,
      access: access ?? new Map(),
    });
    gasUsed += outcome.gasUsed;
    gasLimit += given.transaction.gas_limit;
    isSuccess &&= outcome.outcome === 'success';
  }
  // A block takes a bundle as a whole: the gas limits of its members together must fit.
  isSuccess &&= gasLimit <= scene.env.gasLimit;
  const dependencies = dependenciesOf(accesses);
  const groups = parallelGroups(accesses.length, dependencies);
  const shown = dependencies.map((each) => rpcTypes.Dependency.toJson(each));
  return `{"results":[${results.join(',')}],"atomic_success":${isSuccess},"gas_used":${gasUsed},"dependencies":[${shown.join(',')}],"parallel_groups":${JSON.stringify(groups)},"critical_path_gas":${criticalPathGas(accesses, dependencies)},"height":${scene.block.env.height}}`;
}
