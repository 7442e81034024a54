import { join } from 'node:path';
import { nodeEd25519 } from '../../../native-free/crypto/ed25519.js';
import { sameBytes } from '../../base/same-bytes.js';
import { formatAddress } from '../../client/address-text.js';
import { formatAmount } from '../../client/amounts.js';
import { secp256k1Signer } from '../../client/signers.js';
import type { Config } from '../../config/config.js';
import { devAccounts } from '../../crypto/dev-accounts.js';
import { mnemonicKeys } from '../../crypto/mnemonic.js';
import { sha256 } from '../../crypto/sha256.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { isPretty, type Logger } from '../../log.js';
import type { RunningNode } from '../../node.js';
import type { Console } from '../console.js';

/** Most accounts that are printed. */
const MAX_PRINTED = 100;

/** Prints the development chain's basics: accounts with keys and balances, the admin token's file, the address. */
export function introduceDevChain(node: RunningNode, config: Config, log: Logger, console: Console): void {
  const usual = devAccounts({ sha256, ed25519: nodeEd25519 }).map(({ address }) => address);
  // A chain from a snapshot may not know its first accounts.
  const addresses = (node.devAccounts.length > 0 ? node.devAccounts : usual).slice(0, MAX_PRINTED);
  const isUsual = sameBytes(addresses[0], usual[0]);
  const scheme = isUsual ? 'ed25519' : 'secp256k1';
  const keys = isUsual ? usualKeys(addresses.length) : keysOfMnemonic(config.mnemonic, addresses);
  const rows = addresses.map((address, index) => ({
    index,
    address: formatAddress(address),
    key: keys[index],
    balance: node.balanceOf(address),
  }));
  const adminToken = join(config.dataDir, 'admin.token');
  if (!isPretty(config)) {
    for (const { index, address, key, balance } of rows) {
      log.info(
        { index, address, dev_private_key: key, balance: balance?.toString() },
        isUsual ? 'development account; its key is public' : 'development account of a mnemonic',
      );
    }
    log.info({ path: adminToken }, 'the admin token');
    return;
  }
  const unprinted = node.devAccounts.length - rows.length;
  console.out(
    [
      '',
      isUsual
        ? 'Development accounts. These keys are public: never use them elsewhere.'
        : 'Development accounts of a mnemonic. Never use one whose accounts hold anything of value.',
      '',
      `   account                                     ${`private key (${scheme})`.padEnd(66)}  balance`,
      ...rows.map(
        ({ index, address, key, balance }) =>
          `${String(index).padStart(2)} ${address}  ${key ?? '(give --mnemonic to see it)'.padEnd(66)}  ${balance === undefined ? '?' : formatAmount(balance)}`,
      ),
      ...(unprinted > 0 ? [`   and ${unprinted} more`] : []),
      '',
      `Chain id     ${node.chainId}`,
      `Genesis      ${node.genesisHash}`,
      `Admin token  ${adminToken}`,
      `RPC          ${node.url}${config.baseUrl}/v2/rpc`,
      '',
      '',
    ].join('\n'),
  );
}

function usualKeys(count: number): readonly string[] {
  return devAccounts({ sha256, ed25519: nodeEd25519 }, count).map(({ seed }) => toPrefixedHex(seed));
}

function keysOfMnemonic(
  mnemonic: string | undefined,
  addresses: readonly Uint8Array[],
): readonly (string | undefined)[] {
  if (mnemonic === undefined) return [];
  const keyAt = mnemonicKeys(mnemonic);
  return addresses.map((address, index) => {
    const { privateKey } = keyAt(index);
    return sameBytes(secp256k1Signer(privateKey).address, address) ? toPrefixedHex(privateKey) : undefined;
  });
}
