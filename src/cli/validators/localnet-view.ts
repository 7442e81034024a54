import type { Status, ValidatorStatus } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';

export interface NodeSample {
  readonly index: number;
  readonly rpc: string;
  readonly pid: number | undefined;
  /** Absent if the validator does not answer. */
  readonly answer?: { readonly status: Status; readonly validator: ValidatorStatus };
}

const WIDTHS = [9, 8, 10, 8, 8, 8, 14, 7] as const;
const HEADINGS = ['validator', 'pid', 'height', 'epoch', 'view', 'leader', 'final after', 'peers'];

export function localnetScreen(
  samples: readonly NodeSample[],
  facts: { readonly groupPublicKey: Uint8Array; readonly directory: string },
): string[] {
  return [
    `heddle localnet   ${samples.length} validators   ${facts.directory}`,
    `group key ${toHex(facts.groupPublicKey)}`,
    '',
    `${row(HEADINGS)}rpc`,
    ...samples.map((sample) => `${row(cells(sample))}${sample.rpc}`),
    '',
    'Ctrl-C stops all of them.',
  ];
}

function cells({ index, pid, answer }: NodeSample): string[] {
  if (pid === undefined) return [`${index}`, 'ended'];
  if (answer === undefined) return [`${index}`, `${pid}`, 'silent'];
  const { status, validator } = answer;
  const { consensus, peers } = validator;
  return [
    `${index}`,
    `${pid}`,
    `${status.finalized_height}`,
    `${consensus.epoch}`,
    `${consensus.view}`,
    `${consensus.leader}`,
    `${consensus.finality_latency_ms.p50} ms`,
    `${peers.filter(({ connected }) => connected).length}/${peers.length}`,
  ];
}

function row(columns: readonly string[]): string {
  return WIDTHS.map((width, i) => `${(columns[i] ?? '').padEnd(width)}  `).join('');
}
