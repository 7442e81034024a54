/*
 * An honest client on a separate thread, so that it measures neither the flood's work nor the test's. It sends calls from each
 * message `begin` to the next message `finish`, and then posts their outcomes.
 *
 * Each group of calls has kept-alive connections and a pace; each connection sends at least one call. A late answer delays the next calls; their times start
 * when they were due, so that one long wait counts for every call that it delays.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { rpcBody } from './flood.js';
import type { FloodWorld } from './flood-world.js';
import {
  HONEST_GROUPS,
  HONEST_PACE,
  type HonestCall,
  type HonestGroup,
  HonestSender,
  honestCalls,
} from './honest-calls.js';
import { LoopbackConnection, refusalIn } from './loopback-connection.js';

export interface HonestTask {
  readonly url: string;
  readonly world: FloodWorld;
}

/** One call and its outcome. */
export interface HonestAnswer {
  readonly group: HonestGroup;
  readonly method: string;
  /** Time from the call's due time to the answer, in milliseconds. */
  readonly ms: number;
  /** Absent for a result; `lost` if no answer came. */
  readonly refused?: string;
  /** True if the call came due while an earlier call was waiting, and was never sent. */
  readonly isImplied: boolean;
}

const ADDRESS = '127.0.0.1';
/** Timeout for an answer, longer than the node's own. */
const PATIENCE_MS = 45_000;
/** Reasons to refuse a transfer that was already accepted. */
const TAKEN = /"reason":"(already_known|nonce_too_low)"/;

const { url, world } = workerData as HonestTask;
const calls = honestCalls(world);
let answers: HonestAnswer[] = [];
let isRunning = false;

/** Undefined for a result, else the kind of the error. */
async function ask(
  connection: LoopbackConnection,
  { method, params }: HonestCall,
): Promise<{ refused?: string; body: string }> {
  try {
    const answer = await connection.post(rpcBody(method, params), { timeoutMs: PATIENCE_MS });
    const refused = refusalIn(answer);
    return { body: answer.body.toString(), ...(refused !== undefined && { refused }) };
  } catch {
    return { refused: 'lost', body: '' };
  }
}

async function go(
  group: HonestGroup,
  next: () => HonestCall,
  answered?: (body: string, refused?: string) => boolean,
): Promise<void> {
  const connection = new LoopbackConnection(url, ADDRESS);
  const { everyMs: pace } = HONEST_PACE[group];
  let sent = 0;
  for (let due = performance.now(); isRunning || sent === 0; due = Math.max(due + pace, performance.now())) {
    await sleep(Math.max(0, due - performance.now()));
    if (!isRunning && sent > 0) break;
    sent++;
    const call = next();
    // A timer may fire a little early.
    const from = Math.min(due, performance.now());
    const { body, refused } = await ask(connection, call);
    const isGood = answered?.(body, refused) ?? refused === undefined;
    const outcome = isGood ? {} : { refused: refused ?? 'failed' };
    const ms = performance.now() - from;
    answers.push({ group, method: call.method, ms, isImplied: false, ...outcome });
    for (let late = ms - pace; late > pace; late -= pace) {
      answers.push({ group, method: call.method, ms: late, isImplied: true, ...outcome });
    }
  }
  connection.close();
}

async function nonceOf(address: string): Promise<bigint> {
  const connection = new LoopbackConnection(url, ADDRESS);
  const { body, refused } = await ask(connection, { method: 'account', params: { address } });
  connection.close();
  if (refused !== undefined) throw new Error(`account was answered ${body}`);
  const { result } = JSON.parse(body) as {
    readonly result: {
      readonly lanes: readonly {
        readonly lane: number;
        readonly next_nonce: number;
        readonly pending: number;
      }[];
    };
  };
  const lane = result.lanes.find((each) => each.lane === 0);
  return BigInt(lane?.next_nonce ?? 0) + BigInt(lane?.pending ?? 0);
}

async function submit(): Promise<void> {
  const sender = new HonestSender(world, await nonceOf(HonestSender.address));
  await go(
    'submits',
    () => sender.next(),
    (body, refused) => {
      const isTaken = refused === undefined || TAKEN.test(body);
      if (isTaken) sender.taken();
      return isTaken;
    },
  );
}

function startGroups(): Promise<void>[] {
  return HONEST_GROUPS.flatMap((group) => {
    if (group === 'submits') return [submit()];
    let asked = 0;
    const list = calls[group];
    const next = (): HonestCall => {
      const call = list[asked++ % list.length];
      if (call === undefined) throw new Error(`${group} has no calls`);
      return call;
    };
    return Array.from({ length: HONEST_PACE[group].connections }, () => go(group, next));
  });
}

async function measure(): Promise<void> {
  answers = [];
  isRunning = true;
  const groups = startGroups();
  parentPort?.postMessage('running');
  await Promise.all(groups);
  parentPort?.postMessage(answers);
}

parentPort?.on('message', (message: 'begin' | 'finish') => {
  if (message === 'finish') isRunning = false;
  else void measure();
});
