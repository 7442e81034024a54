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

/** Enough for the compilers of V8. */
const WARM_UP_MS = 600;

/** Measures the servers in turn, so that other load of the machine affects all of them. A round before warms them up. */
export async function measureInTurn(
  entries: readonly Entry[],
  connections: number,
  rounds: number,
): Promise<readonly Measured[]> {
  const measured = entries.map(({ contestant: { name } }) => ({ name, samples: [] as Sample[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const [i, entry] of entries.entries()) {
      const sample = await measureOnce(entry, connections, round === 0 ? WARM_UP_MS : entry.milliseconds);
      if (round > 0) measured[i]?.samples.push(sample);
    }
  }
  return measured;
}

async function measureOnce(entry: Entry, connections: number, milliseconds: number): Promise<Sample> {
  const { contestant, body, load } = entry;
  const { url, path } = contestant;
  const before = cpuSecondsOf(contestant.pids());
  const { answers, seconds } = await load.count({ url, path, body, connections, milliseconds });
  const spent = cpuSecondsOf(contestant.pids()) - before;
  return { rate: answers / seconds, micros: (spent * 1e6) / answers };
}
