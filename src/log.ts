import { isMainThread } from 'node:worker_threads';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { threadName } from './async/thread-name.js';
import { shownLine, shownText } from './base/shown-text.js';
import { withSourcePositions } from './base/source-positions.js';
import type { Config } from './config/config.js';

/**
 * The node's logger. Records carry facts as snake_case fields beside a human-readable message. One record is stable for
 * programs that read the log: the one with the message `listening on <url>` has the fields `url`, `chain_id` (decimal
 * text) and `genesis_hash`, and is written once the node accepts requests.
 */
export type Logger = PinoLogger;

/** Fields that are redacted from every record and from the objects directly in it. */
const SECRETS = [
  'authorization',
  'token',
  'secret',
  'seed',
  'private_key',
  'privateKey',
  'password',
  'passphrase',
];

export type LogConfig = Pick<Config, 'logLevel' | 'logFormat'>;

/**
 * Creates a logger on standard output: readable lines on a terminal and JSON records elsewhere, unless `logFormat` is
 * set.
 * @param output destination instead of standard output
 */
export async function createLogger(config: LogConfig, output?: DestinationStream): Promise<Logger> {
  const options = {
    level: config.logLevel,
    // Records of the main thread name no thread.
    base: isMainThread ? null : { thread: threadName },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serializeError },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
  };
  // Written synchronously, so that the last record before an exit is never lost.
  const target = output ?? pino.destination({ dest: 1, sync: true });
  if (!isPretty(config)) return pino(options, { write: (record: string) => target.write(shownText(record)) });
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({
    colorize: process.stdout.isTTY === true,
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  return pino(options, { write: (record: string) => target.write(pretty(shownRecord(record))) });
}

/** A record whose texts have one line each, except for the stacks of errors, which are indented. */
function shownRecord(record: string): unknown {
  return JSON.parse(record, (name, value: unknown) => {
    if (typeof value !== 'string') return value;
    return name === 'stack' ? shownText(value) : shownLine(value);
  });
}

/** As pino does by itself, with the positions of the sources. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const serialized = pino.stdSerializers.err(error);
  return { ...serialized, stack: withSourcePositions(serialized.stack) };
}

export function isPretty(config: LogConfig): boolean {
  return config.logFormat === 'pretty' || (config.logFormat === 'auto' && process.stdout.isTTY === true);
}
