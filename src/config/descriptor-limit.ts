import { readFileSync } from 'node:fs';

/** Assumed if the system reports none: the minimum on macOS and the BSDs once Node has raised the soft limit. */
const UNKNOWN_LIMIT = 4_096;
/** Bounds of the descriptors reserved for threads, store files and other validators: a quarter of the limit. */
export const KEPT_DESCRIPTORS = 256;
const MAX_KEPT = 4_096;
/** Upper limit of the default: each connection costs some KiB in the process and in the kernel. */
const MAX_CONNECTIONS = 50_000;
const MIN_CONNECTIONS = 16;

/** Maximum number of open descriptors of this process. */
export function descriptorLimit(): number {
  let text: string;
  try {
    text = readFileSync('/proc/self/limits', 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return UNKNOWN_LIMIT;
    throw error;
  }
  return parseDescriptorLimit(text);
}

/** @param text contents of `/proc/self/limits` */
export function parseDescriptorLimit(text: string): number {
  const [, soft] = /^Max open files\s+(\d+|unlimited)\s/m.exec(text) ?? [];
  if (soft === 'unlimited') return Number.POSITIVE_INFINITY;
  return soft === undefined ? UNKNOWN_LIMIT : Number(soft);
}

/** Maximum configurable number of connections under a descriptor limit. */
export function maxConnectionsFor(limit: number): number {
  return Math.max(defaultConnectionsFor(limit), limit - KEPT_DESCRIPTORS);
}

/** Default number of connections under a descriptor limit; at least 16. */
export function defaultConnectionsFor(limit: number): number {
  const kept = Math.min(MAX_KEPT, Math.max(KEPT_DESCRIPTORS, Math.floor(limit / 4)));
  const left = Math.max(limit - kept, Math.floor(limit / 4), MIN_CONNECTIONS);
  return Math.min(left, MAX_CONNECTIONS);
}
