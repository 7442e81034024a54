import type { Config } from '../config/config.js';
import { packageVersion } from '../config/package-info.js';
import type { Logger } from '../log.js';
import type { Tracing } from '../rpc/tracing/tracing.js';

/**
 * Starts recording spans of this thread; undefined without `--otlp-endpoint`, in which case nothing is loaded.
 * @throws TracingError
 */
export async function configuredTracing(
  { otlpEndpoint, otlpPercent }: Pick<Config, 'otlpEndpoint' | 'otlpPercent'>,
  log: Logger,
  thread: string,
): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const { openTracing } = await import('../rpc/tracing/open-tracing.js');
  return openTracing({
    ...{ endpoint: otlpEndpoint, percent: otlpPercent, version: packageVersion(), thread, log },
  });
}
