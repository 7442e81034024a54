import { headerHash, headerOfGenesis } from '../../../chain/genesis-block.js';
import { ConfigError } from '../../../config/config-error.js';
import { toHex } from '../../../idl/hex.js';
import { isDevelopmentChain } from '../../../ledger/dev-genesis.js';
import { GenesisError } from '../../../ledger/genesis.js';
import { expectValidatorKey } from '../../../node/core/open-chain-services.js';
import { expectDevChain } from '../../../node/dev/dev-chain.js';
import { expectFollowed, type TrustAnchor } from '../../../node/follower/trust-anchor.js';
import { readChainRecord } from '../../../storage/chain-record.js';
import { anchorOf, type DoctorContext, type Finding, ok, problem } from './doctor-context.js';

const FITTING_OPTIONS = 'options that go together';

/** Checks combinations of options. The command line has already checked each value. */
export function checkConfiguration({ config }: DoctorContext): Finding {
  try {
    expectFollowed(config);
    expectDevChain(config);
    expectValidatorKey(config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return problem(error.message, FITTING_OPTIONS, 'change the options as the message says');
  }
  const role =
    config.follow.length > 0
      ? `follows ${config.follow.join(', ')}`
      : config.validator !== undefined
        ? `one of several validators, from ${config.validator}`
        : config.genesisFile === undefined
          ? 'seals the development chain'
          : 'seals its own chain';
  return ok(role, FITTING_OPTIONS);
}

const VALID_GENESIS = 'a valid genesis, that of the chain in the data directory';

/** Checks whether the genesis or trust anchor is valid, and whether the data directory holds its chain. */
export async function checkGenesis(context: DoctorContext): Promise<Finding> {
  const { config, crypto } = context;
  let anchor: TrustAnchor;
  try {
    anchor = await anchorOf(context);
  } catch (error) {
    const isExpected = error instanceof ConfigError || error instanceof GenesisError;
    if (!isExpected) throw error;
    const advice = 'correct the file, or name the right one with --genesis (--trust on a follower)';
    return problem(error.message, VALID_GENESIS, advice);
  }
  const { genesis, groupPublicKey } = anchor;
  const hash = genesis && toHex(headerHash(crypto, headerOfGenesis(crypto, genesis)));
  const name = genesis
    ? `chain ${genesis.chain_id}, block 0 ${hash}`
    : `trusted key ${toHex(groupPublicKey)}`;
  const stored = await readChainRecord(config.dataDir);
  if (stored === undefined) {
    return ok(`${name}; the data directory names no chain yet`, VALID_GENESIS);
  }
  const named = config.genesisFile ?? (config.trust === 'dev' ? undefined : config.trust);
  const isDev = named === undefined && isDevelopmentChain({ group_public_key: groupPublicKey });
  const isDevOf = config.chainId === undefined || String(config.chainId) === stored.chain_id;
  if (isDev && isDevOf && stored.group_public_key === toHex(groupPublicKey)) {
    // The directory says which development chain it is; the node compares accounts and balances when it starts.
    const found = `chain ${stored.chain_id}, block 0 ${stored.genesis_hash}`;
    return ok(`${found}; the data directory holds this chain`, VALID_GENESIS);
  }
  const isSame =
    stored.group_public_key === toHex(groupPublicKey) && (hash === undefined || stored.genesis_hash === hash);
  if (isSame) return ok(`${name}; the data directory holds this chain`, VALID_GENESIS);
  const advice = 'name the --data-dir of this chain, or the --genesis that the directory was made with';
  const found = `${name}; but ${config.dataDir} holds chain ${stored.chain_id}, block 0 ${stored.genesis_hash}`;
  return problem(found, VALID_GENESIS, advice);
}
