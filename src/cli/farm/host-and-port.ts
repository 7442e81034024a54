import { InvalidArgumentError } from 'commander';

export interface HostAndPort {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Parses `HOST:PORT`; an IPv6 address is in brackets. @throws InvalidArgumentError */
export function hostAndPort(text: string): HostAndPort {
  const [, host, port] = /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || port === undefined || Number(port) > 65_535) {
    throw new InvalidArgumentError(`expected HOST:PORT such as 127.0.0.1:9600, got ${JSON.stringify(text)}`);
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
