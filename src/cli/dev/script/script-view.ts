import { counted } from '../../../base/number-text.js';
import { formatAddress, formatAmount, formatHash } from '../../../client/client.js';
import type { PerformedStep } from './script-pass.js';

/** Gas and fees of a pass, without what an earlier run paid. */
export interface Cost {
  readonly transactions: number;
  readonly gasUsed: bigint;
  readonly fee: bigint;
}

export function costOf(performed: readonly PerformedStep[]): Cost {
  const own = performed.filter(({ isEarlier }) => !isEarlier);
  return {
    transactions: own.length,
    gasUsed: own.reduce((sum, { receipt }) => sum + receipt.gas_used, 0n),
    fee: own.reduce((sum, { receipt }) => sum + receipt.fee, 0n),
  };
}

export function costText({ transactions, gasUsed, fee }: Cost): string {
  if (transactions === 0) return 'no transactions';
  return `${counted(transactions, 'transaction')}, gas ${formatAmount(gasUsed)}, fee ${formatAmount(fee)}`;
}

/** Two or three lines for a transaction. @param isOnChain shows where it is on the chain */
export function stepText(
  { step, receipt, isEarlier }: PerformedStep,
  number: number,
  isOnChain: boolean,
): string {
  const { gas_used: gas, fee, contract, height, tx_hash: hash } = receipt;
  const where = isOnChain || isEarlier ? `   ${formatHash(hash)} in block ${height}` : undefined;
  const lines = [
    `${number}  ${step.what}`,
    ...(contract === undefined ? [] : [`   contract ${formatAddress(contract)}`]),
    isEarlier ? '   sent by an earlier run' : `   gas ${formatAmount(gas)}, fee ${formatAmount(fee)}`,
    ...(where === undefined ? [] : [where]),
  ];
  return `${lines.join('\n')}\n`;
}

export function stepJson({ step, receipt, isEarlier }: PerformedStep, isOnChain: boolean) {
  const { what, type, sender, lane, name, to, method, args, value, codeHash } = step;
  const { contract = receipt.contract } = step;
  return {
    what,
    type,
    sender,
    lane,
    name,
    to,
    method,
    args,
    contract: typeof contract === 'object' ? formatAddress(contract) : contract,
    value: `${value}`,
    code_hash: codeHash,
    gas_used: Number(receipt.gas_used),
    fee: `${receipt.fee}`,
    ...((isOnChain || isEarlier) && { hash: formatHash(receipt.tx_hash), height: Number(receipt.height) }),
    is_earlier: isEarlier,
  };
}
