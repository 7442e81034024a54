/**
 * Wraps what says that something goes wrong, so that it says so once in a while however often it does: at once the first
 * time, then at most once an interval, with how many it stands for.
 */
export function seldom(
  say: (error: unknown, times: number) => void,
  intervalMs = 1_000,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  let times = 0;
  return (error) => {
    times++;
    const time = now();
    if (time - saidAt < intervalMs) return;
    saidAt = time;
    say(error, times);
    times = 0;
  };
}
