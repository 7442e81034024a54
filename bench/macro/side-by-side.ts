import { loadUws } from '../../src/rpc/http/native/load-uws.js';
import { type RequestLoad, threadLoad } from '../support/request-load.js';
import type { Comparison } from './comparison.js';
import { measureFirstSecond } from './first-second.js';
import { type Entry, measureInTurn } from './in-turn.js';
import { MacroError } from './macro-error.js';
import {
  BARE,
  type Contestant,
  ethereumContestant,
  heddleContestant,
  startBare,
  startNodes,
} from './nodes/contestant.js';
import { chosenLoad, ethereumPrograms, type LoadOptions } from './options.js';
import { recordWork } from './record-work.js';
import type { Exchange, Work } from './work/work.js';

/** Ganache is measured only at this number of connections: more of them only make its answers wait. */
const GANACHE_CONNECTIONS = 16;
const GANACHE_MS = 500;
/** A node with slower single requests is left out of the work. */
const LONGEST_REQUEST_MS = 250;

/** Measures each piece of work on every node in turn, and records it. All answers are checked before. */
export async function compareSideBySide(comparison: Comparison): Promise<void> {
  const { options } = comparison;
  const load = chosenLoad(options.client);
  const programs = await ethereumPrograms(options);
  console.log(`load from ${load.name}`);
  const waitingLoad = threadLoad();
  try {
    const checked: CheckedWork[] = [];
    const nodes = await startNodes(programs, options.nodeFlag);
    try {
      const all = await comparison.prepareHeddle(nodes.heddle);
      for (const node of nodes.ethereum) await comparison.prepareEthereum(node);
      const heddle = heddleContestant(nodes.heddle);
      const others = nodes.ethereum.map(ethereumContestant);
      for (const work of selected(all, options)) checked.push(await check(work, heddle, others));
      for (const work of checked) await measure(work, heddle, { load, waitingLoad }, options);
    } finally {
      await nodes.stop();
    }
    // Ganache is measured only at few connections, and these are many.
    const anvil = programs.filter(({ kind }) => kind === 'anvil');
    for (const { work } of checked) {
      if (work.inFirstSecond === true) await measureFirstSecond(work.name, comparison, anvil, load);
    }
  } finally {
    await load.stop();
    await waitingLoad.stop();
  }
}

/** @throws MacroError if nothing is left */
function selected(all: readonly Work[], { only, skipVariants }: LoadOptions): readonly Work[] {
  const work = all.filter(({ name, isVariant }) => name.includes(only) && !(skipVariants && isVariant));
  if (work.length > 0) return work;
  const names = all.map(({ name }) => name).join('; ');
  throw new MacroError('no_such_work', `--only ${JSON.stringify(only)} selects none of this work: ${names}`);
}

interface CheckedWork {
  readonly work: Work;
  /** The nodes of Ethereum that take part. */
  readonly others: readonly Contestant[];
  /** The JSON of Heddle's result. */
  readonly result: string;
}

async function check(work: Work, heddle: Contestant, all: readonly Contestant[]): Promise<CheckedWork> {
  const answer = await answerOf(work.name, heddle, work.heddle);
  const others: Contestant[] = [];
  for (const other of all) {
    if (work.notOfferedBy?.some((kind) => kind === other.name) === true) {
      console.log(`${work.name}: ${other.name} doesn’t offer this`);
      continue;
    }
    await answerOf(work.name, other, work.ethereum);
    const begin = performance.now();
    await answerOf(work.name, other, work.ethereum);
    const ms = performance.now() - begin;
    if (ms > LONGEST_REQUEST_MS) {
      console.log(`${work.name}: ${other.name} is left out, one request takes ${Math.round(ms)} ms`);
      continue;
    }
    others.push(other);
  }
  const { result } = answer as { readonly result?: unknown };
  return { work, others, result: JSON.stringify(result) ?? 'null' };
}

/** @throws MacroError if the answer is wrong */
export async function answerOf(
  work: string,
  { name, url, path }: Contestant,
  exchange: Exchange,
): Promise<unknown> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: exchange.body,
  });
  const answer: unknown = await response.json();
  const mistake = exchange.mistake(answer);
  if (mistake === undefined) return answer;
  throw new MacroError('wrong_answer', `${work}, ${name}: ${mistake}`);
}

interface Loads {
  readonly load: RequestLoad;
  /** Also counts the answers under way at the end of a round. */
  readonly waitingLoad: RequestLoad;
}

async function measure(
  { work, others, result }: CheckedWork,
  heddle: Contestant,
  loads: Loads,
  { connections: counts, milliseconds, rounds }: LoadOptions,
): Promise<void> {
  const bare = work.bare === undefined ? undefined : await bareBeside(work, result);
  try {
    for (const connections of counts) {
      const entries = [heddle, ...others, ...(bare === undefined ? [] : [bare])]
        .filter(({ name }) => name !== 'ganache' || connections === GANACHE_CONNECTIONS)
        .map((contestant) => entryOf(contestant, work, loads, milliseconds));
      const [ours, ...theirs] = await measureInTurn(entries, connections, rounds);
      if (ours !== undefined) recordWork(work, connections, ours, theirs);
    }
  } finally {
    bare?.stop();
  }
}

/** Ganache and long work leave many requests in flight at the end of a round, and the load waits for them. */
function entryOf(contestant: Contestant, work: Work, loads: Loads, milliseconds: number): Entry {
  const isGanache = contestant.name === 'ganache';
  const isOurs = contestant.name === 'heddle' || contestant.name === BARE;
  return {
    contestant,
    body: (isOurs ? work.heddle : work.ethereum).body,
    load: isGanache || work.isLong === true ? loads.waitingLoad : loads.load,
    milliseconds: isGanache ? Math.min(GANACHE_MS, milliseconds) : milliseconds,
  };
}

async function bareBeside(work: Work, result: string): Promise<(Contestant & { stop(): void }) | undefined> {
  const loaded = loadUws();
  if ('reason' in loaded) {
    console.log(`${work.name}: there is no ${BARE} beside it: ${loaded.reason}`);
    return undefined;
  }
  const bare = await startBare(result);
  try {
    await answerOf(work.name, bare, work.heddle);
  } catch (error) {
    bare.stop();
    throw error;
  }
  return bare;
}
