import { type AddressInfo, createServer } from 'node:net';

/**
 * Listens somewhere for a moment.
 * @param port 0 picks a free one
 * @returns the port
 * @throws the system's error where nobody may listen there
 */
export async function probePort(host: string, port: number): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen({ host, port, exclusive: true }, resolve);
  });
  // A server on a TCP port has an address object; it is a string only for pipes.
  const { port: free } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return free;
}
