import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { formatAddress } from '../client/address-text.js';
import type { Client } from '../client/rpc-client.js';
import { ed25519Signer, type Signer } from '../client/signers.js';
import { LoadError } from './load-error.js';

/** A load takes at most this part of what its payers have, so that many loads can follow one another. */
const SHARE = 20n;

/** Less than this, per account, does not pay for a load worth the name. */
const LEAST_FUNDS = 10n ** 12n;

/** What an account has to have that pays for so many accounts of a load. */
export function minBalance(accounts: number): bigint {
  return LEAST_FUNDS * SHARE * BigInt(accounts);
}

/** What signs under an ed25519 seed, 32 bytes: messages to signatures of 64 bytes. */
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

/** The accounts that a load sends from. Fresh for every run: what runs beside it does not get into their nonces. */
export class LoadAccounts {
  readonly signers: readonly Signer[];

  /**
   * @param count how many
   * @param secret 32 random bytes that their keys follow from
   * @param signing a faster way to sign than the client's own, where there is one
   */
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
   * Gives every account its part of what the payers have.
   * @param payers of a development chain all of its accounts, else one account with funds
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
        if (each < LEAST_FUNDS) {
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
            // Not in the node's own answer: that would keep a connection from those that go before.
            await client.waitForReceipt(hash, { signal });
          }),
        );
      }),
    );
  }
}
