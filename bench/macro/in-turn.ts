import { cpuSecondsOf } from '../support/process-tree.js';
import type { RequestLoad } from '../support/request-load.js';
import type { Contestant } from './nodes/contestant.js';

/** One round of one server. */
export interface Sample {
  /** Answers per second. */
  readonly rate: number;
  /** Processor time of all threads of the server per answer, in µs. */
  readonly micros: number;
}

/** A server and its load. */
export interface Entry {
  readonly contestant: Contestant;
  readonly body: string;
  readonly load: RequestLoad;
  readonly milliseconds: number;
}

/** The samples of one server. */
export interface Measured {
  readonly name: Contestant['name'];
  readonly samples: readonly Sample[];
}

/** A server is warm once a burst costs at least this share of the processor time per answer of the burst before. */
const WARM_SHARE = 0.85;
const WARM_UP = { milliseconds: 300, bursts: 8 };

/** Measures the servers in turn, so that other load of the machine affects all of them. Each is warmed up before. */
export async function measureInTurn(
  entries: readonly Entry[],
  connections: number,
  rounds: number,
): Promise<readonly Measured[]> {
  const measured = entries.map(({ contestant: { name } }) => ({ name, samples: [] as Sample[] }));
  for (const entry of entries) await warmUp(entry, connections);
  for (let round = 0; round < rounds; round++) {
    for (const [i, entry] of entries.entries()) {
      measured[i]?.samples.push(await measureOnce(entry, connections, entry.milliseconds));
    }
  }
  return measured;
}

/** Keeps a server busy until V8 has compiled its work. On a busy machine that takes longer than any fixed time. */
async function warmUp(entry: Entry, connections: number): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  for (let burst = 0; burst < WARM_UP.bursts; burst++) {
    const { micros } = await measureOnce(entry, connections, WARM_UP.milliseconds);
    if (micros > WARM_SHARE * before || entry.contestant.name === 'ganache') return;
    before = micros;
  }
}

async function measureOnce(entry: Entry, connections: number, milliseconds: number): Promise<Sample> {
  const { contestant, body, load } = entry;
  const { url, path } = contestant;
  const before = cpuSecondsOf(contestant.pids());
  const { answers, seconds } = await load.count({ url, path, body, connections, milliseconds });
  const spent = cpuSecondsOf(contestant.pids()) - before;
  return { rate: answers / seconds, micros: (spent * 1e6) / answers };
}
