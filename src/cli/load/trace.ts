import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { counted } from '../../base/number-text.js';
import { shownLine } from '../../base/shown-text.js';
import { type Client, formatAddress, formatAmount, formatHash } from '../../client/client.js';
import { frameSteps } from '../../client/frame-steps.js';
import { sdkFolder } from '../../contract-sdk/build-contract.js';
import { stackText } from '../../contract-sdk/call-lines.js';
import { type ContractProject, readContractProject } from '../../contract-sdk/contract-project.js';
import { ContractSandbox } from '../../contract-sdk/sandbox.js';
import { compileForTests } from '../../contract-sdk/test-builds.js';
import type {
  CallFrame,
  ChainTraceTransactionResult,
  FunctionGas,
  HostOp,
  StateOverride,
  Trace,
  Tracer,
} from '../../generated/node-rpc-v1.js';
import { cut, membersText } from '../../idl/decoded-text.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { CodeRefused } from '../../vm/errors.js';
import { writeText } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError, UsageError } from '../cli-error.js';
import { diffLines, eventText, statusText } from '../outcome-text.js';
import { columns, connectTo, explainRejections, type NodeCommandOptions } from '../sending-options.js';
import { hash } from '../values.js';
import { flameGraph } from './flame-graph.js';
import { tracerOption } from './tracer-option.js';

interface TraceOptions extends NodeCommandOptions {
  readonly tracer?: readonly Tracer[];
  readonly flame?: string;
  readonly project?: string;
}

/** Timeout of the request; the node has its own limit for a trace. */
const TIMEOUT_MS = 120_000;

export function registerTraceCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('trace')
    .connection()
    .argument('<TX>', 'hash of the transaction', hash)
    .addOption(tracerOption())
    .option('--flame <FILE>', 'write a flame graph of its gas as SVG')
    .option('--project <FOLDER>', "show where a failed call stopped, from the sources in a contract's folder")
    .json('print the whole answer as JSON')
    .examples(
      'heddle trace 9b1c…e0',
      'heddle trace 9b1c…e0 --tracer call_tree,state_diff',
      'heddle trace 9b1c…e0 --flame gas.svg',
      'heddle trace 9b1c…e0 --project my_token',
    )
    .action((tx: Uint8Array, options: TraceOptions) => trace(tx, options, context));
}

async function trace(tx: Uint8Array, options: TraceOptions, context: CommandContext): Promise<void> {
  const { console, workingDirectory } = context;
  if (options.json && options.project !== undefined) {
    throw new UsageError('--project adds text: give it without --json');
  }
  const client = connectTo(options, context, { timeoutMs: TIMEOUT_MS });
  const asked: readonly Tracer[] = options.tracer ?? [{ type: 'call_tree' }];
  const tracers: readonly Tracer[] = [
    ...asked,
    ...(options.flame === undefined ? [] : [{ type: 'gas_profile' } as const]),
    ...(options.project === undefined ? [] : [{ type: 'call_tree' } as const, { type: 'prestate' } as const]),
  ];
  const result = await explainRejections(() => client.chain_traceTransaction({ tx_hash: tx, tracers }));
  const { receipt } = result;
  const profile = result.trace.gas_profile;
  if (options.flame !== undefined) {
    if (profile === undefined) throw new CliError('the node answered without the gas profile');
    const title = `${formatHash(tx)}: ${formatAmount(receipt.gas_used)} gas`;
    await writeText(resolve(workingDirectory, options.flame), flameGraph(profile.folded, title), '--flame');
  }
  if (options.json) {
    console.out(`${rpcTypes.ChainTraceTransactionResult.toJson(result)}\n`);
    return;
  }
  const wanted = new Set(asked.map(({ type }) => type));
  const others = Object.fromEntries(
    Object.entries(result.trace).filter(
      ([part]) => part === 'truncated' || wanted.has(part as Tracer['type']),
    ),
  ) as Partial<Trace> & Pick<Trace, 'truncated'>;
  console.out(
    columns([
      ['transaction', formatHash(receipt.tx_hash)],
      ['block', `${receipt.height} (index ${receipt.index})`],
      ['status', statusText(receipt.status)],
      ['gas used', formatAmount(receipt.gas_used)],
      ...(options.flame === undefined ? [] : [['flame graph', options.flame] as const]),
    ]),
  );
  console.out(`\n${traceLines(others).join('\n')}\n`);
  if (options.project !== undefined) {
    console.out(`\n${await failedLines(resolve(workingDirectory, options.project), result, client)}\n`);
  }
}

const MAX_FUNCTIONS = 40;

/** The parts of a trace shown in a terminal, each with its own heading. */
export function traceLines(trace: Trace): string[] {
  const parts: (readonly [heading: string, lines: readonly string[]])[] = [];
  if (trace.call_tree !== undefined) parts.push(['', callTreeLines(trace.call_tree)]);
  if (trace.host_ops !== undefined) parts.push(['host operations', trace.host_ops.map(hostOpLine)]);
  if (trace.state_diff !== undefined) parts.push(['state diff', trace.state_diff.flatMap(diffLines)]);
  if (trace.prestate !== undefined) {
    const { length } = trace.prestate;
    parts.push(['prestate', [`${counted(length, 'account')}: --json prints them as overrides`]]);
  }
  if (trace.gas_profile !== undefined)
    parts.push(['gas by function', profileLines(trace.gas_profile.functions)]);
  const lines = parts.flatMap(([heading, body], index) => [
    ...(index === 0 ? [] : ['']),
    ...(heading === '' ? [] : [`${heading}:`]),
    ...body.map(shownLine),
  ]);
  return trace.truncated ? [...lines, '', 'truncated at the limit trace_bytes of the node'] : lines;
}

export function callTreeLines(root: CallFrame): string[] {
  return [frameLine(root), ...branchLines(root, '')];
}

function branchLines(frame: CallFrame, indent: string): string[] {
  const branches = frameSteps(frame);
  return branches.flatMap((branch, index) => {
    const isLast = index === branches.length - 1;
    const stem = `${indent}${isLast ? '└─ ' : '├─ '}`;
    if (!('kind' in branch)) return [`${stem}event ${eventText(branch)}`];
    return [`${stem}${frameLine(branch)}`, ...branchLines(branch, `${indent}${isLast ? '   ' : '│  '}`)];
  });
}

function frameLine(frame: CallFrame): string {
  const { kind, from, to, value, gas_used: gas, status } = frame;
  const amount = value === 0n ? '' : ` with ${formatAmount(value)}`;
  const end = status.type === 'success' ? '' : `  ${statusText(status)}`;
  if (kind === 'transfer') {
    const cost = gas === 0n ? '' : `  ${formatAmount(gas)} gas`;
    return `transfer ${formatAddress(from)} → ${formatAddress(to)}: ${formatAmount(value)}${cost}${end}`;
  }
  const called = calledText(frame);
  return `${kind} ${formatAddress(to)}${called}${amount}  ${formatAmount(gas)} gas${end}`;
}

function calledText({ kind, method, args, input, decoded, output }: CallFrame): string {
  if (kind === 'batch') return '';
  if (method === undefined) {
    const given = input.length === 0 ? '' : ` ${cut(toPrefixedHex(input))}`;
    return `${given}${output.length === 0 ? '' : ` → ${cut(toPrefixedHex(output))}`}`;
  }
  const answer = decoded === undefined ? '' : ` → ${cut(JSON.stringify(decoded))}`;
  return ` ${method}${membersText(args)}${answer}`;
}

function hostOpLine({ frame, name, gas, args, result }: HostOp): string {
  const answer = result === undefined ? '' : ` → ${cut(JSON.stringify(result))}`;
  return `${String(frame).padStart(3)} ${formatAmount(gas).padStart(10)} ${name}${membersText(args)}${answer}`;
}

function profileLines(functions: readonly FunctionGas[]): string[] {
  const shown = functions.slice(0, MAX_FUNCTIONS);
  const rest = functions.length - shown.length;
  return [
    `${'self'.padStart(12)} ${'total'.padStart(12)} ${'calls'.padStart(8)}  function`,
    ...shown.map(
      ({ contract, function: name, self_gas: self, total_gas: total, calls }) =>
        `${formatAmount(self).padStart(12)} ${formatAmount(total).padStart(12)} ${formatAmount(calls).padStart(8)}  ${name} of ${formatAddress(contract)}`,
    ),
    ...(rest > 0 ? [`and ${rest} more: --json prints all`] : []),
  ];
}

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
    throw new CliError(`--project: expected a call, got ${root?.kind ?? 'a truncated trace'}`);
  }
  if (truncated) throw new CliError('the node truncated the trace: part of the state of the call is missing');
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
    `the transaction did not run the code of ${name}: expected ${codeHash}, got ${ran.join(', ') || 'none'}`,
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
