import { ConfigError } from '../config/config-error.js';
import { readJsonObject } from '../config/config-file.js';
import type { Genesis } from '../generated/ledger.js';
import { JsonDecodeError } from '../idl/codecs/codec-errors.js';
import { ledger } from './codecs.js';
import { checkGenesis, GenesisError } from './genesis.js';

/**
 * Reads a genesis file: the JSON form of the `Genesis` struct of `idl/ledger.idl`.
 * @throws GenesisError naming the file and the path of the invalid member
 */
export function readGenesisFile(path: string): Genesis {
  try {
    const genesis = ledger.Genesis.fromJson(readJsonObject(path), 'genesis');
    checkGenesis(genesis);
    return genesis;
  } catch (error) {
    // The message of a ConfigError names the file already.
    if (error instanceof ConfigError) throw new GenesisError(error.message, { cause: error });
    if (!(error instanceof JsonDecodeError || error instanceof GenesisError)) throw error;
    throw new GenesisError(`${path}: not a genesis: ${error.message}`, { cause: error });
  }
}
