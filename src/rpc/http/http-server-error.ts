/** Why an HTTP server cannot be had. */
export type HttpServerErrorCode =
  /** Another process, or another server of this one, listens there. */
  | 'port_in_use'
  /** The host name is not known, or no address of this machine. */
  | 'host_not_available'
  /** The system does not let this user listen there. */
  | 'permission_denied'
  /** Anything else that the system says. */
  | 'listen_failed'
  /** The native server was required and does not load here. */
  | 'unavailable';

export class HttpServerError extends Error {
  override readonly name = 'HttpServerError';

  constructor(
    readonly code: HttpServerErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * What a failed attempt to listen means to a person.
 * @param cause the error of node:net
 */
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
        `cannot listen on ${where}: ${host} is no address of this machine; choose another with --host`,
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
      const reason = cause instanceof Error ? cause.message : String(cause);
      return new HttpServerError('listen_failed', `cannot listen on ${where}: ${reason}`, { cause });
    }
  }
}
