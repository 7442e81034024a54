/**
 * Cost of resharing the group key, in milliseconds of CPU time, by the number of validators.
 *
 *     npm run bench -- dkg [require | off, default require] [validators…, default 4 7 10 32 100]
 */
import { randomBytes } from 'node:crypto';
import { dealerGenesis } from '../src/consensus/dealer-genesis.js';
import { newEncryptionKey } from '../src/consensus/files/encryption-file.js';
import { ResharingDealer } from '../src/consensus/resharing/dealer.js';
import { loadBls } from '../src/crypto/load-bls.js';
import { loadCrypto } from '../src/crypto/load-crypto.js';
import type { Dealing } from '../src/generated/ledger.js';
import { checkComplaint } from '../src/ledger/validators/check-complaint-points.js';
import { checkDealing } from '../src/ledger/validators/check-dealing-points.js';
import { checkEvaluation } from '../src/ledger/validators/check-evaluation.js';
import { checkShareKeys } from '../src/ledger/validators/check-share-keys.js';
import { nextSet } from '../src/ledger/validators/next-set.js';
import { maxFaulty } from '../src/ledger/validators/quorum.js';
import { openShare, sealShares } from '../src/ledger/validators/sealed-shares.js';
import { ackMessage, commitmentsDigest } from '../src/ledger/validators/signed-messages.js';
import { describePositionals } from './support/bench-arguments.js';
import { recordCost } from './support/record-values.js';

const CHAIN_ID = 1n;

const SCALAR = new Uint8Array(32);
const NOTHING = {
  player: 0,
  ephemeral: new Uint8Array(48),
  share: SCALAR,
  challenge: SCALAR,
  response: SCALAR,
};

describePositionals('[require | off, default require] [validators…, default 4 7 10 32 100]');
const [mode = 'require', ...sizes] = process.argv.slice(2);
const native = mode === 'off' ? 'off' : 'require';
const crypto = await loadCrypto(native);
const bls = await loadBls(native);
const random = (length: number) => Uint8Array.from(randomBytes(length));

/** Returns the least CPU time in milliseconds of three rounds, which other load disturbs least, and records all. */
function milliseconds(name: string, work: () => unknown): string {
  work();
  const rounds: number[] = [];
  for (let round = 0; round < 3; round++) {
    const begun = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begun);
    rounds.push((user + system) / 1_000);
  }
  recordCost(name, 'ms', rounds);
  const least = Math.min(...rounds);
  return least.toFixed(least < 10 ? 1 : 0);
}

function measure(count: number): Record<string, string> {
  const seeds = Array.from({ length: count }, () => random(32));
  const keys = seeds.map(() => newEncryptionKey(bls, random));
  const validators = seeds.map((seed, index) => ({
    identity_key: crypto.ed25519.publicKey(seed),
    encryption_key: keys[index]?.publicKey ?? random(48),
    endpoint: '127.0.0.1:1',
  }));
  const configuration = {
    chain_id: CHAIN_ID,
    timestamp_ms: 0n,
    gas_limit: 1_000_000n,
    base_fee: 1n,
    accounts: [],
    validators,
  };
  const { genesis, shares } = dealerGenesis({ crypto, bls, random }, configuration);
  const currentSet = genesis.validator_set;
  const members = currentSet.validators.map(({ address, identity_key }, index) => ({
    address,
    identity_key,
    encryption_key: genesis.encryption_keys?.[index] ?? new Uint8Array(48),
  }));
  const context = { chainId: CHAIN_ID, epoch: 0n, currentSet, nextPlayers: members };
  const deal = (index: number, silent: number): Dealing => {
    const machine = new ResharingDealer({
      crypto,
      bls,
      random,
      sign: (message) => crypto.ed25519.sign(message, seeds[index] ?? new Uint8Array(32)),
      context,
      index,
      share: shares[index] ?? new Uint8Array(32),
    });
    const effects = machine.step({ type: 'start' });
    for (const effect of effects) {
      if (effect.type !== 'send' || effect.player < silent) continue;
      const { player, dealt } = effect;
      const digest = commitmentsDigest(crypto, dealt.commitments);
      const message = ackMessage(CHAIN_ID, { epoch: 0n, dealer: index, player, digest });
      const signature = crypto.ed25519.sign(message, seeds[player] ?? new Uint8Array(32));
      const ack = { epoch: 0n, dealer: index, ack: { player, signature } };
      effects.push(...machine.step({ type: 'acknowledged', from: player, ack }));
    }
    effects.push(...machine.step({ type: 'deadline' }));
    for (const effect of effects) {
      if (effect.type !== 'seal') continue;
      effects.push(...machine.step({ type: 'sealed', sealed: sealShares({ crypto, bls }, effect.input) }));
    }
    for (const effect of effects.reverse()) if (effect.type === 'dealing') return effect.dealing;
    throw new Error('no dealing');
  };
  const dealings = Array.from({ length: currentSet.quorum }, (_, index) => deal(index, 0));
  const plain = deal(0, 0);
  const sealing = deal(0, maxFaulty(count));
  const [sealed] = sealing.sealed;
  const { commitments } = sealing;
  const toOpen = {
    chainId: CHAIN_ID,
    epoch: 0n,
    dealer: 0,
    commitments,
    privateKeys: [keys[0]?.privateKey ?? random(32)],
    encryptionKey: keys[0]?.publicKey ?? random(48),
    nonce: random(48),
  };
  const good = openShare({ crypto, bls }, { ...toOpen, sealed: sealed ?? NOTHING });
  const garbage = { ...(sealed ?? NOTHING), share: random(32) };
  const bad = openShare({ crypto, bls }, { ...toOpen, sealed: garbage });
  if (good.type !== 'good' || bad.type !== 'garbage' || bad.complaint === undefined) {
    throw new Error('expected a good share and garbage');
  }
  const disputed = { ...toOpen, sealed: garbage, complaint: bad.complaint };
  const steps: Readonly<Record<string, () => unknown>> = {
    'check a dealing': () => checkDealing({ crypto, bls }, plain, context),
    'with f sealed': () => checkDealing({ crypto, bls }, sealing, context),
    'open a share': () => openShare({ crypto, bls }, { ...toOpen, sealed: sealed ?? NOTHING }),
    'check a complaint': () => checkComplaint({ crypto, bls }, disputed),
    'check an evaluation': () => checkEvaluation(bls, { commitments, player: 0, share: good.share }),
    'next set': () => nextSet(currentSet, members, dealings),
    'check share keys': () => checkShareKeys(bls, currentSet),
  };
  return Object.fromEntries(
    Object.entries(steps).map(([step, work]) => [step, milliseconds(`${count} validators: ${step}`, work)]),
  );
}

const table: Record<string, Record<string, string>> = {};
for (const count of sizes.length === 0 ? [4, 7, 10, 32, 100] : sizes.map(Number)) {
  table[`${count} validators`] = measure(count);
}
console.table(table);
