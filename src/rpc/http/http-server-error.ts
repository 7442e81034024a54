import { CodedError, errorMessage } from '../../base/errors.js';

export type HttpServerErrorCode =
  /** Another process, or another server in this process, listens on the port. */
  | 'port_in_use'
  /** The host name does not resolve, or the address is not on this machine. */
  | 'host_not_available'
  | 'permission_denied'
  /** Any other system error. */
  | 'listen_failed'
  /** The package has no built explorer, and the explorer is not off. */
  | 'site_missing'
  /** The native server is required but does not load. */
  | 'unavailable';

export class HttpServerError extends CodedError<HttpServerErrorCode> {
  override readonly name = 'HttpServerError';
}

export function listenError(host: string, port: number, cause: unknown): HttpServerError {
  const systemCode = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const where = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  switch (systemCode) {
    case 'EADDRINUSE':
      return new HttpServerError(
        'port_in_use',
        `${where} is in use already: stop what listens there, or choose another port with --port`,
        { cause },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new HttpServerError(
        'host_not_available',
        `cannot listen on ${where}: ${host} is not an address of this machine; choose another with --host`,
        { cause },
      );
    case 'EACCES':
    case 'EPERM':
      return new HttpServerError(
        'permission_denied',
        `no permission to listen on ${where}; ports below 1024 need privileges`,
        { cause },
      );
    default: {
      const reason = errorMessage(cause);
      return new HttpServerError('listen_failed', `cannot listen on ${where}: ${reason}`, { cause });
    }
  }
}
