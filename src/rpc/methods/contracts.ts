import type { CommittedChain } from '../../chain/committed-chain.js';
import { contractAddress } from '../../crypto/address.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { ContractRecord } from '../../generated/ledger.js';
import { storedBlob } from '../../ledger/forked-state.js';
import { addressHex } from '../../ledger/hex-types.js';
import type { StoreReader } from '../../storage/store.js';
import { invalidParams, RpcError } from '../errors.js';
import type { MethodHandlers } from '../handlers.js';

export interface ContractSources {
  readonly chain: CommittedChain;
  readonly crypto: Crypto;
  readonly store: StoreReader;
}

const MAX_INDEX = (1n << 64n) - 1n;

export function contractHandlers({ chain, crypto, store }: ContractSources) {
  return {
    predict_address: ({ deployer, offset = 0n }) => {
      const index = chain.accounts.account(addressHex(deployer)).deploy_index + offset;
      if (index > MAX_INDEX) {
        throw invalidParams('params.offset', `at most ${MAX_INDEX} with the deployments so far`, `${offset}`);
      }
      return { address: contractAddress(crypto, deployer, index), deploy_index: index };
    },
    contract_metadata: ({ address }) => ({ address, ...contractAt(chain, address) }),
    contract_idl: ({ address }) => {
      const { idl_hash: hash } = contractAt(chain, address);
      const text = hash === undefined ? undefined : storedBlob(store, 'idl', hash);
      return { address, ...(text === undefined ? {} : { idl: new TextDecoder().decode(text) }) };
    },
  } satisfies Partial<MethodHandlers>;
}

/** @throws RpcError `not_found` if there is no contract at the address */
export function contractAt(chain: CommittedChain, address: Uint8Array): ContractRecord {
  const hex = addressHex(address);
  const { contract } = chain.accounts.account(hex);
  if (contract === undefined) {
    throw new RpcError('not_found', `there is no contract at 0x${hex}`, { contract: `0x${hex}` });
  }
  return contract;
}
