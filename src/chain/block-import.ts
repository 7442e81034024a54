import { PendingBlockState } from '../execution/pending-writes.js';
import type { FinalityCertificate } from '../generated/node-rpc-v1.js';
import type { ProofService } from '../proofs/proof-service.js';
import type { BlockExecutor } from './block-executor.js';
import { BlockRejectedError } from './block-rejection.js';
import type { Chain, CommittedTip } from './chain.js';
import { type CommitParts, committedBlock, writeBlock } from './commit-block.js';
import type { DecodedBlock } from './decode-block.js';
import { type FinishParts, rootedBlock, type UnrootedBlock } from './next-block.js';
import type { ExecutionParent, PendingBlock } from './pending-blocks.js';
import { SignaturePrefetcher } from './signature-prefetcher.js';
import { type ExecuteParts, executeBlock, headerRejection, rootsRejection } from './verify-block.js';

/** Blocks that are executed and not committed: the roots of one, the writes of another, and one between. */
const MAX_UNCOMMITTED = 3;

/**
 * Where transactions use less on average, some 0.2 ms of work, sharing a block out costs as much as it gains while the workers have
 * signatures to check.
 */
const SHARED_GAS = 200_000n;

export interface BlockImportOptions extends Omit<ExecuteParts, 'executor'>, CommitParts {
  readonly executor: ExecuteParts['executor'] & Pick<BlockExecutor, 'executeUnshared'>;
  readonly chain: Chain;
  readonly proofs: FinishParts['proofs'] & CommitParts['proofs'] & Pick<ProofService, 'newBlockId'>;
}

/** How a block is taken over. */
export interface ImportOptions {
  /** That of the block itself, where there is one to be stored. */
  readonly certificate: FinalityCertificate | undefined;
  /** Whether it is synced; one written without is on disk with the next that is. */
  readonly sync: boolean;
  /** Told once the block is the tip. */
  readonly onCommitted: (block: PendingBlock, timing: ImportTiming) => void;
}

/** How long taking over a block took, in milliseconds. */
export interface ImportTiming {
  /** Writing it. */
  readonly commitMs: number;
  /** From the begin of its execution to its commit, the wait for those before it included. */
  readonly totalMs: number;
}

/** A block whose roots are being computed. */
interface ExecutedBlock {
  readonly block: DecodedBlock;
  readonly built: Promise<PendingBlock>;
  readonly started: number;
}

/** An executed block that is not committed. Whether its header is right is not known before its roots are. */
interface ImportedBlock extends CommittedTip {
  readonly items: readonly Uint8Array[];
  readonly state: PendingBlockState;
  readonly rootsId: number;
}

/**
 * Takes over blocks that are final by others' word, one on the other. While a block is executed, the roots of the one before it are
 * computed and the one before that is written; signatures are checked ahead. Nothing is written unless it and all before it have the
 * roots that their headers say: the first that is refused ends the import, and what was executed on it is dropped.
 */
export class BlockImport {
  readonly #options: BlockImportOptions;
  readonly #signatures: SignaturePrefetcher;
  /** From the child of the last committed block on. */
  readonly #uncommitted: ImportedBlock[] = [];
  /** The last commit and all before it; never rejects. */
  #committing: Promise<void> = Promise.resolve();
  /** Told of the next commit. */
  #onSettled: () => void = () => undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: BlockImportOptions) {
    this.#options = options;
    this.#signatures = new SignaturePrefetcher(options.verifySignature);
  }

  /** Tells of a block that will be added, so that its signatures are checked by then. */
  expect({ transactions }: Pick<DecodedBlock, 'transactions'>): void {
    this.#signatures.expect(transactions);
  }

  /**
   * Executes the next block and has it committed. Resolves once the next one can be executed on it, which is before its roots are
   * known: one that turns out to be wrong makes a later call fail.
   * @throws BlockRejectedError of this block, or of one before it; whatever executing and storing throw
   */
  async add(block: DecodedBlock, options: ImportOptions): Promise<void> {
    const started = performance.now();
    while (this.#uncommitted.length >= MAX_UNCOMMITTED && this.#failure === undefined) {
      await new Promise<void>((resolve) => {
        this.#onSettled = resolve;
      });
    }
    this.#throwIfFailed();
    try {
      const { rootsId, unrooted } = await this.#execute(block);
      const built = rootedBlock(this.#options, unrooted, rootsId);
      // Whoever settles it is told; until then it is nobody's unhandled rejection.
      built.catch(() => undefined);
      this.#committing = this.#committing.then(() => this.#settle({ block, built, started }, options));
    } catch (error) {
      // Those before it are good as far as is known, and are committed.
      this.#committing = this.#committing.then(() => this.#fail(error));
      throw error;
    }
  }

  /** Resolves once every block that was added is committed. @throws as {@link add}, whatever failed first */
  async settled(): Promise<void> {
    await this.#committing;
    this.#throwIfFailed();
  }

  /** Resolves once nothing is under way, whatever came of it; to be called when no more is added. */
  idle(): Promise<void> {
    return this.#committing;
  }

  #throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** What the next block is executed on. */
  #parent(): ExecutionParent {
    const line = this.#uncommitted;
    const last = line.at(-1);
    const { header, hash, epochs } = last ?? this.#options.chain.tip;
    const branch = line.map(({ state }) => state);
    return { header, hash, epochs, blocks: [...line], branch, rootsId: last?.rootsId };
  }

  /** Executes a block, so that others can be executed on it. */
  async #execute(
    block: DecodedBlock,
  ): Promise<{ readonly rootsId: number; readonly unrooted: UnrootedBlock }> {
    const { header, hash } = block;
    const parent = this.#parent();
    const { epoch, view, proposer } = header;
    const context = { parent: parent.hash, epoch, view, proposer };
    const refused = headerRejection(this.#options, parent, block, context);
    if (refused !== undefined) throw new BlockRejectedError(header.height, refused);
    // What is below it may become the committed state meanwhile, but never another.
    const unrooted = await executeBlock(this.#partsFor(block), parent, { block, context });
    this.#throwIfFailed();
    if ('verdict' in unrooted) throw new BlockRejectedError(header.height, unrooted);
    const { executed, epochs, items } = unrooted;
    const rootsId = this.#options.proofs.newBlockId();
    const state = new PendingBlockState(header.height, executed);
    this.#uncommitted.push({ header, hash, epochs, items, state, rootsId });
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

  /** Never rejects: what goes wrong ends the import. */
  async #settle(executed: ExecutedBlock, options: ImportOptions): Promise<void> {
    try {
      this.#throwIfFailed();
      await this.#commit(executed, options);
    } catch (error) {
      this.#fail(error);
      await executed.built.then(
        ({ roots }) => this.#options.proofs.drop(roots.id),
        // It has none: that is why the import fails, or comes of what it is on having been dropped.
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
