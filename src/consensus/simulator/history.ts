import { WriteBatch } from '../../storage/write-batch.js';
import type { Certificate } from '../core/types.js';
import { finalityCertificate } from '../shell/conversions.js';
import { GENESIS_MS } from './sim-blocks.js';
import { appendSimBlock } from './sim-chain.js';
import { decodedBatch } from './sim-disk.js';
import type { SimValidator } from './sim-validator.js';
import type { World } from './world.js';

const GROUP_KEY = new Uint8Array(48);
const ROOM = new Uint8Array(4_096);

/** Makes the blocks that are final when a run begins, and writes them to the disks. */
export function layHistory(world: World, validators: readonly SimValidator[]): void {
  const { blocks, keys, scenario, random } = world;
  const { epochLength } = scenario.core;
  const { history, behind } = scenario;
  world.noteFinal(blocks.genesis);
  let parent = blocks.genesis;
  const upTo = validators.map(({ index }) => behind.get(index) ?? history);
  for (let height = 1; height <= history; height++) {
    const epoch = Math.floor((height - 1) / epochLength);
    const view = height - epoch * epochLength;
    const proposer = world.leaderOf(epoch, view);
    const timestampMs = GENESIS_MS + 100 * height;
    const block = blocks.build(parent, { epoch, view, proposer, timestampMs, transactions: [] });
    const { hash } = block.facts;
    const message = { kind: 'finalize', epoch, view, parentView: view - 1, hash } as const;
    for (let signer = 0; signer < scenario.validators; signer++) {
      keys.vote({ ...message, kind: 'notarize' }, signer);
      keys.vote(message, signer);
    }
    const signature = keys.certify(message);
    if (signature === undefined) throw new RangeError('a quorum of all validators is missing');
    const finalization: Certificate = { ...message, signature };
    const isCertified = random.chance(0.8) || height % epochLength === 0 || upTo.includes(height);
    const certificate = isCertified ? finalityCertificate(finalization, GROUP_KEY) : undefined;
    const batch = new WriteBatch(ROOM);
    appendSimBlock(batch, block, certificate);
    const writes = decodedBatch(batch.finish());
    for (const [at, { disk }] of validators.entries()) if (height <= (upTo[at] ?? 0)) disk.write(writes);
    world.noteFinal(block);
    world.anyFinalization = finalization;
    parent = block;
  }
  for (const { disk } of validators) disk.sync();
  world.epoch = Math.floor(history / epochLength);
  world.view = history % epochLength;
}
