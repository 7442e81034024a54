import { InvalidArgumentError, Option } from 'commander';
import type { Tracer } from '../../generated/node-rpc-v1.js';

const TRACERS: readonly Tracer['type'][] = ['call_tree', 'host_ops', 'state_diff', 'prestate', 'gas_profile'];

/** The option that selects the parts of a trace; repeatable or comma-separated. */
export function tracerOption(): Option {
  return new Option(
    '--tracer <NAMES>',
    `${TRACERS.join(', ')}; several with commas (default: call_tree)`,
  ).argParser(tracers);
}

function tracers(text: string, before: readonly Tracer[] = []): readonly Tracer[] {
  const given = text.split(',').map((name) => {
    const type = TRACERS.find((known) => known === name.trim());
    if (type === undefined) {
      throw new InvalidArgumentError(`expected ${TRACERS.join(', ')}, got ${JSON.stringify(name)}`);
    }
    return { type };
  });
  return [...before, ...given];
}
