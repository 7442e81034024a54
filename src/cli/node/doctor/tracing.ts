import { expectTracingPackages, TracingError } from '../../../rpc/tracing/open-tracing.js';
import type { DoctorContext } from './doctor-context.js';
import { type Finding, ok, problem } from './finding.js';

const EXPECTED = 'the optional @opentelemetry packages, with --otlp-endpoint';

/** Checks whether the node can export traces, if it should. Sends nothing to the receiver. */
export async function checkTracing({ config }: DoctorContext): Promise<Finding[]> {
  if (config.otlpEndpoint === undefined) return [];
  try {
    await expectTracingPackages();
    return [ok('tracing', 'the packages are installed; the receiver was not asked', EXPECTED)];
  } catch (error) {
    if (!(error instanceof TracingError)) throw error;
    const advice = 'install the package with its optional dependencies, or leave out --otlp-endpoint';
    return [problem('tracing', error.message, EXPECTED, advice)];
  }
}
