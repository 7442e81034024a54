import { readFileSync } from 'node:fs';
import { errorMessage } from '../base/errors.js';
import { loadBls } from '../crypto/load-bls.js';
import type { Genesis } from '../generated/ledger.js';
import type {
  GetLightSnapshotResult,
  ImportSnapshotChunkArgs,
  ImportSnapshotChunkResult,
} from '../generated/node-rpc-v1.js';
import { JsonDecodeError } from '../idl/codecs/codec-errors.js';
import { readTip } from '../ledger/chain-meta.js';
import { rpcTypes } from '../ledger/rpc-codecs.js';
import { prepareChunk } from '../proofs/snapshot/prepare-chunk.js';
import { verifyLightSnapshot } from '../sync/light-snapshot.js';
import { SnapshotError } from '../sync/snapshot-error.js';
import { SnapshotImport } from '../sync/snapshot-import.js';
import { buildTree } from './core/open-chain-state.js';
import { LateServices } from './late-services.js';
import type { NodeContext, RunningServices } from './node-context.js';
import { openParts } from './open-parts.js';
import { Teardown } from './teardown.js';

/**
 * Opens a node started with `--await-snapshot`. If the store has no chain yet, the node accepts `import_snapshot_chunk` and
 * answers every other call `not_ready` until the last chunk is in.
 * @throws SnapshotError if the file is not a snapshot header, or is not certified by the genesis's validators
 */
export async function openAwaiting(
  context: NodeContext,
  file: string,
  genesis: Genesis,
): Promise<RunningServices> {
  const { base, log, teardown } = context;
  if (readTip(base.store) !== undefined) return openParts(context, genesis);
  const target = await openImport(context, file, genesis);
  const { progress } = target;
  log.info({ chunks: progress.chunks, of: progress.totalChunks }, 'waiting for the chunks of a snapshot');
  const opened = new Teardown();
  teardown.add(() => opened.run());

  const services = new LateServices(
    context,
    () => ({
      reasons: [`waiting for a snapshot: ${target.progress.chunks} of ${target.progress.totalChunks} chunks`],
      stalled: false,
      bestKnownHeight: 0n,
      peers: [],
    }),
    {
      chainId: genesis.chain_id,
      sealNow: () => Promise.reject(new SnapshotError('incomplete', 'the node waits for a snapshot')),
    },
  );
  let begun: Promise<void> | undefined;
  const begin = async () => {
    await target.finish();
    await services.serve(await openParts({ ...context, teardown: opened }, genesis));
    log.info({ height: `${target.height}` }, 'the snapshot is complete; the chain continues');
  };
  const take = async (chunk: ImportSnapshotChunkArgs): Promise<ImportSnapshotChunkResult> => {
    const accepted = await target.accept(chunk);
    if (target.complete) {
      begun ??= begin();
      await begun.catch(async (error: unknown) => {
        begun = undefined;
        // The client has to send these chunks again.
        if (error instanceof SnapshotError) await target.forget(error.chunks);
        throw error;
      });
    }
    const remaining = target.missing().length;
    return { accepted, remaining_chunks: remaining, complete: remaining === 0 };
  };
  services.answerBy({ ...services.waiting, import_snapshot_chunk: take });
  return services;
}

async function openImport(
  { config, log, base: { store, crypto } }: NodeContext,
  file: string,
  genesis: Genesis,
): Promise<SnapshotImport> {
  const bls = await loadBls(config.native);
  const snapshot = await verifyLightSnapshot(
    readLight(file),
    undefined,
    { type: 'genesis', genesis },
    {
      hashes: crypto,
      verifySignature: (publicKey, message, signature) => bls.verify(signature, message, publicKey),
    },
  );
  return SnapshotImport.open({
    store,
    hashes: crypto,
    snapshot,
    // The node serves no other client yet.
    prepare: (encoded, target) => prepareChunk(crypto, encoded, target),
    buildTree: (tip) => buildTree({ config, log }, store, tip),
  });
}

/** Reads the answer of `get_light_snapshot`, or its bare result. */
function readLight(file: string): GetLightSnapshotResult {
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const isAnswer = typeof json === 'object' && json !== null && 'result' in json;
    return rpcTypes.GetLightSnapshotResult.fromJson(isAnswer ? json.result : json, 'snapshot');
  } catch (error) {
    const isSystem = error instanceof Error && 'syscall' in error;
    if (!(isSystem || error instanceof SyntaxError || error instanceof JsonDecodeError)) throw error;
    const message = `${file} is not the answer of get_light_snapshot: ${errorMessage(error)}`;
    throw new SnapshotError('malformed', message, { cause: error });
  }
}
