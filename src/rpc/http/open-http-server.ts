import { NATIVE_OFF, type NativeMode, type NativeReport } from '../../config/native-mode.js';
import type { HttpServer, HttpServerOptions } from './http-server.js';
import { HttpServerError, listenError } from './http-server-error.js';
import { type LoadedUws, loadUws } from './native/load-uws.js';
import { openUwsServer } from './native/uws-server.js';

/**
 * Starts listening on uWebSockets.js or on node:http, depending on `native`.
 * @param report called with the implementation in use
 * @throws HttpServerError if it cannot listen, or if `native` is `require` and uWebSockets.js does not load
 */
export async function openHttpServer(
  options: HttpServerOptions,
  native: NativeMode,
  report: NativeReport,
): Promise<HttpServer> {
  const chosen = chooseHttpServer(native);
  if ('reason' in chosen) {
    const { openNodeHttpServer } = await import('../../../native-free/http/node-http-server.js');
    const server = await listening(openNodeHttpServer(options), options);
    const { implementation } = server;
    report({ part: 'http', implementation, native: false, reason: chosen.reason });
    return server;
  }
  const server = await listening(openUwsServer(chosen.binding, options), options);
  report({ part: 'http', implementation: server.implementation, native: true });
  return server;
}

/**
 * Chooses between uWebSockets.js and, with a reason, node:http.
 * @throws HttpServerError if `native` is `require` and uWebSockets.js does not load
 */
export function chooseHttpServer(native: NativeMode): LoadedUws {
  if (native === 'off') return { reason: NATIVE_OFF };
  const loaded = loadUws();
  if (native === 'require' && 'reason' in loaded) {
    throw new HttpServerError('unavailable', `the native HTTP server is required, but ${loaded.reason}`);
  }
  return loaded;
}

function listening(server: Promise<HttpServer>, { host, port }: HttpServerOptions): Promise<HttpServer> {
  return server.catch((error: unknown) => {
    throw listenError(host, port, error);
  });
}
