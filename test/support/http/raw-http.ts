import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  /** The statuses received, such as `[200, 400]`. */
  readonly statuses: readonly number[];
  readonly text: string;
  /** Whether the server closed the connection. */
  readonly closed: boolean;
  readonly ms: number;
}

/**
 * Sends raw bytes and collects the answer until the server closes, or the time is up, or the answer matches `until`.
 */
export function rawExchange(
  url: string,
  bytes: string | Uint8Array,
  withinMs: number,
  until?: RegExp,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let text = '';
    const end = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ statuses, text, closed, ms: performance.now() - started });
    };
    const timer = setTimeout(() => end(false), withinMs);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (until?.test(text) === true) end(false);
    });
    socket.on('error', () => end(true));
    socket.on('close', () => end(true));
  });
}

/** A connection from this loopback address, so that the server counts a separate client. */
export function rawConnection(url: string, localAddress = '127.0.0.1'): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress, noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      // A server that cuts a connection off may reset it.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}
