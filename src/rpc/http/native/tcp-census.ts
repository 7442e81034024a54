import { readFile } from 'node:fs/promises';
import { clientOfAddress } from '../../../config/host.js';

// Field indexes of a line of `/proc/net/tcp`.
const LOCAL = 1;
const REMOTE = 2;
const INODE = 9;

/** Connections to a port by client, of all threads and processes; undefined except on Linux. Never rejects. */
export async function tcpCensus(port: number): Promise<ReadonlyMap<string, number> | undefined> {
  const texts = await Promise.all(['tcp', 'tcp6'].map(tableText));
  if (texts.every((text) => text === '')) return undefined;
  const counts = new Map<string, number>();
  for (const text of texts) countClients(text, port, counts);
  return counts;
}

/** Returns the lines of one table; the empty string without IPv6 or on a system other than Linux. */
async function tableText(name: string): Promise<string> {
  return readFile(`/proc/self/net/${name}`, 'latin1').catch(() => '');
}

export function countClients(text: string, port: number, counts: Map<string, number>): void {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of text.split('\n')) {
    const fields = line.trim().split(/\s+/);
    const remote = fields[REMOTE] ?? '';
    // A socket without an inode has no descriptor: it is closed or not yet accepted.
    if (fields[LOCAL]?.endsWith(end) !== true || remote.endsWith(':0000') || fields[INODE] === '0') continue;
    const client = clientOfAddress(addressText(remote.slice(0, remote.indexOf(':'))));
    counts.set(client, (counts.get(client) ?? 0) + 1);
  }
}

/** @param digits the address as 32-bit words in the machine's byte order, which is little endian */
function addressText(digits: string): string {
  const bytes = Buffer.from(digits, 'hex');
  bytes.swap32();
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.readBigUInt64BE(0) === 0n && bytes.readUInt32BE(8) === 0xffff)
    return bytes.subarray(12).join('.');
  return Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(2 * group).toString(16)).join(':');
}
