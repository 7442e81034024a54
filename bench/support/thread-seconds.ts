import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of a process by thread, in seconds; Linux only. Ended threads are not included. */
export type ThreadSeconds = ReadonlyMap<number, number>;

export function threadSeconds(pid: number): ThreadSeconds {
  return new Map(readdirSync(`/proc/${pid}/task`).map((task) => [Number(task), secondsOf(pid, task)]));
}

/** Seconds used by the busiest threads between two readings: the main thread by name, others by place in the list. */
export function busiest(
  pid: number,
  before: ThreadSeconds,
  after: ThreadSeconds,
): Readonly<Record<string, number>> {
  const spent = [...after].map(([task, seconds], place) => ({
    name: task === pid ? 'main' : `thread ${place}`,
    seconds: seconds - (before.get(task) ?? 0),
  }));
  spent.sort((a, b) => b.seconds - a.seconds);
  return Object.fromEntries(
    spent.filter(({ seconds }) => seconds >= 0.1).map(({ name, seconds }) => [name, seconds]),
  );
}

function secondsOf(pid: number, task: string): number {
  const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8');
  // The thread's name may contain anything, so the fields are counted after it: user and system time are fields 14
  // and 15, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
