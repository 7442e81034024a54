import { Buffer } from 'node:buffer';
import { sameBytes } from '../../base/same-bytes.js';
import { ChainError } from '../../chain/chain-error.js';
import { headerHash, headerOfGenesis } from '../../chain/genesis-block.js';
import type { Config } from '../../config/config.js';
import { badFlag, missingFlag } from '../../config/config-error.js';
import { expectSoundGenesis } from '../../consensus/ceremony/sound-genesis.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { Genesis } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { BlockReader } from '../../ledger/block-store.js';
import { readGenesis } from '../../ledger/chain-meta.js';
import { readGenesisFile } from '../../ledger/genesis-file.js';
import type { StoreReader } from '../../storage/store.js';
import { describesDevChain, devChainGenesis, storedDevGenesis } from '../dev/dev-chain.js';

/** The facts that a follower accepts without a proof. */
export interface TrustAnchor {
  /** The validators' group public key, 48 bytes; its signatures are the follower's proof. */
  readonly groupPublicKey: Uint8Array;
  /** The chain's genesis; without it a follower has to start from a checkpoint. */
  readonly genesis: Genesis | undefined;
}

export function isFollower(config: Config): boolean {
  return config.follow.length > 0;
}

/** Refuses trust options on a node that follows nobody, and a follower that also validates. @throws ConfigError */
export function expectFollowed(config: Config): void {
  const { follow, trust, validator } = config;
  if (validator !== undefined && follow.length > 0) {
    throw badFlag('follow', follow, 'none beside --validator, which follows the other validators by itself');
  }
  if (trust === undefined || follow.length > 0) return;
  throw missingFlag('follow', '--trust is what a follower believes: name the nodes that it is to follow');
}

/**
 * The genesis of a chain on a node that follows nobody, with its ceremony checked.
 * @param store tells which development chain a directory holds
 * @throws GenesisError; ConfigError for options that do not describe the development chain in the store
 */
export async function ownGenesis(config: Config, crypto: Crypto, store?: StoreReader): Promise<Genesis> {
  const { genesisFile, native, dataDir } = config;
  return genesisFile === undefined
    ? devChainGenesis(config, crypto, store, dataDir)
    : await soundGenesis(genesisFile, native, crypto);
}

async function soundGenesis(path: string, native: Config['native'], crypto: Crypto): Promise<Genesis> {
  const genesis = readGenesisFile(path);
  await expectSoundGenesis(genesis, crypto, native, path);
  return genesis;
}

/**
 * The genesis of the chain in a follower's store, or undefined for an empty store. A chain from a snapshot may have the
 * genesis without its accounts.
 * @throws ChainError `other_chain` if the chain does not match the trust anchor
 */
export function followedGenesis(
  { groupPublicKey, genesis: trusted }: TrustAnchor,
  { crypto, store }: { readonly crypto: Crypto; readonly store: StoreReader },
  dataDir: string,
): Genesis | undefined {
  const stored = readGenesis(store);
  if (stored === undefined) return undefined;
  const { group_public_key: key } = stored.validator_set;
  if (!sameBytes(key, groupPublicKey)) {
    const message = `its validators' key is ${toHex(key)}, the trusted one ${toHex(groupPublicKey)}`;
    throw otherChain(dataDir, message);
  }
  if (trusted === undefined) return stored;
  const first = new BlockReader(store).header(0n)?.hash;
  const expected = headerHash(crypto, headerOfGenesis(crypto, trusted));
  if (sameBytes(first, expected)) return stored;
  throw otherChain(dataDir, 'its block 0 is not that of the trusted genesis');
}

function otherChain(dataDir: string, difference: string): ChainError {
  return new ChainError(
    'other_chain',
    `${dataDir} holds another chain: ${difference}; name another --data-dir, or the --trust it was made with`,
  );
}

/**
 * The configured trust anchor: `--trust`, and the genesis of `--trust` or `--genesis`, with its ceremony checked.
 * @param store a store with a development chain settles which one `--trust dev` means
 * @throws ConfigError if neither is given or they contradict each other; GenesisError
 */
export async function trustOf(config: Config, crypto: Crypto, store?: StoreReader): Promise<TrustAnchor> {
  const { trust, genesisFile, syncFrom, native, dataDir } = config;
  if (trust === undefined) {
    throw missingFlag('trust', "--follow believes no node: name the validators' key, a genesis file, or dev");
  }
  const key = /^(?:0x)?([0-9a-fA-F]{96})$/.exec(trust)?.[1];
  if (key === undefined) {
    expectOneGenesis(genesisFile, trust);
    const stored = trust !== 'dev' || store === undefined ? undefined : storedDevGenesis(store, crypto);
    // Its block 0 needs no other proof than the store, which may lack the accounts of a chain from a snapshot.
    if (stored !== undefined && !describesDevChain(config)) {
      return { groupPublicKey: stored.validator_set.group_public_key, genesis: undefined };
    }
    const genesis =
      trust === 'dev'
        ? devChainGenesis(config, crypto, store, dataDir)
        : await soundGenesis(trust, native, crypto);
    return { groupPublicKey: genesis.validator_set.group_public_key, genesis };
  }
  const groupPublicKey = Uint8Array.from(Buffer.from(key, 'hex'));
  if (genesisFile === undefined) {
    if (syncFrom === 'genesis') {
      const why = '--sync-from genesis begins with block 0, which a key alone does not tell';
      throw missingFlag('genesis', why);
    }
    return { groupPublicKey, genesis: undefined };
  }
  const genesis = await soundGenesis(genesisFile, native, crypto);
  const own = genesis.validator_set.group_public_key;
  if (!sameBytes(own, groupPublicKey)) {
    const expected = `the key of ${genesisFile}, ${toHex(own)}, or no --genesis`;
    throw badFlag('trust', toHex(groupPublicKey), expected);
  }
  return { groupPublicKey, genesis };
}

function expectOneGenesis(genesisFile: string | undefined, trust: string): void {
  if (genesisFile === undefined || genesisFile === trust) return;
  throw badFlag('trust', trust, `the file of --genesis, ${genesisFile}, or its key`);
}
