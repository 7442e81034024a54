import { parseHost } from '../config/host.js';
import { MeshError } from './mesh-error.js';

export interface Endpoint {
  /** A host name or an address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Parses `host:port`, `1.2.3.4:port` or `[::1]:port`. @throws MeshError `bad_endpoint` */
export function parseEndpoint(text: string): Endpoint {
  const parsed = parseHost(text);
  const port = Number(parsed?.port);
  if (parsed === undefined || parsed.name.startsWith('*') || !(port >= 1 && port <= 65_535)) {
    throw new MeshError(
      'bad_endpoint',
      `not an endpoint: expected HOST:PORT, got ${JSON.stringify(text.slice(0, 80))}`,
    );
  }
  return { host: parsed.name, port };
}

/** Formats an endpoint so that {@link parseEndpoint} can read it. */
export function endpointText({ host, port }: Endpoint): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
