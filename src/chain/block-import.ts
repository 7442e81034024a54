import { PendingBlockState } from '../execution/pending-writes.js';
import type { TransactionEnvelope } from '../ledger/transaction-envelope.js';
import type { ProofService } from '../proofs/proof-service.js';
import type { BlockExecutor } from './block-executor.js';
import { BlockRejectedError } from './block-rejection.js';
import type { Chain, CommittedTip } from './chain.js';
import { type CommitOptions, type CommitParts, committedBlock, writeBlock } from './commit-block.js';
import type { DecodedBlock } from './decode-block.js';
import { type FinishParts, rootedBlock } from './next-block.js';
import type { ExecutionParent, PendingBlock } from './pending-blocks.js';
import { type ExecuteParts, executeBlock, headerRejection, rootsRejection } from './verify-block.js';

/** Maximum number of executed but uncommitted blocks: one in root computation, one in writing, one in between. */
const MAX_UNCOMMITTED = 3;

/**
 * The next block waits while uncommitted blocks hold this many bytes of written and replaced values. The threads together
 * keep about ten copies of them. A block can hold 60 MiB (see `STORED_BYTE_GAS`); ordinary blocks hold far less.
 */
const MAX_UNCOMMITTED_BYTES = 16 * 1024 * 1024;

/** Maximum number of signatures verified ahead, unless a single block has more: about 0.2 s of work on one core. */
const MAX_PREFETCHED = 4_096;

/**
 * Mean gas per transaction above which a block is shared among workers. Below it (about 0.2 ms of work), sharing costs
 * as much as it gains while the workers verify signatures.
 */
const SHARED_GAS = 200_000n;

export interface BlockImportOptions extends Omit<ExecuteParts, 'executor'>, CommitParts {
  readonly executor: ExecuteParts['executor'] & Pick<BlockExecutor, 'executeUnshared'>;
  readonly chain: Chain;
  readonly proofs: FinishParts['proofs'] & CommitParts['proofs'] & Pick<ProofService, 'newBlockId'>;
}

export interface ImportOptions extends Required<CommitOptions> {
  readonly onCommitted: (block: PendingBlock, timing: ImportTiming) => void;
}

export interface ImportTiming {
  readonly commitMs: number;
  /** From the start of execution to the commit, including the wait for earlier blocks. */
  readonly totalMs: number;
}

/** A block whose roots are being computed. */
interface ExecutedBlock {
  readonly block: DecodedBlock;
  readonly built: Promise<PendingBlock>;
  readonly started: number;
}

/** An executed, uncommitted block. Its header is confirmed only once its roots are known. */
interface ImportedBlock extends CommittedTip {
  readonly items: readonly Uint8Array[];
  readonly state: PendingBlockState;
  readonly rootsId: number;
  /** Size of the values that it wrote and replaced. */
  readonly bytes: number;
}

/**
 * Imports a sequence of blocks already known to be final. While a block executes, the roots of the previous one are
 * computed and the one before that is written; signatures are verified ahead. A block is written only if it and all
 * before it have the roots in their headers: the first rejected block ends the import, and blocks executed on top of it
 * are dropped.
 */
export class BlockImport {
  readonly #options: BlockImportOptions;
  readonly #signatures: SignaturePrefetcher;
  /** Starts with the child of the last committed block. */
  readonly #uncommitted: ImportedBlock[] = [];
  /** Settles once the last commit and all earlier ones have settled; never rejects. */
  #committing: Promise<void> = Promise.resolve();
  /** Called at the next commit or failure. */
  #onSettled: () => void = () => undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: BlockImportOptions) {
    this.#options = options;
    this.#signatures = new SignaturePrefetcher(options.verifySignature);
  }

  /** Announces a block that will be added, so that its signatures are verified ahead. */
  expect({ transactions }: Pick<DecodedBlock, 'transactions'>): void {
    this.#signatures.expect(transactions);
  }

  /**
   * Executes the next block and queues it for commit. Resolves as soon as its child can be executed, before its roots
   * are known: if it turns out to be wrong, a later call fails.
   * @throws BlockRejectedError for this block or an earlier one; anything that execution and storage throw
   */
  async add(block: DecodedBlock, options: ImportOptions): Promise<void> {
    const started = performance.now();
    while (this.#isFull() && this.#failure === undefined) {
      await new Promise<void>((resolve) => {
        this.#onSettled = resolve;
      });
    }
    this.#throwIfFailed();
    try {
      const { rootsId, unrooted } = await this.#execute(block);
      const built = rootedBlock(this.#options, unrooted, rootsId);
      // `#settle` handles the rejection; until then it must not count as unhandled.
      built.catch(() => undefined);
      this.#committing = this.#committing.then(() => this.#settle({ block, built, started }, options));
    } catch (error) {
      // Earlier blocks are valid so far and are still committed.
      this.#committing = this.#committing.then(() => this.#fail(error));
      throw error;
    }
  }

  /** Resolves once every added block is committed. @throws like {@link add}, the first failure */
  async settled(): Promise<void> {
    await this.#committing;
    this.#throwIfFailed();
  }

  /** Resolves once nothing is in flight, even after a failure; call it when no more blocks are added. */
  idle(): Promise<void> {
    return this.#committing;
  }

  #isFull(): boolean {
    const line = this.#uncommitted;
    const bytes = line.reduce((sum, block) => sum + block.bytes, 0);
    return line.length >= MAX_UNCOMMITTED || bytes >= MAX_UNCOMMITTED_BYTES;
  }

  #throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #parent(): ExecutionParent {
    const line = this.#uncommitted;
    const last = line.at(-1);
    const { header, hash, epochs, slots } = last ?? this.#options.chain.tip;
    const branch = line.map(({ state }) => state);
    return { header, hash, epochs, slots, blocks: [...line], branch, rootsId: last?.rootsId };
  }

  async #execute(block: DecodedBlock) {
    const { header, hash } = block;
    const parent = this.#parent();
    const { epoch, view, proposer } = header;
    const context = { parent: parent.hash, epoch, view, proposer };
    const refused = headerRejection(this.#options, parent, block, context);
    if (refused !== undefined) throw new BlockRejectedError(header.height, refused);
    // Ancestors may be committed in the meantime, but the committed state never changes to another branch.
    const unrooted = await executeBlock(this.#partsFor(block), parent, { block, context });
    this.#throwIfFailed();
    if ('verdict' in unrooted) throw new BlockRejectedError(header.height, unrooted);
    const { executed, epochs, slots, items } = unrooted;
    const rootsId = this.#options.proofs.newBlockId();
    const state = new PendingBlockState(header.height, executed);
    let bytes = 0;
    for (const { value, previous } of executed.writes)
      bytes += (value?.length ?? 0) + (previous?.length ?? 0);
    this.#uncommitted.push({ header, hash, epochs, slots, items, state, rootsId, bytes });
    return { rootsId, unrooted };
  }

  #partsFor({ header, transactions }: DecodedBlock): ExecuteParts {
    const { executor } = this.#options;
    const isHeavy = header.gas_used > SHARED_GAS * BigInt(transactions.length);
    return {
      ...this.#options,
      verifySignature: (transaction) => this.#signatures.verify(transaction),
      executor: {
        openings: executor.openings,
        executeDecided: (base, candidates, signal) =>
          isHeavy
            ? executor.executeDecided(base, candidates, signal)
            : executor.executeUnshared(base, candidates, signal),
      },
    };
  }

  /** Never rejects: a failure ends the import. */
  async #settle(executed: ExecutedBlock, options: ImportOptions): Promise<void> {
    try {
      this.#throwIfFailed();
      await this.#commit(executed, options);
    } catch (error) {
      this.#fail(error);
      await executed.built.then(
        ({ roots }) => this.#options.proofs.drop(roots.id),
        // Without roots there is nothing to drop: computing them failed, or an ancestor was dropped.
        () => undefined,
      );
    }
    this.#onSettled();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#onSettled();
  }

  async #commit({ block, built, started }: ExecutedBlock, options: ImportOptions): Promise<void> {
    const { chain } = this.#options;
    const { certificate, sync, onCommitted } = options;
    const made = await built;
    const refused = rootsRejection(block, made);
    if (refused !== undefined) throw new BlockRejectedError(block.header.height, refused);
    const commitStarted = performance.now();
    await writeBlock(this.#options, made, { certificate, sync });
    const ended = performance.now();
    this.#uncommitted.shift();
    chain.advance(committedBlock(made));
    onCommitted(made, { commitMs: ended - commitStarted, totalMs: ended - started });
  }
}

type Verify = ExecuteParts['verifySignature'];

/** Verifies signatures of blocks ahead of execution. A verdict belongs to one object, not to its hash. */
class SignaturePrefetcher {
  readonly #verify: Verify;
  readonly #verdicts = new WeakMap<TransactionEnvelope, ReturnType<Verify>>();
  /** Transactions to verify, block by block. */
  readonly #waiting: (readonly TransactionEnvelope[])[] = [];
  #inFlight = 0;

  constructor(verify: Verify) {
    this.#verify = verify;
  }

  /** Queues a future block; verification starts when the limit of signatures in flight allows. */
  expect(transactions: readonly TransactionEnvelope[]): void {
    this.#waiting.push(transactions);
    this.#startNext();
  }

  /** Returns the prefetched or pending verdict, or verifies now. */
  verify(transaction: TransactionEnvelope): ReturnType<Verify> {
    return this.#verdicts.get(transaction) ?? this.#verify(transaction);
  }

  #startNext(): void {
    while (this.#inFlight < MAX_PREFETCHED) {
      const transactions = this.#waiting.shift();
      if (transactions === undefined) return;
      for (const transaction of transactions) this.#begin(transaction);
    }
  }

  #begin(transaction: TransactionEnvelope): void {
    const verdict = this.#verify(transaction);
    this.#verdicts.set(transaction, verdict);
    this.#inFlight++;
    verdict.then(
      () => this.#end(),
      () => {
        // The failure was not the transaction's fault: it is verified again when its block executes.
        this.#verdicts.delete(transaction);
        this.#end();
      },
    );
  }

  #end(): void {
    this.#inFlight--;
    this.#startNext();
  }
}
