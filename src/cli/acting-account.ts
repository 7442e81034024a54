import { type Command, Option } from 'commander';
import { devAccount } from '../client/client.js';
import { integerBetween } from './common-options.js';
import { address } from './values.js';

/** The account in whose name a call runs that needs no signature. */
export interface ActingOptions {
  readonly from?: Uint8Array;
  readonly fromDev?: number;
}

/** @param of description of the account */
export function addFromOptions(command: Command, of: string): Command {
  return command
    .addOption(new Option('--from <ADDRESS>', of).argParser(address))
    .addOption(
      new Option('--from-dev <I>', 'the same, as development account 0 to 9')
        .argParser(integerBetween(0, 9))
        .conflicts('from'),
    );
}

/** The address of the account; undefined if none is given. */
export function actingAddress({ from, fromDev }: ActingOptions): Uint8Array | undefined {
  return fromDev === undefined ? from : devAccount(fromDev).address;
}
