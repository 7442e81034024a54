import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import type { Config } from './config/config.js';

/**
 * The node's logger. Records carry their facts as fields, by snake_case names, beside a message for people. Stable for
 * programs that read the log: the record whose message is `listening on <url>` has the fields `url`, `chain_id`
 * (decimal text) and `genesis_hash`, and is written once the node takes requests.
 */
export type Logger = PinoLogger;

/** Members that never reach the log, wherever a record or an object directly in it has them. */
const SECRETS = ['authorization', 'token', 'secret', 'seed', 'private_key', 'privateKey', 'password'];

/**
 * A logger on standard output: readable lines on a terminal, JSON records elsewhere, or as `logFormat` says.
 * @param output instead of standard output
 */
export async function createLogger(
  config: Pick<Config, 'logLevel' | 'logFormat'>,
  output?: DestinationStream,
): Promise<Logger> {
  const options = {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
  };
  // Written synchronously, so that the last record before an exit is never lost.
  const target = output ?? pino.destination({ dest: 1, sync: true });
  if (!isPretty(config)) return pino(options, target);
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({
    colorize: process.stdout.isTTY === true,
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  return pino(options, { write: (record: string) => target.write(pretty(record)) });
}

/** Whether the log is written for people. */
export function isPretty(config: Pick<Config, 'logFormat'>): boolean {
  return config.logFormat === 'pretty' || (config.logFormat === 'auto' && process.stdout.isTTY === true);
}
