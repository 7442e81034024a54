import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { errorMessage } from '../../base/errors.js';
import { QuotaError } from '../../rpc/access/quota-store.js';
import type { TokenAdmin } from '../../rpc/access/token-service.js';
import type { UsageReader } from '../../rpc/access/usage/usage.js';
import type { NodeContext } from '../node-context.js';
import type { CheckpointRequests } from './checkpoint-requests.js';
import {
  CONTROL_SOCKET,
  type ControlAnswer,
  type ControlRequest,
  controlSocketPath,
  MAX_REQUEST_CHARACTERS,
  type SocketPath,
} from './control-protocol.js';

/** The server closes a connection that is idle for this long. */
const TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 32;

export interface ControlServices {
  readonly tokens: TokenAdmin;
  readonly usage: UsageReader;
  readonly checkpoints: CheckpointRequests;
}

/**
 * Listens for the operator's commands. Some file systems do not support sockets, such as some that a container shares
 * with its host; the node then runs without a control socket.
 * @returns a function that stops listening
 */
export async function openControl(
  { config, log, faults }: Pick<NodeContext, 'config' | 'log' | 'faults'>,
  services: ControlServices,
): Promise<() => Promise<void>> {
  const { dataDir } = config;
  try {
    const onFault = (error: unknown, where: string): void => faults.report(error, where);
    const control = await ControlServer.open(dataDir, services, onFault);
    return () => control.close();
  } catch (err) {
    log.warn(
      { err },
      `"heddle token" and "heddle snapshot create" work only while the node is stopped: cannot listen on ${CONTROL_SOCKET} in ${dataDir}: ${errorMessage(err)}`,
    );
    return async () => undefined;
  }
}

/** Answers the commands of the operator of a running node; see `control-protocol.ts`. */
export class ControlServer {
  readonly #server: Server;
  readonly #path: SocketPath;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, path: SocketPath) {
    this.#server = server;
    this.#path = path;
  }

  /**
   * Listens in a data directory that this process owns. Only the directory's owner may connect (mode 0600).
   * @param onFault called with later errors of the socket
   * @throws Error of the system
   */
  static async open(
    dataDir: string,
    services: ControlServices,
    onFault: (error: unknown, where: string) => void,
  ): Promise<ControlServer> {
    // A killed node leaves its socket behind.
    await rm(join(dataDir, CONTROL_SOCKET), { force: true });
    const path = await controlSocketPath(dataDir);
    const server = createServer();
    const control = new ControlServer(server, path);
    server.maxConnections = MAX_CONNECTIONS;
    server.on('connection', (socket) => control.#accept(socket, services));
    try {
      await listenPrivately(server, path.path);
      server.on('error', (error) => onFault(error, 'taking an operator’s command'));
    } catch (error) {
      await path.close();
      throw error;
    }
    return control;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    await this.#path.close();
  }

  #accept(socket: Socket, services: ControlServices): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    // The command has disconnected and cannot receive an answer.
    socket.on('error', () => socket.destroy());
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
    socket.setEncoding('utf8');
    let text = '';
    const onData = (piece: string): void => {
      text += piece;
      const end = text.indexOf('\n');
      if (end < 0 && text.length <= MAX_REQUEST_CHARACTERS) return;
      socket.off('data', onData);
      void answer(text.slice(0, Math.max(0, end)), services).then((answered) => {
        socket.end(`${JSON.stringify(answered)}\n`);
      });
    };
    socket.on('data', onData);
  }
}

/** Listens on a socket that has mode 0600 from its creation. */
function listenPrivately(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const mask = process.umask(0o177);
    try {
      // The socket's file is created before `listen` returns.
      server.listen(path, () => {
        server.off('error', reject);
        resolve();
      });
    } finally {
      process.umask(mask);
    }
  });
}

async function answer(line: string, services: ControlServices): Promise<ControlAnswer> {
  try {
    return { result: await run(JSON.parse(line) as ControlRequest, services) };
  } catch (error) {
    const code = error instanceof QuotaError ? { code: error.code } : {};
    return { error: { ...code, message: errorMessage(error) } };
  }
}

async function run(request: ControlRequest, services: ControlServices): Promise<unknown> {
  const { tokens, usage, checkpoints } = services;
  switch (request.kind) {
    case 'token_issue':
      return tokens.issue(request.claims);
    case 'token_list':
      return tokens.list();
    case 'token_show':
      return tokens.show(request.id);
    case 'token_revoke':
      return tokens.revoke(request.id);
    case 'token_top_up':
      return tokens.topUp(request.id, request.units);
    case 'token_usage':
      return usage.usage(request.query);
    case 'checkpoint_cut':
      return checkpoints.cut(request.height === undefined ? undefined : BigInt(request.height));
    default: {
      const text = JSON.stringify(request satisfies never).slice(0, 100);
      throw new Error(`the node does not know this command: ${text}`);
    }
  }
}
