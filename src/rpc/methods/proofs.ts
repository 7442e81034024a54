import type { Caller } from '../../async/caller.js';
import type { Certificates } from '../../chain/certificates.js';
import type { Chain } from '../../chain/chain.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { BlockHeader } from '../../generated/ledger.js';
import type {
  BlockRef,
  FinalizedHistoryProofArgs,
  FinalizedHistoryProofResult,
  LightClientContextResult,
  StateProofArgs,
  StateProofResult,
} from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import type { BlockReader } from '../../ledger/block-store.js';
import { slotNameBytes } from '../../ledger/forked-state.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { accountKey, slotKey } from '../../ledger/state-keys.js';
import { leafPosition, mmrLeaves, mmrRoot, mmrSize, proveMmrInclusion } from '../../proofs/mmr.js';
import { ProofError } from '../../proofs/proof-error.js';
import type { ProofService } from '../../proofs/proof-service.js';
import { storedHistory, storedNode, storedNodes } from '../../proofs/stored-history.js';
import { oldestHeight } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import { invalidParams, RpcError } from '../errors.js';
import { EncodedResult, type MethodHandlers } from '../handlers.js';
import { CertifiedBlocks } from './certified-blocks.js';
import { expectValidators } from './epochs.js';
import { expectStored } from './page-arguments.js';

export interface ProofSources {
  readonly chain: Chain;
  readonly crypto: Crypto;
  readonly store: StoreReader;
  readonly blocks: BlockReader;
  readonly certificates: Certificates;
  readonly proofs: ProofService;
  /** On a fork, copies names that the chain has in common with the forked one, so that proofs show them. */
  readonly copy?: ((names: readonly Uint8Array[]) => Promise<void>) | undefined;
}

/** Domain prefix of the message that a finality certificate signs. */
const SIGNING_DOMAIN = 'heddle/finalize/1';

/** Contexts with more descendants are not cached as text; a header takes about a kilobyte. */
const MAX_KEPT_DESCENDANTS = 10;

export function proofHandlers(sources: ProofSources) {
  const { chain, store } = sources;
  const certified = new CertifiedBlocks(sources);
  /** Cached as long as the headers. */
  const contexts = new WeakMap<BlockHeader, EncodedResult>();
  return {
    finality_proof: async ({ height }) => {
      expectFinal(chain, height);
      return certified.provedAt(height);
    },
    light_client_context: ({ height }) => lightClientContext(sources, certified, contexts, height),
    state_proof: (args, caller) => stateProof(sources, certified, args, caller),
    finalized_history_root: async ({ height = chain.finalizedHeight }) => {
      expectFinal(chain, height);
      const block = await certified.at(height);
      return { history: storedHistory(store, block.header), ...block };
    },
    finalized_history_proof: (args) => historyProof(sources, args),
  } satisfies Partial<MethodHandlers>;
}

async function lightClientContext(
  { chain, store }: ProofSources,
  certified: CertifiedBlocks,
  contexts: WeakMap<BlockHeader, EncodedResult>,
  asked: bigint | undefined,
): Promise<LightClientContextResult | EncodedResult> {
  const height = asked ?? chain.finalizedHeight;
  expectFinal(chain, height);
  const block = await certified.provedAt(height);
  const { header } = block;
  const known = contexts.get(header);
  if (known !== undefined) return known;
  const context: LightClientContextResult = {
    chain_id: header.chain_id,
    genesis_hash: chain.genesisHash,
    epoch: header.epoch,
    validator_set: expectValidators(chain, header.epoch),
    ...block,
    history: storedHistory(store, header),
    signing_domain: SIGNING_DOMAIN,
  };
  // Does not cache long contexts, because they must be checked against the answer limit.
  if (block.descendants.length > MAX_KEPT_DESCENDANTS) return context;
  const result = new EncodedResult(rpcTypes.LightClientContextResult.toJson(context));
  contexts.set(header, result);
  return result;
}

/** Hot path: guarded by `bench/load/rpc-load.ts`. */
async function stateProof(
  sources: ProofSources,
  certified: CertifiedBlocks,
  { contract, slot, at }: StateProofArgs,
  caller: Caller,
): Promise<StateProofResult> {
  const { chain, crypto, proofs } = sources;
  if (sources.copy !== undefined && isTipRef(at)) {
    await sources.copy(slot === undefined ? [contract] : [contract, slotNameBytes(contract, slot)]);
  }
  const height = isTipRef(at) ? newestHeight(chain, at) : heightOf(sources, at);
  const block = await certified.at(height);
  const keys = [accountKey(crypto, contract)];
  if (slot !== undefined) keys.push(slotKey(crypto, contract, slot));
  const [account, slotProof] = await proofs
    .prove({ height, stateRoot: block.header.state_root }, keys, caller)
    .catch((error: unknown) => {
      throw withHeight(error, height);
    });
  if (account === undefined) throw new Error('the proof worker returned fewer proofs than keys');
  return { ...block, account, ...(slotProof === undefined ? {} : { slot: slotProof }) };
}

/** Adds the height to the refusal of a state that is not kept, so that a caller who knows only a hash learns it. */
function withHeight(error: unknown, height: bigint): unknown {
  if (!(error instanceof ProofError) || error.code !== 'state_unavailable') return error;
  return new RpcError('state_unavailable', error.message, { ...error.kept, height });
}

type NamedRef = Extract<BlockRef, { readonly type: 'latest' | 'finalized' }>;

function isTipRef(at: BlockRef | undefined): at is NamedRef | undefined {
  return at === undefined || at.type === 'latest' || at.type === 'finalized';
}

function newestHeight(chain: Chain, at: NamedRef | undefined): bigint {
  return at?.type === 'finalized' ? chain.finalizedHeight : chain.tip.header.height;
}

function heightOf({ chain, blocks, proofs, store }: ProofSources, at: Exclude<BlockRef, NamedRef>): bigint {
  const tip = chain.tip.header.height;
  switch (at.type) {
    case 'height':
      if (at.value > tip) {
        let oldest = oldestHeight(store);
        if (proofs.oldestHeight > oldest) oldest = proofs.oldestHeight;
        const message = `there is no block ${at.value} yet; the newest is ${tip}`;
        throw new RpcError('state_unavailable', message, { oldest, newest: tip });
      }
      return at.value;
    case 'hash': {
      const height = blocks.heightOf(at.value);
      // A block enters the store shortly before it becomes the tip.
      if (height === undefined || height > tip) {
        const hash = toHex(at.value);
        throw new RpcError('not_found', `there is no block ${hash}`, { hash });
      }
      return height;
    }
    case 'after_tx': {
      const expected =
        'latest, finalized, a height or a block hash, because only a whole block has a state root';
      throw invalidParams('params.at', expected, 'after_tx');
    }
  }
}

function historyProof(
  { chain, crypto, store }: ProofSources,
  { height, at_size: size }: FinalizedHistoryProofArgs,
): FinalizedHistoryProofResult {
  expectFinal(chain, height);
  // Every node can prove block 0 in any history at least as long as its snapshot's.
  expectStored(chain, height, height);
  const leaves = size === undefined ? chain.finalizedHeight : rangeOf(chain, size);
  if (leaves + 1n < chain.firstHeight) expectStored(chain, leaves);
  if (height >= leaves) {
    if (size !== undefined) {
      const expected = `a block below ${leaves}, the number of blocks in the range`;
      throw invalidParams('params.height', expected, String(height));
    }
    const message = `block ${height} is in no header's history yet; the next block's has it`;
    throw new RpcError('not_found', message, { height });
  }
  const nodes = (positions: readonly bigint[]) => storedNodes(store, positions);
  const { path, peaks } = proveMmrInclusion(nodes, { leaves, leafIndex: height });
  return {
    leaf_index: height,
    block_hash: storedNode(store, leafPosition(height)),
    path,
    peaks,
    size: mmrSize(leaves),
    root: mmrRoot(crypto, mmrSize(leaves), peaks),
  };
}

/** Number of blocks in a mountain range of `size` nodes. @throws RpcError `invalid_params`, `not_found` */
function rangeOf(chain: Chain, size: bigint): bigint {
  const leaves = mmrLeaves(size);
  if (leaves === undefined) {
    throw invalidParams('params.at_size', 'the size of a mountain range: 1, 3, 4, 7, 8, …', String(size));
  }
  if (leaves > chain.finalizedHeight) {
    const newest = mmrSize(chain.finalizedHeight);
    throw new RpcError('not_found', `no final block's history has size ${size}; the newest has ${newest}`, {
      at_size: size,
      newest,
    });
  }
  return leaves;
}

function expectFinal(chain: Chain, height: bigint): void {
  if (height <= chain.finalizedHeight) return;
  const { finalizedHeight: newest } = chain;
  const message = `there is no final block ${height} yet; the newest is ${newest}`;
  throw new RpcError('not_found', message, { height, newest });
}
