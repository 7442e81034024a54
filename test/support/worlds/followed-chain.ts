import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, connect, devAccount } from '../../../src/client/client.js';
import { devValidatorKey } from '../../../src/consensus/validator-key.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import type { ReadinessResult } from '../../../src/generated/node-rpc-v1.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { devGenesis } from '../../../src/ledger/dev-genesis.js';
import { NodeProcess, type NodeProcessOptions } from '../nodes/node-process.js';

/**
 * A chain that seals fast if there are transactions, and otherwise at a pace that followers can keep up with on a
 * busy machine, however expensive their signatures are. It makes checkpoints early.
 */
export const SOURCE_FLAGS = [
  '--block-time',
  '40',
  '--idle-block-time',
  '600',
  '--checkpoint-interval',
  '10',
] as const;

/** Each test runs several nodes, and one worker is enough for each. */
const FEW_WORKERS = ['--workers', '1'] as const;

export function startSource(options: NodeProcessOptions = {}): Promise<NodeProcess> {
  return NodeProcess.start({
    ...options,
    flags: [...SOURCE_FLAGS, ...FEW_WORKERS, ...(options.flags ?? [])],
  });
}

/** The flags of a node that follows. */
export function followerFlags(urls: readonly string[], flags: readonly string[] = []): string[] {
  const trust = flags.includes('--trust') ? [] : ['--trust', 'dev'];
  return ['--follow', urls.join(','), ...trust, '--checkpoint-interval', '10', ...FEW_WORKERS, ...flags];
}

export function startFollower(
  urls: readonly string[],
  options: NodeProcessOptions = {},
): Promise<NodeProcess> {
  return NodeProcess.start({ ...options, flags: followerFlags(urls, options.flags) });
}

/** Makes a source seal blocks up to a height, with transactions of an otherwise unused account. */
export async function grow(source: NodeProcess, height: bigint): Promise<void> {
  const client = directClient(source);
  const sender = client.sender(devAccount(7));
  while ((await client.status()).tip.height < height) {
    await sender.transfer({ to: devAccount(8).address, amount: 1n, wait: 'included' });
  }
}

/** A client without retries. */
export function directClient(node: { readonly url: string }): Client {
  return connect(node.url, { retry: { retries: 0 } });
}

/** Polls until `done` accepts the answer. @throws with the last answer after a timeout */
export async function until<T>(
  ask: () => Promise<T>,
  done: (answer: T) => boolean,
  timeoutMs = 120_000,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (done(answer)) return answer;
    if (Date.now() > end) {
      const text = JSON.stringify(answer, (_, value: unknown) =>
        typeof value === 'bigint' ? value.toString() : value,
      );
      throw new Error(`not within ${timeoutMs} ms; the last answer: ${text}`);
    }
    await sleep(25);
  }
}

/** Waits until a follower is synced and has the source's current tip. */
export async function caughtUp(follower: NodeProcess, source: NodeProcess): Promise<ReadinessResult> {
  const { tip } = await directClient(source).status();
  return until(
    () => directClient(follower).readiness(),
    ({ ready, sync }) => ready && sync.tip_height >= tip.height,
  );
}

/** Files of a chain with many accounts, so that its snapshot has several chunks: the genesis and the validator's key. */
export async function bigGenesis(
  directory: string,
  accounts: number,
): Promise<{ readonly genesis: string; readonly key: string }> {
  const crypto = await loadCrypto('auto', () => undefined);
  const dev = devGenesis(crypto);
  const many = Array.from({ length: accounts }, (_, index) => ({
    address: crypto.sha256(Buffer.from(`account ${index}`)).slice(0, 20),
    balance: BigInt(index + 1),
  }));
  const genesis = join(directory, 'genesis.json');
  writeFileSync(
    genesis,
    ledger.Genesis.toJson({ ...dev, chain_id: 77n, accounts: [...dev.accounts, ...many] }),
  );
  const key = join(directory, 'validator.json');
  const privateKey = `0x${Buffer.from(devValidatorKey(crypto)).toString('hex')}`;
  writeFileSync(key, JSON.stringify({ scheme: 'bls12-381', private_key: privateKey }));
  return { genesis, key };
}
