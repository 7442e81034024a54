import { formatAmount, type Sender } from '../client/client.js';
import type { SealedTransaction, SealedWaitFor } from '../client/seal-options.js';
import type { Action } from '../generated/ledger.js';
import type { CliCommand } from './cli-command.js';
import { UsageError } from './cli-error.js';
import { type Lines, type SendingOptions, sendOptions } from './sending-options.js';
import { amount, hexBytes, u64 } from './values.js';

/** Options of {@link addSealingOptions} plus the sending options; `--wait` may also be `opened`. */
export interface SealingOptions extends Omit<SendingOptions, 'wait'> {
  readonly wait: SealedWaitFor;
  readonly sealed?: boolean;
  readonly opensAt?: bigint;
  readonly maxSealFee?: bigint;
  readonly groupKey?: Uint8Array;
}

export function addSealingOptions(command: CliCommand): CliCommand {
  return command
    .option('--sealed', 'hide the contents until the position in the chain is fixed')
    .option(
      '--opens-at <HEIGHT>',
      'with --sealed: the height whose key opens it (default: the first with room from the next + 8 on, and one more for each validator that may fail)',
      u64,
    )
    .option(
      '--max-seal-fee <AMOUNT>',
      'with --sealed: the most that opening it may cost besides gas (default: the present price, and room for it to rise)',
      amount,
    )
    .option(
      '--group-key <KEY>',
      "with --sealed: the chain's group key to seal under, 48 bytes (default: the node's answer)",
      (text) => hexBytes(text, 48),
    );
}

/** Refuses contradictory options. @param isWaitGiven whether `--wait` was given explicitly */
export function checkSealingOptions(options: SealingOptions, isWaitGiven: boolean): void {
  if (options.sealed === true) {
    if (options.dryRun === true) {
      throw new UsageError('--dry-run: the node would see what --sealed hides; leave one of them out');
    }
    if (options.validUntil === undefined) return;
    throw new UsageError(
      '--valid-until: a sealed transaction is included below the height that it opens at; give --opens-at',
    );
  }
  if (options.opensAt !== undefined) throw new UsageError('--opens-at: only with --sealed');
  if (options.maxSealFee !== undefined) throw new UsageError('--max-seal-fee: only with --sealed');
  if (options.groupKey !== undefined) throw new UsageError('--group-key: only with --sealed');
  if (isWaitGiven && options.wait === 'opened') {
    throw new UsageError('--wait opened: only with --sealed; any other transaction is executed on inclusion');
  }
}

/** Seals and sends a transaction. @param isWaitGiven if false, waits until the transaction is opened */
export function sendSealed(
  sender: Sender,
  action: Action,
  options: SealingOptions,
  isWaitGiven: boolean,
): Promise<SealedTransaction> {
  const { opensAt, maxSealFee, groupKey, wait } = options;
  return sender.seal(action, {
    ...sendOptions(options),
    wait: isWaitGiven ? wait : 'opened',
    ...(opensAt !== undefined && { opensAt }),
    ...(maxSealFee !== undefined && { maxSealFee }),
    ...(groupKey !== undefined && { groupPublicKey: groupKey }),
  });
}

/** A sealed transaction's position, opening height and outcome. */
export function sealedLines({ status, opensAt, inclusion, receipt }: SealedTransaction): Lines {
  const lines: [string, string][] = [];
  if (status.type === 'included') {
    const { height, index } = status.value;
    const fee = inclusion === undefined ? '' : `, for a fee of ${formatAmount(inclusion.fee)}`;
    lines.push(['included', `in block ${height} (index ${index})${fee}`]);
  } else {
    lines.push(['status', status.type]);
  }
  if (receipt === undefined) return [...lines, ['opens', `by the key of height ${opensAt}`]];
  return [
    ...lines,
    ['opened', `in block ${receipt.height} (index ${receipt.index}), by the key of height ${opensAt}`],
    ['status', `${receipt.status.type}${receipt.finalized ? ', final' : ''}`],
    ['gas used', formatAmount(receipt.gas_used)],
    ['fee', formatAmount(receipt.fee)],
  ];
}
