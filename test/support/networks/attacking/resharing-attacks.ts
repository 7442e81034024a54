import { setTimeout as sleep } from 'node:timers/promises';
import { FRAME_KINDS, type FrameKind } from '../../../../src/network/frame-kinds.js';
import { framesOf } from './attack-link.js';
import type { Rogue } from './rogue.js';
import { random } from './sample-frames.js';

const KINDS: readonly FrameKind[] = ['dealt_share', 'dealt_ack', 'dealing', 'approval'];
const KEPT = 32;
const ALLOWED = 0.8;
const FAULT_MS = 2_000;

/** Collects what the victims send for the next epoch's shares, as the bytes of each kind. */
function overheard(rogue: Rogue): Map<FrameKind, Uint8Array[]> {
  const heard = new Map<FrameKind, Uint8Array[]>();
  rogue.onMessage((_victim, { kind }, payload) => {
    if (!KINDS.includes(kind)) return;
    const known = heard.get(kind) ?? [];
    heard.set(kind, known);
    known.push(Uint8Array.from(payload));
    if (known.length > KEPT) known.shift();
  });
  return heard;
}

/** Sends dealings of an earlier and of a later epoch over and over; the epoch is their first field. */
export async function sendUntimelyDealings(rogue: Rogue): Promise<void> {
  const heard = overheard(rogue);
  await Promise.all(
    (['dealt_share', 'dealing', 'dealt_ack'] as const).map((kind) =>
      rogue.atRate(kind, ALLOWED, (count) => {
        const known = heard.get(kind) ?? [];
        const payload = Uint8Array.from(known[count % Math.max(1, known.length)] ?? shortFrame(kind));
        new DataView(payload.buffer).setBigUint64(0, count % 2 === 0 ? 1_000n : 2n ** 64n - 1n, true);
        return framesOf(FRAME_KINDS[kind], payload);
      }),
    ),
  );
}

function shortFrame(kind: FrameKind): Uint8Array {
  return new Uint8Array(Math.min(80, FRAME_KINDS[kind].maxBytes));
}

/** Returns the victims' own messages to them, unchanged and with a changed byte; each fault costs a connection. */
export async function sendAlteredDealings(rogue: Rogue): Promise<void> {
  const heard = overheard(rogue);
  let next = 0;
  await rogue.onEachLink(async (link) => {
    const turn = next++;
    const kind = KINDS[turn % KINDS.length] ?? 'dealing';
    const known = heard.get(kind) ?? [];
    const payload = known.at(-1 - (turn % Math.max(1, known.length)));
    if (payload === undefined) {
      await sleep(50);
      return;
    }
    const altered = Uint8Array.from(payload);
    const at = Math.floor(Math.random() * altered.length);
    altered[at] = (altered[at] ?? 0) ^ 1;
    const copies = [payload, altered, altered, random(payload.length)];
    for (const each of copies) await rogue.write(link, framesOf(FRAME_KINDS[kind], each));
    const until = performance.now() + FAULT_MS;
    while (!rogue.isOver && link.isOpen && performance.now() < until) await sleep(10);
    link.hangUp();
  });
}
