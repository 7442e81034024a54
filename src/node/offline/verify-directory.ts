import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyBase } from '../../chain/copy-base.js';
import { type VerifyOptions, type VerifyReport, verifyChain } from '../../chain/verify-chain.js';
import type { Config } from '../../config/config.js';
import { expectSoundGenesis } from '../../consensus/ceremony/sound-genesis.js';
import { ExecutionPool } from '../../execution/pool/execution-pool.js';
import { SignatureChecker } from '../../execution/signature-checker.js';
import { readGenesis, readSnapshotBase } from '../../ledger/chain-meta.js';
import { ProofService } from '../../proofs/proof-service.js';
import { writeTree } from '../../proofs/write-tree.js';
import { openStore } from '../../storage/open-store.js';
import { withDirectory } from './with-directory.js';

/** Maximum number of queued signatures: those of one block, since blocks are verified one at a time. */
const MAX_WAITING_SIGNATURES = 1_000_000;

/**
 * Executes the chain of a data directory again, from genesis or from the snapshot that it began with, in a scratch
 * directory that is removed afterwards.
 * @throws DataDirectoryError if a node is using the directory
 * @throws GenesisError if the ceremony or the keys in its genesis are invalid
 * @throws StoreError, ChainError if the directory cannot be read, holds no chain, or no longer has the state that its
 * chain began with
 * @throws ProofError `root_mismatch` if that state is damaged
 */
export async function verifyDirectory(
  config: Config,
  options: Pick<VerifyOptions, 'to' | 'onProgress' | 'signal'>,
): Promise<VerifyReport> {
  const { native, cacheBytes } = config;
  const report = () => undefined;
  return withDirectory(config, true, async ({ store, crypto, teardown }) => {
    const genesis = readGenesis(store);
    // The genesis of a chain that began with a snapshot may lack its accounts.
    if (genesis !== undefined && readSnapshotBase(store) === undefined) {
      await expectSoundGenesis(genesis, crypto, native, `the genesis in ${config.dataDir}`);
    }
    const scratchDirectory = await mkdtemp(join(tmpdir(), 'heddle-verify-'));
    teardown.add(() => rm(scratchDirectory, { recursive: true, force: true }));
    const scratch = await openStore({ directory: scratchDirectory, native, report, cacheBytes });
    teardown.add(() => scratch.close());
    const base = await copyBase(store, scratch, options.signal);

    const proofs = await ProofService.start({
      store: scratch.handle,
      native,
      tip: base,
      onProgress: report,
      writeTree: (encoded) => writeTree(scratch, encoded),
    });
    teardown.add(() => proofs.stop());
    const setup = { native, store: scratch.handle };
    const blocks = new ExecutionPool({ name: 'block-', setup, workers: config.workers });
    teardown.add(() => blocks.stop());
    const checker = new SignatureChecker(blocks, { maxWaiting: MAX_WAITING_SIGNATURES });

    return await verifyChain({
      store,
      scratch,
      proofs,
      crypto,
      workers: blocks,
      verifySignature: (transaction) => checker.verify(transaction),
      ...options,
    });
  });
}
