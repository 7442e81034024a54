import { openNodeHttpServer } from '../../../native-free/http/node-http-server.js';
import type { HttpServer, HttpServerOptions } from '../../../src/rpc/http/http-server.js';
import { loadUws } from '../../../src/rpc/http/native/load-uws.js';
import { openUwsServer } from '../../../src/rpc/http/native/uws-server.js';
import { NATIVE_MODES } from '../native-modes.js';

export interface HttpImplementation {
  readonly name: string;
  /** Reason why it cannot be tested here, or false. */
  readonly skip: string | false;
  readonly open: (options: HttpServerOptions) => Promise<HttpServer>;
}

const uws = loadUws();

const NATIVE_SERVER: HttpImplementation = {
  name: 'uWebSockets.js',
  skip: 'reason' in uws ? uws.reason : false,
  open: (options) => {
    if ('reason' in uws) throw new Error(uws.reason);
    return openUwsServer(uws.binding, options);
  },
};
const FALLBACK: HttpImplementation = { name: 'node:http', skip: false, open: openNodeHttpServer };

/** The HTTP server of each native mode under test. Mode `auto` uses the fallback where uWebSockets.js does not load. */
export const HTTP_IMPLEMENTATIONS = NATIVE_MODES.map((mode) =>
  mode === 'off' || (mode === 'auto' && 'reason' in uws) ? FALLBACK : NATIVE_SERVER,
);
