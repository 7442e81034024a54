/** Text for people: numbers, times and hex digits. Amounts and heights are exact; nothing here rounds a bigint. */

/** Groups the digits of an integer: `1,000,000`. */
export function grouped(value: bigint | number): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Shortens text in the middle if it is longer than both ends and the ellipsis. */
export function shortened(text: string, head = 8, tail = 6): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in its largest unit: `850 ms`, `4.2 s`, `12 min`, `3 h`, `5 d`. @param ms at least 0 */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < MINUTE) return `${Math.round(seconds)} s`;
  if (seconds < HOUR) return `${Math.round(seconds / MINUTE)} min`;
  if (seconds < 2 * DAY) return `${Math.round(seconds / HOUR)} h`;
  return `${Math.round(seconds / DAY)} d`;
}

/** The time since `thenMs`, in whole seconds below a minute so that it changes once per second. */
export function age(thenMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - thenMs) / 1_000));
  return seconds < MINUTE ? `${seconds} s ago` : `${duration(seconds * 1_000)} ago`;
}

/** The latest time that a `Date` can hold, in milliseconds. */
const MAX_DATE_MS = 8_640_000_000_000_000n;

/** A time of the chain as `2026-01-01 00:00:00 UTC`; the milliseconds if no calendar reaches that far. */
export function utc(ms: bigint): string {
  const time = isoTime(ms);
  return time === undefined ? `${grouped(ms)} ms` : `${time.slice(0, -5).replace('T', ' ')} UTC`;
}

/** A time of the chain as `2026-01-01T00:00:00.000Z`; undefined if no calendar reaches that far. */
export function isoTime(ms: bigint): string | undefined {
  return ms > MAX_DATE_MS ? undefined : new Date(Number(ms)).toISOString();
}

/** The share of `part` in `whole` in percent, to one decimal, computed in integers: `12.5%`. */
export function percent(part: bigint, whole: bigint): string {
  if (whole <= 0n) return '0%';
  const permille = (part * 1_000n) / whole;
  if (permille === 0n && part > 0n) return '<0.1%';
  return `${permille / 10n}.${permille % 10n}%`;
}

/** Bytes in binary units: `512 B`, `1.5 KiB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_024 ** 2) return `${(bytes / 1_024).toFixed(1)} KiB`;
  return `${(bytes / 1_024 ** 2).toFixed(1)} MiB`;
}

/** `1 block`, `2 blocks`. */
export function counted(count: number | bigint, singular: string, plural = `${singular}s`): string {
  return `${grouped(count)} ${count === 1 || count === 1n ? singular : plural}`;
}
