import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { formatAddress } from '../client/address-text.js';
import type { Client } from '../client/rpc-client.js';
import { ed25519Signer, type Signer } from '../client/signers.js';
import { LoadError } from './load-error.js';

/** A load takes at most this fraction (1/20) of its payers' funds, so that many loads can run one after another. */
const SHARE = 20n;

/** Minimum funds per account for a meaningful load. */
const MIN_FUNDS = 10n ** 12n;

/** Minimum balance of an account that pays for this number of load accounts. */
export function minBalance(accounts: number): bigint {
  return MIN_FUNDS * SHARE * BigInt(accounts);
}

/** Returns the signing function of an ed25519 seed (32 bytes): message to 64-byte signature. */
export type Signing = (seed: Uint8Array) => (message: Uint8Array) => Uint8Array;

function signerOf(seed: Uint8Array, signing: Signing | undefined): Signer {
  const signer = ed25519Signer(seed);
  if (signing === undefined) return signer;
  const { publicKey } = signer;
  const sign = signing(seed);
  return {
    ...signer,
    sign: (hash) => ({ type: 'ed25519', value: { public_key: publicKey, signature: sign(hash) } }),
  };
}

/** The accounts that a load sends from. Every run creates new ones, so that concurrent loads never share nonces. */
export class LoadAccounts {
  readonly signers: readonly Signer[];

  /** @param secret 32 random bytes from which the keys are derived */
  constructor(count: number, secret: Uint8Array, signing?: Signing) {
    this.signers = Array.from({ length: count }, (_, index) =>
      signerOf(sha256(utf8ToBytes(`heddle load/${bytesToHex(secret)}/${index}`)), signing),
    );
  }

  get size(): number {
    return this.signers.length;
  }

  signer(index: number): Signer {
    const signer = this.signers[index % this.signers.length];
    if (signer === undefined) throw new RangeError(`no load account ${index}`);
    return signer;
  }

  /**
   * Gives every account its share of the payers' funds.
   * @param payers all accounts of a development chain, otherwise one funded account
   * @throws LoadError, RpcCallError, ClientError
   */
  async fund(client: Client, payers: readonly Signer[], signal: AbortSignal): Promise<void> {
    const { accounts } = await client.accounts({ addresses: payers.map(({ address }) => address) });
    await Promise.all(
      payers.map(async (payer, place) => {
        const own = this.signers.filter((_, index) => index % payers.length === place);
        if (own.length === 0) return;
        const balance = accounts[place]?.balance ?? 0n;
        const each = balance / SHARE / BigInt(own.length);
        if (each < MIN_FUNDS) {
          throw new LoadError(
            'no_funds',
            `account ${formatAddress(payer.address)} has ${balance}; a load with ${own.length} accounts paid by it takes ` +
              `at least ${minBalance(own.length)}`,
          );
        }
        const sender = client.sender(payer);
        await Promise.all(
          own.map(async ({ address }) => {
            const { hash } = await sender.transfer({ to: address, amount: each, signal });
            // Waiting in the send call would hold connections that the earlier transfers need.
            await client.waitForReceipt(hash, { signal });
          }),
        );
      }),
    );
  }
}
