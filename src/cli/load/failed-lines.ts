import { createHash } from 'node:crypto';
import type { Client } from '../../client/client.js';
import { sdkFolder } from '../../contract-sdk/build-contract.js';
import { type ContractProject, readContractProject } from '../../contract-sdk/contract-project.js';
import { stackText } from '../../contract-sdk/replay.js';
import { ContractSandbox } from '../../contract-sdk/sandbox.js';
import { compileForTests } from '../../contract-sdk/test-builds.js';
import type { ChainTraceTransactionResult, StateOverride } from '../../generated/node-rpc-v1.js';
import { CodeRefused } from '../../vm/errors.js';
import { CliError } from '../cli-error.js';

/**
 * Returns the lines of a project's sources that a failed transaction stopped in, as text. Runs its call again in a
 * sandbox of this process, from the state that the trace's prestate has.
 * @throws CliError if the transaction did not run the project's code, or is not a call
 */
export async function failedLines(
  folder: string,
  { receipt, trace }: ChainTraceTransactionResult,
  client: Client,
): Promise<string> {
  const { call_tree: root, prestate = [], truncated } = trace;
  if (receipt.status.type === 'success') return 'the transaction succeeded: it stopped nowhere';
  if (root === undefined || root.kind !== 'call') {
    throw new CliError(`--project shows the lines of calls, the transaction is a ${root?.kind ?? 'cut one'}`);
  }
  if (truncated) throw new CliError('the node cut the trace off: it has not the whole state of the call');
  const project = await readContractProject(folder);
  const { debug } = await compileForTests(project, { sdk: sdkFolder(), coverage: false });
  expectCode(project, debug.codeHash, prestate);
  const sandbox = await ContractSandbox.create({ builds: [debug], record: () => undefined });
  restore(sandbox, prestate);
  const { height } = receipt;
  const [block] = (await client.get_block_summaries({ from_height: height, to_height: height })).blocks;
  const { chain_id: chainId } = await client.status();
  sandbox.block = { height, timestampMs: block?.timestamp_ms ?? 0n, chainId };
  const { from, to, value, input, gas_limit: gas } = root;
  const outcome = sandbox.run(to, { caller: from, origin: from, value, input, gas });
  if (outcome.status !== receipt.status.type) {
    return `the sandbox cannot reproduce the call: it ends ${outcome.status}`;
  }
  const stack = stackText(sandbox.stackOf(outcome));
  return stack === ''
    ? 'the place is unknown: optimized and unoptimized code end differently'
    : `stopped${stack}`;
}

function expectCode({ name }: ContractProject, codeHash: string, prestate: readonly StateOverride[]): void {
  const ran = prestate.flatMap(({ code }) => (code === undefined ? [] : [sha256(code)]));
  if (ran.includes(codeHash)) return;
  throw new CliError(
    `the transaction did not run the code of ${name}: that is ${codeHash}, it ran ${ran.join(', ') || 'none'}`,
  );
}

function restore(sandbox: ContractSandbox, prestate: readonly StateOverride[]): void {
  for (const { address, balance, code, slots = [] } of prestate) {
    if (balance !== undefined) sandbox.setBalance(address, balance);
    for (const { slot, value } of slots) {
      if (value !== undefined) sandbox.writeStorage(address, slot, value);
    }
    if (code !== undefined) deployWasm(sandbox, address, code);
  }
}

/** Leaves out code of other engines: the sandbox has none for it. */
function deployWasm(sandbox: ContractSandbox, address: Uint8Array, code: Uint8Array): void {
  try {
    sandbox.deployCode(address, code);
  } catch (error) {
    if (!(error instanceof CodeRefused)) throw error;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
