/**
 * Cost of resharing the group key, in milliseconds of CPU time, by the number of validators.
 *
 *     node dist/bench/dkg.bench.js [require | off, default require] [validators…, default 4 7 10 32 100]
 */
import { randomBytes } from 'node:crypto';
import { dealerGenesis } from '../src/consensus/dealer-genesis.js';
import { newEncryptionKey } from '../src/consensus/files/encryption-file.js';
import { ResharingDealer } from '../src/consensus/resharing/dealer.js';
import { loadBls } from '../src/crypto/load-bls.js';
import { loadCrypto } from '../src/crypto/load-crypto.js';
import type { Dealing } from '../src/generated/ledger.js';
import { checkDealing } from '../src/ledger/validators/check-dealing-points.js';
import { checkEvaluation } from '../src/ledger/validators/check-evaluation.js';
import { checkShareKeys } from '../src/ledger/validators/check-share-keys.js';
import { nextSet } from '../src/ledger/validators/next-set.js';
import { maxFaulty } from '../src/ledger/validators/quorum.js';
import { ackMessage, commitmentsDigest } from '../src/ledger/validators/signed-messages.js';

const CHAIN_ID = 1n;

const [mode = 'require', ...sizes] = process.argv.slice(2);
const native = mode === 'off' ? 'off' : 'require';
const crypto = await loadCrypto(native);
const bls = await loadBls(native);
const random = (length: number) => Uint8Array.from(randomBytes(length));

/** CPU time in milliseconds: the minimum of three rounds, which other load disturbs least. */
function milliseconds<T>(work: () => T): { readonly result: T; readonly text: string } {
  let result = work();
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const begun = process.cpuUsage();
    result = work();
    const { user, system } = process.cpuUsage(begun);
    least = Math.min(least, (user + system) / 1_000);
  }
  return { result, text: least.toFixed(least < 10 ? 1 : 0) };
}

function measure(count: number): Record<string, string> {
  const seeds = Array.from({ length: count }, () => random(32));
  const validators = seeds.map((seed) => ({
    identity_key: crypto.ed25519.publicKey(seed),
    encryption_key: newEncryptionKey(bls, random).publicKey,
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
  const context = { chainId: CHAIN_ID, epoch: 0n, currentSet, nextPlayers: currentSet.validators };
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
      const message = ackMessage(CHAIN_ID, { epoch: 0n, dealer: index, digest });
      const signature = crypto.ed25519.sign(message, seeds[player] ?? new Uint8Array(32));
      const ack = { epoch: 0n, dealer: index, ack: { player, signature } };
      effects.push(...machine.step({ type: 'acknowledged', from: player, ack }));
    }
    effects.push(...machine.step({ type: 'deadline' }));
    for (const effect of effects.reverse()) if (effect.type === 'dealing') return effect.dealing;
    throw new Error('no dealing');
  };
  const dealings = Array.from({ length: currentSet.quorum }, (_, index) => deal(index, 0));
  const plain = deal(0, 0);
  const revealing = deal(0, maxFaulty(count));
  const evaluation = { commitments: plain.commitments, player: 0, share: revealing.reveals[0]?.share };
  return {
    'check a dealing': milliseconds(() => checkDealing({ crypto, bls }, plain, context)).text,
    'with f reveals': milliseconds(() => checkDealing({ crypto, bls }, revealing, context)).text,
    'check an evaluation': milliseconds(() =>
      checkEvaluation(bls, { ...evaluation, share: evaluation.share ?? random(32).with(0, 0) }),
    ).text,
    'next set': milliseconds(() => nextSet(currentSet, currentSet.validators, dealings)).text,
    'check share keys': milliseconds(() => checkShareKeys(bls, currentSet)).text,
  };
}

const table: Record<string, Record<string, string>> = {};
for (const count of sizes.length === 0 ? [4, 7, 10, 32, 100] : sizes.map(Number)) {
  table[`${count} validators`] = measure(count);
}
console.table(table);
