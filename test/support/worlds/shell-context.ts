import assert from 'node:assert/strict';
import { NODE_RUNTIME } from '../../../src/async/runtime.js';
import type { ShellContext } from '../../../src/consensus/shell/shell-context.js';
import { NO_PEERS, SOLE_EPOCHS, SOLE_SIGNATURES } from '../../../src/consensus/shell/sole-validator.js';
import { CRYPTO } from '../crypto/loaded-crypto.js';
import { CONFIG, CoreHarness } from '../worlds/core-harness.js';

const nothing = () => undefined;

/**
 * The context of a part of the shell under test: of validator 0 of four, without chain and blocks. Its lifecycle runs and
 * fails the test on errors; what the part uses besides is given.
 */
export function shellContext(
  given: Partial<Omit<ShellContext, 'chain' | 'known'>> & {
    readonly chain?: Partial<ShellContext['chain']>;
    readonly known?: Partial<ShellContext['known']>;
  },
): ShellContext {
  const unexpected = () => assert.fail('not expected in this test');
  return {
    runtime: NODE_RUNTIME,
    config: CONFIG,
    store: { get: nothing },
    blocks: { header: nothing, heightOf: nothing, encodedItems: () => [] },
    crypto: CRYPTO,
    pool: { hasReady: () => false, heldBackFee: nothing },
    signatures: SOLE_SIGNATURES,
    network: NO_PEERS,
    epochs: SOLE_EPOCHS,
    groupPublicKey: new Uint8Array(48),
    onFailure: unexpected,
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    isSole: false,
    core: new CoreHarness({ self: 0 }).core,
    events: { hasStarted: true, push: nothing },
    clock: { pauseSince: nothing },
    membership: { validators: 4, self: 0, mayVote: true },
    lifecycle: {
      isRunning: true,
      stopping: new AbortController().signal,
      fail: (error) => assert.ifError(error),
      run: (_, work) => work(),
      handleError: (error) => assert.ifError(error),
    },
    ...given,
    chain: {
      get tip(): never {
        return unexpected();
      },
      propose: unexpected,
      onProposalEnded: unexpected,
      verify: unexpected,
      commit: unexpected,
      release: unexpected,
      trySuspects: unexpected,
      unopenedHeights: () => [],
      ...given.chain,
    },
    known: {
      get: nothing,
      take: unexpected,
      addOwn: unexpected,
      restore: unexpected,
      forget: nothing,
      ...given.known,
    },
  };
}
