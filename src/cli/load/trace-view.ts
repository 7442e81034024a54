import { counted } from '../../base/number-text.js';
import { shownLine } from '../../base/shown-text.js';
import { formatAddress, formatAmount } from '../../client/client.js';
import { frameSteps } from '../../client/frame-steps.js';
import type { CallFrame, FunctionGas, HostOp, Trace } from '../../generated/node-rpc-v1.js';
import { cut, membersText } from '../../idl/decoded-text.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { diffLines, eventText, statusText } from '../outcome-text.js';

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

/** Draws a call tree with box-drawing characters. */
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
