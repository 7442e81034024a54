import { createHash } from 'node:crypto';
import { ethereumAddress, signLegacy } from './transaction.js';
import type { TransferTask } from './transfer-task.js';

/** Wei per gas; far above the base fee of a new chain. */
const GAS_PRICE = 100_000_000_000n;
const TRANSFER_GAS = 21_000n;

interface Account {
  readonly key: Uint8Array;
  readonly address: Uint8Array;
}

/** Account number `index`. */
export function transferAccount(index: number): Account {
  const key = createHash('sha256').update(`heddle bench account ${index}`).digest();
  return { key, address: ethereumAddress(key) };
}

/** Transfer `i` goes from account i mod n to the next one, with nonce ⌊i ÷ n⌋. @returns hexadecimal without 0x */
export function signTransfers({ start, end, accounts, chainId }: TransferTask): readonly string[] {
  const all = Array.from({ length: accounts }, (_, index) => transferAccount(index));
  const signed: string[] = [];
  for (let i = start; i < end; i++) {
    const from = all[i % accounts];
    const to = all[(i + 1) % accounts];
    if (from === undefined || to === undefined) throw new RangeError('expected at least one account');
    const transaction = {
      nonce: BigInt(Math.floor(i / accounts)),
      gasPrice: GAS_PRICE,
      gasLimit: TRANSFER_GAS,
      to: to.address,
      value: 1n,
      data: new Uint8Array(0),
      chainId,
    };
    signed.push(Buffer.from(signLegacy(transaction, from.key)).toString('hex'));
  }
  return signed;
}
