import { Option } from 'commander';
import { OPTIONS } from '../config/options.js';

const DEFAULT_URL = `http://${OPTIONS.host.default}:${OPTIONS.port.default}`;

/** Which node a command talks to. */
export function urlOption(): Option {
  return new Option('--url <URL>', `the node to talk to (default: HEDDLE_URL, else ${DEFAULT_URL})`);
}

export function urlOrDefault(
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  return given ?? (environment['HEDDLE_URL'] || DEFAULT_URL);
}
