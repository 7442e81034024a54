import type { Scenario } from '../../../src/consensus/simulator/scenario.js';

export interface CalmNetwork {
  readonly seed: number;
  readonly validators: number;
  readonly blockTimeMs: number;
  /** One way, least and most. */
  readonly latencyMs: readonly [number, number];
}

/** A network without faults in which envelopes open at each height. */
export function calmSealedScenario({ seed, validators, blockTimeMs, latencyMs }: CalmNetwork): Scenario {
  return {
    seed,
    validators,
    core: { epochLength: 10_000, deltaMs: 500, blockTimeMs, idleBlockTimeMs: 5_000, sealInstantly: false },
    work: 'busy',
    envelopes: true,
    faulty: new Map(),
    faultyFromEpoch: 0,
    faultEvents: [],
    history: 0,
    behind: new Map(),
    stableFromMs: 0,
    allRestart: false,
    outageAtVote: 0,
    latencyMs,
    loss: 0,
    rareKind: undefined,
    gaps: 0,
    duplication: 0,
    delay: 0,
    longDelayMs: 0,
    writeCrash: 0,
    writeFailure: 0,
    unsyncedCrash: 0,
    syncMs: 3,
    verifyMs: 5,
    stall: 0,
    signMs: 4,
    enterMs: 0,
    signFailure: 0,
    signStall: 0,
    earlyTimers: false,
    unaffordable: false,
    withholding: 0,
    skewsMs: Array.from({ length: validators }, () => 0),
    mayStop: false,
  };
}
