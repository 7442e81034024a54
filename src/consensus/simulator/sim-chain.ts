import { ChainError } from '../../chain/chain-error.js';
import type { ChainTip } from '../../chain/committed-chain.js';
import { type DecodedBlock, decodeBlock, type EncodedBlock } from '../../chain/decode-block.js';
import type { BlockContext } from '../../chain/next-block.js';
import { MAX_PENDING_BLOCKS } from '../../chain/pending-blocks.js';
import type { ProposalContext } from '../../chain/propose-block.js';
import type { SealKey } from '../../generated/ledger.js';
import type { FinalityCertificate } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { appendBlock, BlockReader, NO_CONTENT } from '../../ledger/block-store.js';
import { appendCertificate } from '../../ledger/certificate-store.js';
import { MAX_SEAL_KEYS } from '../../ledger/constants.js';
import { be64, readBe64 } from '../../storage/big-endian.js';
import type { Store } from '../../storage/store.js';
import { WriteBatch } from '../../storage/write-batch.js';
import type { BlockHash } from '../core/types.js';
import type { ChainVerdict, ConsensusChain } from '../shell/ports.js';
import { contentOf, type SimBlock, type SimBlocks } from './sim-blocks.js';
import { SIM_CRYPTO } from './sim-crypto.js';

const TIP = Buffer.from('tip');
/** Room for the writes of a block. Batches may share it, because a simulated store copies them at once. */
const ROOM = new Uint8Array(4_096);

export interface SimChainOptions {
  readonly blocks: SimBlocks;
  readonly hasEnvelopes: boolean;
  readonly store: Pick<Store, 'get' | 'getMany' | 'scan' | 'write' | 'close'>;
  readonly nextTurn: () => Promise<void>;
  /** Resolves after the time that building or executing a block takes. */
  readonly work: () => Promise<void>;
  /** Whether the next verification gives no verdict. */
  readonly withholds: () => boolean;
  /** Transactions for a block on this branch, by number. */
  readonly draw: (included: ReadonlySet<number>) => readonly number[];
  /** Called with the parent's hash when the chain is asked to build a block. */
  readonly onPropose: (parent: BlockHash, epoch: number, view: number) => void;
  readonly onProposed: (block: SimBlock) => void;
  /** Called with the verdict on each block whose parent is known. */
  readonly onVerdict: (hash: string, verdict: 'valid' | 'invalid' | 'withheld') => void;
  /** Whether a block that is being built is finished although it is abandoned. */
  readonly finishes: () => boolean;
  /** Called before each block of a commit is written. */
  readonly onCommit: (
    block: SimBlock,
    parent: ChainTip,
    certificate: FinalityCertificate | undefined,
  ) => void;
}

interface SimCommit {
  readonly block: SimBlock;
  readonly commitMs: number;
}

export function appendSimBlock(
  batch: WriteBatch,
  block: SimBlock,
  certificate: FinalityCertificate | undefined,
): void {
  const { header, encodedHeader, hash, items } = block;
  appendBlock(batch, { ...NO_CONTENT, header, encodedHeader, hash, items });
  if (certificate !== undefined) appendCertificate(batch, header.height, certificate);
  batch.put('meta', TIP, be64(header.height));
}

/** A chain with the real formats, rules for headers, limits and storage, and a state of one hash. */
export class SimChain implements ConsensusChain<SimBlock> {
  readonly #options: SimChainOptions;
  readonly #pending = new Map<BlockHash, SimBlock>();
  tip: ChainTip;
  #committing: Promise<unknown> = Promise.resolve();

  constructor(options: SimChainOptions) {
    this.#options = options;
    const { store, blocks } = options;
    const height = store.get('meta', TIP);
    const stored = height === undefined ? undefined : new BlockReader(store).header(readBe64(height, 0));
    this.tip = stored ?? blocks.genesis;
  }

  /** Whether a block is executed and not committed. */
  isPending(hash: BlockHash): boolean {
    return this.#pending.has(hash);
  }

  async propose(
    context: ProposalContext,
    signal?: AbortSignal,
  ): Promise<{ readonly block: SimBlock } | { readonly block: undefined; readonly mayHaveMore: boolean }> {
    const { blocks, work, draw, onPropose, onProposed, finishes } = this.#options;
    onPropose(toHex(context.parent), Number(context.epoch), Number(context.view));
    this.#branchOf(context.parent);
    await work();
    if (signal?.aborted === true && !finishes()) signal.throwIfAborted();
    const { parent, branch } = this.#branchOf(context.parent);
    const keys = this.#keys(context, parent);
    const isOpen = keys.length === this.#due(parent.hash).length;
    const transactions = isOpen ? draw(new Set(branch.flatMap(transactionsOf))) : [];
    if (transactions.length === 0 && !context.allowEmpty) return { block: undefined, mayHaveMore: false };
    const block = blocks.build(parent, {
      epoch: Number(context.epoch),
      view: Number(context.view),
      proposer: context.proposer,
      timestampMs: Number(context.timestampMs),
      transactions,
      keys,
    });
    this.#add(block, branch.length);
    onProposed(block);
    return { block };
  }

  onProposalEnded(): void {
    // No transaction is blamed for a crash.
  }

  async verify(
    block: EncodedBlock | DecodedBlock,
    context: BlockContext,
    signal?: AbortSignal,
  ): Promise<ChainVerdict> {
    const { blocks, nextTurn, work, withholds, onVerdict } = this.#options;
    if (this.#find(context.parent) === undefined) return { verdict: 'unknown_parent' };
    const decoded = 'body' in block ? await decodeBlock(SIM_CRYPTO, block, nextTurn) : block;
    if ('verdict' in decoded) return decoded;
    const present = this.#pending.get(toHex(decoded.hash));
    if (present !== undefined) return { verdict: 'valid', block: present };
    await work();
    signal?.throwIfAborted();
    const found = this.#find(context.parent);
    if (found === undefined) return { verdict: 'unknown_parent' };
    const { header, itemsRoot, hash, keys } = decoded;
    const placed =
      header.epoch === context.epoch && header.view === context.view && header.proposer === context.proposer;
    if (!placed) throw new Error('a block was verified for another place than its own');
    const transactions = decoded.changes.map(({ epoch }) => Number(epoch));
    const refusal = blocks.refusal(header, { keys, transactions }, itemsRoot, found.parent);
    if (refusal !== undefined) {
      onVerdict(toHex(hash), 'invalid');
      return refusal;
    }
    if (withholds() || this.#pending.size - found.branch.length >= MAX_PENDING_BLOCKS) {
      onVerdict(toHex(hash), 'withheld');
      return { verdict: 'withheld', reason: 'simulated load', cause: undefined };
    }
    const built = blocks.get(toHex(hash));
    if (built === undefined) throw new Error('a valid block that nobody built');
    this.#pending.set(built.facts.hash, built);
    onVerdict(built.facts.hash, 'valid');
    return { verdict: 'valid', block: built };
  }

  commit(hash: Uint8Array, certificate?: FinalityCertificate, sync = true): Promise<readonly SimCommit[]> {
    const committing = this.#committing.then(() => this.#commit(hash, certificate, sync));
    this.#committing = committing.catch(() => undefined);
    return committing;
  }

  release(hashes: readonly Uint8Array[]): void {
    for (const hash of hashes) this.#drop(toHex(hash));
  }

  async trySuspects(): Promise<boolean> {
    return false;
  }

  /** In a run with envelopes, all heights from the lowest unopened one up to the next. */
  unopenedHeights(after: Uint8Array = this.tip.hash): readonly bigint[] {
    return this.#options.hasEnvelopes ? [...this.#due(after), this.#heightOf(after) + 1n] : [];
  }

  /** Unopened heights up to that of a block. */
  #due(after: Uint8Array): readonly bigint[] {
    if (!this.#options.hasEnvelopes) return [];
    const openedTo = this.#options.blocks.openedTo(after);
    const count = Number(this.#heightOf(after)) - openedTo;
    return Array.from({ length: count }, (_, at) => BigInt(openedTo + 1 + at));
  }

  #heightOf(hash: Uint8Array): bigint {
    return this.#branchOf(hash).parent.header.height;
  }

  /** The known keys of the lowest due heights. */
  #keys({ keyOf }: ProposalContext, parent: ChainTip): readonly SealKey[] {
    const keys: SealKey[] = [];
    for (const height of this.#due(parent.hash).slice(0, MAX_SEAL_KEYS)) {
      const key = keyOf?.(height);
      if (key === undefined) break;
      keys.push(key);
    }
    return keys;
  }

  async #commit(
    hash: Uint8Array,
    certificate: FinalityCertificate | undefined,
    sync: boolean,
  ): Promise<readonly SimCommit[]> {
    const { store, onCommit } = this.#options;
    const branch = this.#find(hash)?.branch;
    if (branch === undefined) throw new ChainError('unknown_block', 'the block to commit is not pending');
    const commits: SimCommit[] = [];
    for (const block of branch) {
      const isLast = block === branch.at(-1);
      onCommit(block, this.tip, isLast ? certificate : undefined);
      const batch = new WriteBatch(ROOM);
      appendSimBlock(batch, block, isLast ? certificate : undefined);
      await store.write(batch, { sync: sync && isLast });
      this.tip = block;
      this.#pending.delete(block.facts.hash);
      for (const other of [...this.#pending.values()])
        if (this.#find(other.hash) === undefined) this.#drop(other.facts.hash);
      commits.push({ block: block, commitMs: 0 });
    }
    return commits;
  }

  #add(block: SimBlock, branch: number): void {
    if (this.#pending.size - branch >= MAX_PENDING_BLOCKS)
      throw new ChainError('too_many_pending', `${MAX_PENDING_BLOCKS} blocks are pending already`);
    this.#pending.set(block.facts.hash, block);
  }

  #branchOf(hash: Uint8Array) {
    const found = this.#find(hash);
    if (found === undefined) throw new ChainError('unknown_parent', 'the parent of the block is unknown');
    return found;
  }

  /** A block that is the tip or pending above it, with its branch. */
  #find(hash: Uint8Array): { readonly parent: ChainTip; readonly branch: readonly SimBlock[] } | undefined {
    const tip = toHex(this.tip.hash);
    const branch: SimBlock[] = [];
    for (let at = toHex(hash); at !== tip; ) {
      const block = this.#pending.get(at);
      if (block === undefined) return undefined;
      branch.unshift(block);
      at = block.facts.parentHash;
    }
    return { parent: branch.at(-1) ?? this.tip, branch };
  }

  #drop(hash: BlockHash): void {
    if (!this.#pending.delete(hash)) return;
    for (const { facts } of [...this.#pending.values()])
      if (facts.parentHash === hash) this.#drop(facts.hash);
  }
}

export function transactionsOf({ items }: Pick<SimBlock, 'items'>): number[] {
  return [...contentOf(items).transactions];
}
