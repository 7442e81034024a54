/**
 * Cost of threshold signatures and sealed transactions, native and pure, in milliseconds per call, and of a partial
 * signature's round trip to the signature worker.
 *
 *     npm run bench -- threshold [require | off, default both]
 *
 * One signature and one verification by the same library are printed beside them for comparison. Assembling takes one
 * verification and an interpolation, natively of at most 0.6 of a verification; opening an envelope takes a pairing,
 * which only @noble/curves offers.
 */
import { Bench, type BenchOptions } from 'tinybench';
import type { NativeMode } from '../src/config/native-mode.js';
import { loadBls } from '../src/crypto/load-bls.js';
import { LagrangeCache } from '../src/crypto/scalars/lagrange.js';
import { sealOpener } from '../src/crypto/sealing/open.js';
import { seal } from '../src/crypto/sealing/seal.js';
import { sealIdentity } from '../src/crypto/sealing/seal-identity.js';
import { assemble } from '../src/crypto/threshold/assemble.js';
import { SignatureService } from '../src/crypto/threshold/signature-service.js';
import { dealKey } from '../test/support/crypto/shared-key.js';
import { describePositionals } from './support/bench-arguments.js';
import { recordCost } from './support/record-values.js';
import { printReport } from './support/statistics.js';

/** Few rounds for slow calls: the pure implementation would need minutes for the usual 64. */
const OPTIONS: BenchOptions = { time: 500, warmupTime: 100, iterations: 10, warmupIterations: 2 };

/** Quorum, number of validators, and signers whose Lagrange coefficients have a denominator because of gaps. */
const SETS = [
  [3, 4, [0, 1, 3]],
  [5, 7, [0, 1, 3, 4, 6]],
  [7, 10, [0, 1, 3, 4, 5, 6, 7]],
] as const;

async function measure(mode: NativeMode): Promise<void> {
  const bls = await loadBls(mode);
  const lagrange = new LagrangeCache();
  const message = new Uint8Array(81).fill(7);
  const bench = new Bench(OPTIONS);

  const first = dealKey(bls, 3, 4);
  const share = first.shares[0] ?? new Uint8Array(32);
  const partial = bls.sign(message, share);
  const shareKey = bls.publicKey(share);
  bench.add('sign a partial', () => bls.sign(message, share));
  bench.add('verify', () => bls.verify(partial, message, shareKey));

  for (const [quorum, validators, gaps] of SETS) {
    const key = dealKey(bls, quorum, validators);
    const partials = key.shares.map((own, index) => ({ index, signature: bls.sign(message, own) }));
    const some = partials.filter(({ index }) => gaps.some((signer) => signer === index));
    const spoiled = [{ index: 0, signature: partial.with(95, 0) }, ...partials.slice(1)];
    const name = `${quorum} of ${validators}`;
    bench.add(`assemble ${name}, in a row`, () => assemble(bls, lagrange, key, message, partials));
    bench.add(`assemble ${name}, with gaps`, () => assemble(bls, lagrange, key, message, some));
    bench.add(`assemble ${name}, one bad`, () => assemble(bls, lagrange, key, message, spoiled));
  }

  const identity = sealIdentity(7n, 40n);
  const parameters = {
    groupPublicKey: first.groupPublicKey,
    identity,
    header: new Uint8Array(92),
    action: new Uint8Array(100),
    randomness: new Uint8Array(64).fill(9),
  };
  const parts = seal(parameters);
  const heightKey = bls.sign(identity, first.groupPrivateKey);
  const opener = sealOpener(heightKey, bls);
  bench.add('seal', () => seal(parameters));
  bench.add('prepare the key of a height', () => sealOpener(heightKey, bls));
  bench.add('open an envelope', () => opener.open(parts, parameters.header));
  bench.add('check the point of an envelope', () => bls.isPublicKey(parts.u));

  const service = await SignatureService.start({ native: mode });
  await service.enterEpoch({ ...first, epoch: 1n, own: { index: 0, share } });
  bench.add('sign a partial in the worker, and back', () => service.sign(1n, message));
  bench.add('the same for 16 at once', () =>
    Promise.all(Array.from({ length: 16 }, () => service.sign(1n, message))),
  );
  await bench.run();
  await service.stop();

  const rows: Record<string, string> = {};
  const verification = bench.getTask('verify')?.result;
  const verifyMs = verification?.state === 'completed' ? verification.latency.p50 : Number.NaN;
  for (const task of bench.tasks) {
    const { result } = task;
    if (result.state !== 'completed') throw new Error(`${task.name} did not complete: ${result.state}`);
    const { p50 } = result.latency;
    rows[task.name] = `${p50.toFixed(3)} ms`;
    const name = `${mode === 'off' ? 'without native parts' : 'native'}: ${task.name}`;
    // Assembling takes one verification and an interpolation.
    const isAssembling = task.name.endsWith('in a row') || task.name.endsWith('with gaps');
    recordCost(name, 'ms', p50, {
      ...(isAssembling ? { baselines: [{ name: 'verification', rounds: [verifyMs] }] } : {}),
      ...(isAssembling && mode !== 'off' ? { aim: { of: 'ratio', at: 'most', bound: 1.6 } } : {}),
    });
  }
  printReport(`threshold signatures and sealing, native parts: ${mode}`, rows);
}

describePositionals('[require | off, default both]');
const modes: readonly NativeMode[] =
  process.argv[2] === undefined ? ['require', 'off'] : [process.argv[2] === 'off' ? 'off' : 'require'];
for (const mode of modes) await measure(mode);
