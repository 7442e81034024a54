import type { Config } from '../config/config.js';
import { packageVersion } from '../config/package-info.js';
import type { Logger } from '../log.js';
import type { Tracing } from '../rpc/tracing/tracing.js';

/**
 * Starts recording the spans of this thread. Without `--otlp-endpoint`, loads nothing and returns undefined.
 * @throws TracingError
 */
export async function configuredTracing(
  { otlpEndpoint, otlpPercent }: Config,
  log: Logger,
  thread: string,
): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const { openTracing } = await import('../rpc/tracing/open-tracing.js');
  return openTracing({
    endpoint: otlpEndpoint,
    percent: otlpPercent,
    version: packageVersion(),
    thread,
    log,
  });
}
