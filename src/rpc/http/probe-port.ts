import { type AddressInfo, createServer } from 'node:net';

/** Checks that a port is available. @param port 0 picks a free port @throws the system's error if it is not */
export async function probePort(host: string, port: number): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen({ host, port, exclusive: true }, resolve);
  });
  // A TCP server has an address object; only pipes have a string.
  const { port: free } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return free;
}
