// Loaded by `--import` into a real validator, whose node then works for the attacker: it makes valid blocks as full as
// allowed, whatever time they take, and in its turns does one deed after the other of those that a file lists.
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { ValidatorFillPolicy } from '../../../../src/chain/fill-policy.js';
import { DEV_CHAIN_ID } from '../../../../src/ledger/dev-genesis.js';
import type { FrameValues, MessageKind } from '../../../../src/network/frame-kinds.js';
import { Mesh, type PeerReference } from '../../../../src/network/mesh.js';
import { DEEDS, type DeedName, type Outlet } from './turncoat-deeds.js';
import { VoteForge } from './vote-forge.js';

/** The validator's directory, and the file with the deeds, a JSON list. */
const { TURNCOAT_DIRECTORY = '', TURNCOAT_DEEDS = '' } = process.env;

const BOUNDLESS_GAS = 10n ** 15n;

if (isMainThread) await turn();

async function turn(): Promise<void> {
  const forge = await VoteForge.open(TURNCOAT_DIRECTORY, DEV_CHAIN_ID);
  const peers = [0, 1, 2, 3].filter((index) => index !== forge.index);
  const { broadcast, send } = Mesh.prototype;
  let turns = 0;

  ValidatorFillPolicy.prototype.firstGas = () => BOUNDLESS_GAS;
  ValidatorFillPolicy.prototype.gasFor = () => BOUNDLESS_GAS;

  Mesh.prototype.broadcast = function <K extends MessageKind>(
    this: Mesh,
    kind: K,
    value: FrameValues[K],
  ): number {
    // Its users' transactions stay with it until they are in a block.
    if (kind === 'transactions') return 0;
    const deeds = deedsNow();
    if (kind !== 'proposal' || deeds.length === 0) return broadcast.call(this, kind, value);
    const name = deeds[turns++ % deeds.length] ?? 'honest';
    const outlet: Outlet = { forge, peers, send: (to, ...sent) => send.call(this, to, ...sent) };
    DEEDS[name](value as FrameValues['proposal'], outlet);
    console.error(`turncoat: ${name}`);
    return peers.length;
  };

  Mesh.prototype.send = function <K extends MessageKind>(
    this: Mesh,
    to: PeerReference,
    kind: K,
    value: FrameValues[K],
  ): boolean {
    if (kind === 'transactions') return false;
    // Requests for a withheld block stay unanswered.
    if (kind === 'block' && deedsNow().length > 0) return false;
    return send.call(this, to, kind, value);
  };
}

function deedsNow(): readonly DeedName[] {
  return JSON.parse(readFileSync(TURNCOAT_DEEDS, 'utf8')) as readonly DeedName[];
}
