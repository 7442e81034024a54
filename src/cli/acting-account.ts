import { Option } from 'commander';
import type { CliCommand } from './cli-command.js';
import { devSigner, MAX_DEV_INDEX } from './dev-signer.js';
import { integerBetween } from './option-parsers.js';
import { address } from './values.js';

/** The account in whose name a call runs that needs no signature. */
export interface ActingOptions {
  readonly from?: Uint8Array;
  readonly fromDev?: number;
}

/** @param of description of the account */
export function addFromOptions(command: CliCommand, of: string): CliCommand {
  return command
    .option('--from <ADDRESS>', of, address)
    .addOption(
      new Option('--from-dev <I>', 'the same, as a development account: 0, 1 …')
        .argParser(integerBetween(0, MAX_DEV_INDEX))
        .conflicts('from'),
    );
}

/** The address of the account; undefined if none is given. */
export function actingAddress({ from, fromDev }: ActingOptions): Uint8Array | undefined {
  return fromDev === undefined ? from : devSigner(fromDev).address;
}
