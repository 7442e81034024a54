import { errorMessage } from '../../base/errors.js';
import { sameBytes } from '../../base/same-bytes.js';
import { connectReadOnly } from '../../client/client.js';
import { ClientError } from '../../client/client-error.js';
import type { ReadClient } from '../../client/read-client.js';
import { RpcCallError } from '../../client/rpc-call-error.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { AccountRecord, BlockHeader } from '../../generated/ledger.js';
import type { BlockRef, TreeProof } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { MAX_IDL_BYTES } from '../../ledger/constants.js';
import { devGenesis } from '../../ledger/dev-genesis.js';
import { blockHash, validatorsHash } from '../../ledger/header.js';
import { accountKey, slotKey } from '../../ledger/state-keys.js';
import { ADDRESS_NAME_BYTES } from '../../ledger/state-names.js';
import { verifyTreeProof } from '../../proofs/verify/tree-proof.js';
import { VerifyError } from '../../proofs/verify/verify-error.js';
import type { ForkedValue } from '../../storage/fork-base/fork-cache.js';
import { ForkError } from './fork-error.js';

/** Three requests with their repeats, for an account with code and interface, take less than a blocked thread waits. */
const TIMEOUT_MS = 5_000;
const RETRIES = 1;

const ANY_ADDRESS = new Uint8Array(ADDRESS_NAME_BYTES);

export interface ForkedNode {
  readonly url: string;
  readonly token: string | undefined;
}

type ForkClient = Pick<ReadClient, 'state_proof' | 'chain_traceCall' | 'contract_idl' | 'get_blocks'>;

function clientOf({ url, token }: ForkedNode): ForkClient {
  return connectReadOnly(url, {
    timeoutMs: TIMEOUT_MS,
    retry: { retries: RETRIES },
    ...(token === undefined ? {} : { token }),
  });
}

/** The header of a block of a node's chain; by default of the newest. @throws ForkError */
export async function forkedHeader(node: ForkedNode, height: bigint | undefined): Promise<BlockHeader> {
  const at: BlockRef = height === undefined ? { type: 'latest' } : { type: 'height', value: height };
  const { header } = await asked(node.url, () => clientOf(node).state_proof({ contract: ANY_ADDRESS, at }));
  if (height !== undefined && header.height !== height) {
    throw new ForkError(`${node.url}: expected block ${height}, got ${header.height}`);
  }
  return header;
}

/** Refuses a node of a fork: its proofs lack the state that the fork has not copied. @throws ForkError */
export async function expectNoFork(node: ForkedNode, crypto: Crypto): Promise<void> {
  const blocks = await asked(node.url, () => firstBlock(clientOf(node)));
  const { timestamp_ms, validator_set } = devGenesis(crypto);
  const header = blocks[0]?.header;
  if (header === undefined || header.timestamp_ms === timestamp_ms) return;
  // Every other development chain begins at the same time.
  if (sameBytes(header.validators_hash, validatorsHash(crypto, validator_set))) {
    throw new ForkError(`the chain at ${node.url} is itself a fork: name a node of the chain below it`);
  }
}

/** Block 0, unless the node began with a snapshot. */
async function firstBlock(client: ForkClient) {
  try {
    return (await client.get_blocks({ from_height: 0n, to_height: 0n })).blocks;
  } catch (error) {
    if (error instanceof RpcCallError && error.kind === 'state_unavailable') return [];
    throw error;
  }
}

/** The state of a chain at one of its blocks, read from a node that is not trusted: every value is proved. */
export class ForkedChain {
  readonly #node: ForkedNode;
  readonly #client: ForkClient;
  readonly #crypto: Pick<Crypto, 'sha256'>;
  readonly #header: BlockHeader;
  readonly #hash: Uint8Array;

  constructor(node: ForkedNode, header: BlockHeader, crypto: Pick<Crypto, 'sha256'>) {
    this.#node = node;
    this.#client = clientOf(node);
    this.#crypto = crypto;
    this.#header = header;
    this.#hash = blockHash(crypto, ledger.BlockHeader.encode(header));
  }

  /** Reads an account or a slot. @param name address, or contract ‖ slot. @throws ForkError */
  async read(name: Uint8Array): Promise<ForkedValue> {
    const contract = name.subarray(0, ADDRESS_NAME_BYTES);
    const slot = name.length === ADDRESS_NAME_BYTES ? undefined : name.subarray(ADDRESS_NAME_BYTES);
    return asked(this.#node.url, async () => {
      const wanted = slot === undefined ? { contract } : { contract, slot };
      const answer = await this.#client.state_proof({ ...wanted, at: this.#at });
      this.#expectHeader(answer.header);
      if (slot !== undefined) {
        const key = slotKey(this.#crypto, contract, slot);
        return { value: this.#proved(answer.slot, key), blobs: [] };
      }
      const value = this.#proved(answer.account, accountKey(this.#crypto, contract));
      const record = value && ledger.AccountRecord.decode(value);
      return { value, blobs: record?.contract ? await this.#blobs(contract, record.contract) : [] };
    });
  }

  get #at(): BlockRef {
    return { type: 'height', value: this.#header.height };
  }

  #expectHeader(header: BlockHeader): void {
    const hash = blockHash(this.#crypto, ledger.BlockHeader.encode(header));
    if (sameBytes(hash, this.#hash)) return;
    throw new ForkError(
      `expected block ${this.#header.height} with hash ${toHex(this.#hash)}, got one with ${toHex(hash)}: is it another chain?`,
    );
  }

  #proved(proof: TreeProof | undefined, key: Uint8Array): Uint8Array | undefined {
    if (proof === undefined) throw new ForkError('the answer lacks the proof of the slot');
    return verifyTreeProof(proof, key, this.#header.state_root);
  }

  async #blobs(
    address: Uint8Array,
    { code_hash, idl_hash }: NonNullable<AccountRecord['contract']>,
  ): Promise<ForkedValue['blobs']> {
    const code = await this.#code(address, code_hash);
    const text = idl_hash === undefined ? undefined : await this.#interface(address);
    if (text === undefined || text.length > MAX_IDL_BYTES) return [code];
    const hash = this.#crypto.sha256(text);
    // The node serves the present interface only; the contract may have been upgraded since.
    return sameBytes(hash, idl_hash) ? [code, { hash, bytes: text }] : [code];
  }

  /** The state before a call, which the node shows on request, includes the code of the contracts that ran. */
  async #code(address: Uint8Array, hash: Uint8Array): Promise<ForkedValue['blobs'][number]> {
    const { trace } = await this.#client.chain_traceCall({
      contract: address,
      input: new Uint8Array(0),
      at: this.#at,
      tracers: [{ type: 'prestate' }],
    });
    const bytes = trace.prestate?.find((entry) => sameBytes(entry.address, address))?.code;
    if (bytes === undefined || !sameBytes(this.#crypto.sha256(bytes), hash)) {
      throw new ForkError(`the node does not show the code of the contract at 0x${toHex(address)}`);
    }
    return { hash, bytes };
  }

  async #interface(address: Uint8Array): Promise<Uint8Array | undefined> {
    try {
      const { idl } = await this.#client.contract_idl({ address });
      return new TextEncoder().encode(idl);
    } catch (error) {
      if (error instanceof RpcCallError) return undefined;
      throw error;
    }
  }
}

/** Names the node in the message of a failure. @throws ForkError */
async function asked<T>(url: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const expected = [ForkError, ClientError, RpcCallError, VerifyError];
    if (!expected.some((type) => error instanceof type)) throw error;
    throw new ForkError(`the forked chain at ${url}: ${errorMessage(error)}`, { cause: error });
  }
}
