import { ConfigError } from '../../../config/config-error.js';
import { expectValidatorKey } from '../../../node/core/open-certificates.js';
import { expectDevChain } from '../../../node/dev/dev-chain.js';
import { expectFollowed } from '../../../node/follower/trust-anchor.js';
import type { DoctorContext } from './doctor-context.js';
import { type Finding, ok, problem } from './finding.js';

const EXPECTED = 'options that go together';

/** Checks combinations of options. The command line has already checked each value. */
export function checkConfiguration({ config }: DoctorContext): Finding {
  try {
    expectFollowed(config);
    expectDevChain(config);
    expectValidatorKey(config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return problem('configuration', error.message, EXPECTED, 'change the options as the message says');
  }
  const role =
    config.follow.length > 0
      ? `follows ${config.follow.join(', ')}`
      : config.validator !== undefined
        ? `one of several validators, from ${config.validator}`
        : config.genesisFile === undefined
          ? 'seals the development chain'
          : 'seals its own chain';
  return ok('configuration', role, EXPECTED);
}
