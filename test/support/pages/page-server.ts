import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../package-root.js';

/** The folder of compiled files. */
export const COMPILED = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

const ROOT = packageRoot(import.meta.url);
/** Packages that the client imports, by their paths on the server. */
const IMPORTS = {
  '@noble/': '/node_modules/@noble/',
  '@scure/base': '/node_modules/@scure/base/index.js',
  '@scure/bip32': '/node_modules/@scure/bip32/index.js',
  '@scure/bip39': '/node_modules/@scure/bip39/index.js',
  '@scure/bip39/': '/node_modules/@scure/bip39/',
  'p-limit': '/node_modules/p-limit/index.js',
  'yocto-queue': '/node_modules/yocto-queue/index.js',
};
const NONCE = 'bWFwIG9mIGltcG9ydHM';

export interface PageOptions {
  /** Compiled module that the page runs, such as `test/client/browser-page.js`. */
  readonly module: string;
  /** The page's input from `/task`. */
  readonly task: unknown;
  /** Further origin that the page may connect to. */
  readonly connect?: string;
}

export interface PostedVerdict {
  readonly text: string;
  /** The browser's user agent. */
  readonly browser: string;
}

/** Serves a page with compiled, unbundled modules under the strictest policy: no code from text, no WebAssembly. */
export async function servePage({ module, task, connect = '' }: PageOptions) {
  const policy =
    `default-src 'none'; script-src 'self' 'nonce-${NONCE}'; connect-src 'self' ${connect}`.trim();
  const page = `<!doctype html><meta charset="utf-8"><title>heddle</title>
<script type="importmap" nonce="${NONCE}">${JSON.stringify({ imports: IMPORTS })}</script>
<script type="module" src="/${module}"></script>`;
  const send = (response: ServerResponse, type: string, body: string): void => {
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy });
    response.end(body);
  };
  let settle: (verdict: PostedVerdict) => void = () => undefined;
  /** The verdict that the page posts. */
  const verdict = new Promise<PostedVerdict>((done) => {
    settle = done;
  });
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (request.method === 'POST') {
      let body = '';
      request.on('data', (part: Buffer) => {
        body += part.toString();
      });
      request.on('end', () => {
        response.end();
        settle({ text: body, browser: request.headers['user-agent'] ?? '' });
      });
    } else if (path === '/') {
      send(response, 'text/html', page);
    } else if (path === '/task') {
      send(response, 'application/json', JSON.stringify(task));
    } else if (
      /^\/(src|native-free|test|node_modules\/(@noble|@scure|p-limit|yocto-queue))\/[\w./-]+\.js$/.test(
        path,
      ) &&
      !path.includes('..')
    ) {
      const root = path.startsWith('/node_modules') ? ROOT : COMPILED;
      send(response, 'text/javascript', readFileSync(join(root, path), 'utf8'));
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/`, verdict, close };
}
