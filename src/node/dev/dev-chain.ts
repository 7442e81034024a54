import { sameBytes } from '../../base/same-bytes.js';
import type { Config } from '../../config/config.js';
import { badValue, ConfigError } from '../../config/config-error.js';
import { OPTIONS } from '../../config/options.js';
import { secp256k1Address } from '../../crypto/address.js';
import type { Crypto } from '../../crypto/crypto.js';
import { DEV_ACCOUNT_COUNT, devAccounts } from '../../crypto/dev-accounts.js';
import { isMnemonic, mnemonicKeys } from '../../crypto/mnemonic.js';
import type { BlockHeader, Genesis } from '../../generated/ledger.js';
import { readGenesis } from '../../ledger/chain-meta.js';
import { ledger } from '../../ledger/codecs.js';
import { DEV_BALANCE, DEV_CHAIN_ID, devGenesis, isDevelopmentChain } from '../../ledger/dev-genesis.js';
import type { StoreReader } from '../../storage/store.js';

export type DevChainConfig = Partial<Pick<Config, 'chainId' | 'devAccounts' | 'devBalance' | 'mnemonic'>>;

const MEMBERS = ['chainId', 'devAccounts', 'devBalance', 'mnemonic'] as const;

/** Whether any option of a development chain is given. */
export function describesDevChain(config: DevChainConfig): boolean {
  return MEMBERS.some((member) => config[member] !== undefined);
}

/** Refuses a wrong mnemonic, and options of development chains on a node of another chain. @throws ConfigError */
export function expectDevChain(config: Config): void {
  const { follow, trust, validator, genesisFile } = config;
  expectMnemonic(config);
  const other =
    validator !== undefined
      ? '--validator'
      : genesisFile !== undefined
        ? '--genesis, whose file states chain id and accounts'
        : follow.length > 0 && trust !== 'dev'
          ? '--follow, unless with --trust dev'
          : undefined;
  if (other === undefined) return;
  const problems = MEMBERS.filter((member) => config[member] !== undefined).map((member) =>
    wrong(config, member, `none beside ${other}: it describes a development chain`),
  );
  if (problems.length > 0) throw new ConfigError(problems);
}

/**
 * The genesis of the development chain to run or follow. It is the one in the store, which given options must match, or a
 * new one from the options.
 * @param place name of the store in messages
 * @param forked the block whose state a fork takes over
 * @throws ConfigError for a wrong mnemonic, and for options that do not describe the chain in the store
 */
export function devChainGenesis(
  config: DevChainConfig,
  crypto: Crypto,
  store: StoreReader | undefined,
  place: string,
  forked?: BlockHeader,
): Genesis {
  expectMnemonic(config);
  const { mnemonic } = config;
  const stored = store === undefined ? undefined : storedDevGenesis(store, crypto);
  // A chain from a snapshot may lack its accounts; block 0 then tells whether it is the one described.
  const isKnown = stored !== undefined && (stored.accounts.length > 0 || !describesDevChain(config));
  if (!isKnown) {
    const balance = config.devBalance ?? DEV_BALANCE;
    const addresses = addressesOf(mnemonic, config.devAccounts ?? DEV_ACCOUNT_COUNT, crypto);
    return devGenesis(crypto, {
      ...(forked === undefined ? {} : membersOf(forked)),
      chain_id: config.chainId ?? stored?.chain_id ?? forked?.chain_id ?? DEV_CHAIN_ID,
      accounts: addresses.map((address) => ({ address, balance })),
    });
  }
  const problems = differences(config, stored, crypto, place);
  if (problems.length > 0) throw new ConfigError(problems);
  return stored;
}

/** The members that the genesis of a fork takes from the forked block. */
function membersOf({ gas_limit, base_fee, timestamp_ms }: BlockHeader) {
  return { gas_limit, base_fee, timestamp_ms };
}

function expectMnemonic(config: DevChainConfig): void {
  if (config.mnemonic === undefined || isMnemonic(config.mnemonic)) return;
  throw new ConfigError(wrong(config, 'mnemonic', 'English words of BIP-39 with a valid checksum'));
}

/** The stored genesis if {@link devGenesis} made it. */
export function storedDevGenesis(store: StoreReader, crypto: Crypto): Genesis | undefined {
  const stored = readGenesis(store);
  if (stored === undefined || !isDevelopmentChain(stored.validator_set)) return undefined;
  const made = devGenesis(crypto, stored);
  return sameBytes(ledger.Genesis.encode(made), ledger.Genesis.encode(stored)) ? stored : undefined;
}

/** The addresses of a development chain's accounts, by index. */
function addressesOf(mnemonic: string | undefined, count: number, crypto: Crypto): readonly Uint8Array[] {
  if (mnemonic === undefined) return devAccounts(crypto, count).map(({ address }) => address);
  const keyAt = mnemonicKeys(mnemonic);
  return Array.from({ length: count }, (_, index) => {
    const address = secp256k1Address(crypto, keyAt(index).publicKey);
    if (address === undefined) throw new RangeError(`the mnemonic has no account ${index}`);
    return address;
  });
}

function differences(
  config: DevChainConfig,
  { chain_id: chainId, accounts }: Genesis,
  crypto: Crypto,
  place: string,
): string[] {
  const { chainId: id, devAccounts: count, devBalance: balance, mnemonic } = config;
  const expected: Partial<Record<keyof DevChainConfig, string>> = {
    ...(id !== undefined && id !== chainId && { chainId: String(chainId) }),
    ...(count !== undefined && count !== accounts.length && { devAccounts: String(accounts.length) }),
    ...(balance !== undefined &&
      accounts.some((account) => account.balance !== balance) && {
        devBalance: String(accounts[0]?.balance),
      }),
  };
  if (mnemonic !== undefined) {
    const addresses = addressesOf(mnemonic, accounts.length, crypto);
    const isSame = accounts.every(({ address }, index) => sameBytes(address, addresses[index]));
    if (!isSame) expected.mnemonic = 'the words of the accounts';
  }
  return MEMBERS.flatMap((member) => {
    const of = expected[member];
    if (of === undefined) return [];
    const hint = 'omit the option to continue that chain, or name another --data-dir for a new one';
    return [`${wrong(config, member, `${of}, as of the chain in ${place}`)}; ${hint}`];
  });
}

function wrong(config: DevChainConfig, member: keyof DevChainConfig, expected: string): string {
  const value = config[member];
  const got = member === 'mnemonic' ? '(not shown)' : typeof value === 'bigint' ? String(value) : value;
  return badValue(OPTIONS[member].flag, got, expected);
}
