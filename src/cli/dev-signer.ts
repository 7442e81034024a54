import { AsyncLocalStorage } from 'node:async_hooks';
import { devAccount, mnemonicAccount, type Signer } from '../client/client.js';
import { MAX_DEV_ACCOUNTS } from '../config/defaults.js';

export const MAX_DEV_INDEX = MAX_DEV_ACCOUNTS - 1;

/** The development accounts of a command; parsers of options receive nothing but text. */
const mnemonics = new AsyncLocalStorage<string | undefined>();

/** Runs a command whose development accounts are those of `HEDDLE_MNEMONIC`, if it is set. */
export function withDevAccounts<T>(
  environment: Readonly<Record<string, string | undefined>>,
  work: () => Promise<T>,
): Promise<T> {
  return mnemonics.run(environment['HEDDLE_MNEMONIC'] || undefined, work);
}

/** A development account. @throws ClientError `bad_key` for a wrong `HEDDLE_MNEMONIC` */
export function devSigner(index: number): Signer {
  const words = mnemonics.getStore();
  return words === undefined ? devAccount(index) : mnemonicAccount(words, index);
}

/** The payer of a load on a chain whose accounts have a mnemonic. */
export function mnemonicPayer(): Signer | undefined {
  return mnemonics.getStore() === undefined ? undefined : devSigner(0);
}
