import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { devValidatorKey } from '../../src/consensus/validator-key.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { ledger } from '../../src/ledger/codecs.js';
import { devGenesis } from '../../src/ledger/dev-genesis.js';
import { RpcClient, RpcFailure } from '../outside/rpc.js';
import { NodeProcess, removeDirectory, runHeddle, temporaryDirectory } from '../support/node-process.js';
import { randomSource } from '../support/random-source.js';

/** Enough for several chunks. */
const ACCOUNTS = 24_000;
const MAIN = fileURLToPath(new URL('../../bundle/main.js', import.meta.url));

interface Chunk {
  readonly height: number;
  readonly index: number;
  readonly proof: unknown;
  readonly entries: readonly { readonly key: string; readonly value: string }[];
  readonly blobs: readonly string[];
}

/** Starts a command and kills it after a delay. @returns whether it had already ended by itself */
function runAndKill(args: readonly string[], afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' });
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

describe('a snapshot of several chunks', () => {
  const directory = temporaryDirectory();
  const genesis = join(directory, 'genesis.json');
  const key = join(directory, 'key.json');
  const light = join(directory, 'light.json');
  const archive = join(directory, 'snapshot.tar.gz');
  const chain = ['--genesis', genesis, '--validator-key', key];
  const source = join(directory, 'source');
  const flags = [
    ...chain,
    '--block-time',
    '50',
    '--idle-block-time',
    '50',
    '--checkpoint-interval',
    '4',
    '--checkpoints-kept',
    '1000',
  ];
  const chunks: Chunk[] = [];
  let stateRoot = '';
  let groupKey = '';
  let height = 0;
  /** Archive downloaded from the running node. */
  const downloaded = join(directory, 'downloaded.tar.gz');
  let onRequest = { height: 0, chunk_count: 0, state_root: '' };

  before(async () => {
    const crypto = await loadCrypto('off', () => undefined);
    const base = devGenesis(crypto);
    groupKey = Buffer.from(base.validator_set.group_public_key).toString('hex');
    const accounts = Array.from({ length: ACCOUNTS }, (_, index) => ({
      address: crypto.sha256(Buffer.from(`account ${index}`)).slice(12),
      balance: BigInt(index + 1),
    }));
    writeFileSync(genesis, ledger.Genesis.toJson({ ...base, accounts: [...base.accounts, ...accounts] }));
    const privateKey = `0x${Buffer.from(devValidatorKey(crypto)).toString('hex')}`;
    writeFileSync(key, JSON.stringify({ scheme: 'bls12-381', private_key: privateKey }), { mode: 0o600 });
    const node = await NodeProcess.start({ dataDir: source, flags });
    const rpc = new RpcClient(node.url);
    for (let waited = 0; ; waited += 100) {
      const { checkpoints } = (await rpc.call('get_checkpoint_list')) as {
        checkpoints: { height: number }[];
      };
      const [newest] = checkpoints;
      if (newest !== undefined) {
        ({ height } = newest);
        break;
      }
      assert.ok(waited < 20_000, node.log);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const answer = (await rpc.call('get_light_snapshot', { height })) as {
      checkpoint: { chunk_count: number; state_root: string };
    };
    writeFileSync(light, JSON.stringify(answer));
    stateRoot = answer.checkpoint.state_root;
    for (let index = 0; index < answer.checkpoint.chunk_count; index++) {
      const { proof, entries, blobs } = (await rpc.call('get_snapshot_chunk', { height, index })) as Chunk;
      chunks.push({ height, index, proof, entries, blobs });
    }
    rpc.close();
    const created = await runHeddle(['snapshot', 'create', '--data-dir', source, '--json']);
    assert.equal(created.code, 0, created.stderr);
    onRequest = JSON.parse(created.stdout);
    const future = await runHeddle(['snapshot', 'create', '--data-dir', source, '--at', '9999999']);
    assert.equal(future.code, 1);
    assert.match(future.stderr, /expected a height from 1 to \d+, got 9999999/);
    for (const [at, file] of [
      [height, downloaded],
      [onRequest.height, `${downloaded}.later`],
    ] as const) {
      const args = ['snapshot', 'export', '--url', node.url, '--at', String(at), file];
      const { code, stderr } = await runHeddle(args);
      assert.equal(code, 0, stderr);
    }
    await node.stop();
    const exported = await runHeddle([
      ...['snapshot', 'export', '--data-dir', source, '--at', String(height), '--json'],
      ...chain,
      archive,
    ]);
    assert.equal(exported.code, 0, exported.stderr);
    const content = readFileSync(archive);
    assert.deepEqual(JSON.parse(exported.stdout), {
      file: archive,
      height,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
  });

  after(() => removeDirectory(directory));

  test('is the same archive from a running node', async () => {
    assert.deepEqual(readFileSync(downloaded), readFileSync(archive));
  });

  test('is cut by a running node on request, and downloaded from it', async () => {
    assert.ok(onRequest.height > height);
    assert.equal(onRequest.chunk_count, chunks.length);
    const later = `${downloaded}.later`;
    const { code, stdout, stderr } = await runHeddle([
      ...['snapshot', 'verify', '--trust', groupKey, '--json', later],
    ]);
    assert.equal(code, 0, stderr);
    const verified = JSON.parse(stdout) as { readonly height: number; readonly state_root: string };
    assert.equal(verified.height, onRequest.height);
    assert.equal(verified.state_root, onRequest.state_root);
  });

  test('is not downloaded from a node without it', async () => {
    const args = ['snapshot', 'export', '--url', 'http://127.0.0.1:1', join(directory, 'none.tar.gz')];
    const { code, stderr } = await runHeddle(args);
    assert.equal(code, 1);
    assert.match(stderr, /no node answers at/);
  });

  test('is overwritten only with --force', async () => {
    const again = (...more: string[]) =>
      runHeddle([
        ...['snapshot', 'export', '--data-dir', source, '--at', String(height)],
        ...[...chain, ...more, archive],
      ]);
    const kept = readFileSync(archive);
    const refused = await again();
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /there is a file already; choose another name, or --force/);
    assert.deepEqual(readFileSync(archive), kept);
    const forced = await again('--force');
    assert.equal(forced.code, 0, forced.stderr);
  });

  test('is imported by import_snapshot_chunk across kill -9, and the chain continues', async () => {
    assert.ok(chunks.length >= 2, `${chunks.length} chunks`);
    const dataDir = join(directory, 'pushed');
    const start = () => NodeProcess.start({ dataDir, flags: [...flags, '--await-snapshot', light] });
    const connect = (node: NodeProcess) =>
      new RpcClient(node.url, readFileSync(join(dataDir, 'admin.token'), 'utf8').trim());
    let node = await start();
    let rpc = connect(node);
    try {
      const kindOf = async (method: string, params: unknown = {}) => {
        const error = await rpc.call(method, params).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        assert.ok(error instanceof RpcFailure, `${method}: ${String(error)}`);
        return error.data.kind;
      };
      assert.equal(await kindOf('status'), 'not_ready');
      const [first, second, ...rest] = chunks;
      assert.ok(first !== undefined && second !== undefined);
      const lying = { ...first, entries: first.entries.slice(1) };
      assert.equal(await kindOf('import_snapshot_chunk', lying), 'invalid_params');
      assert.deepEqual(await rpc.call('import_snapshot_chunk', first), {
        accepted: first.entries.length,
        remaining_chunks: chunks.length - 1,
        complete: false,
      });
      await node.kill();
      rpc.close();
      node = await start();
      rpc = connect(node);
      for (const chunk of [...rest, first, second]) await rpc.call('import_snapshot_chunk', chunk);
      const status = (await rpc.call('status')) as { tip: { height: number } };
      assert.ok(status.tip.height >= height);
      const { checkpoints } = (await rpc.call('get_checkpoint_list')) as {
        checkpoints: { state_root: string }[];
      };
      assert.ok(checkpoints.some(({ state_root }) => state_root === stateRoot));
      assert.equal(await kindOf('import_snapshot_chunk', first), 'not_ready');
      await new Promise((resolve) => setTimeout(resolve, 300));
      const later = (await rpc.call('status')) as { tip: { height: number } };
      assert.ok(later.tip.height > height, 'blocks are sealed on top');
    } finally {
      rpc.close();
      await node.dispose();
    }
  });

  test('is imported from an archive with kills at random moments, and ends with the right root', async () => {
    const dataDir = join(directory, 'imported');
    const args = ['snapshot', 'import', '--data-dir', dataDir, '--trust', groupKey, archive];
    const random = randomSource(4);
    let ended = false;
    for (let kill = 0; kill < 6 && !ended; kill++) ended = await runAndKill(args, 150 + random.below(900));
    if (!ended) {
      const last = await runHeddle(args);
      assert.equal(last.code, 0, last.stderr);
    }
    const again = await runHeddle(args);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /has a chain already/);
    const node = await NodeProcess.start({ dataDir, flags });
    const rpc = new RpcClient(node.url);
    try {
      const { checkpoints } = (await rpc.call('get_checkpoint_list')) as {
        checkpoints: { height: number; state_root: string }[];
      };
      assert.equal(checkpoints.find((other) => other.height === height)?.state_root, stateRoot);
    } finally {
      rpc.close();
      await node.dispose();
    }
  });

  test('is refused from an archive that is modified, truncated or not certified by the trusted key', async () => {
    const good = readFileSync(archive);
    const verify = async (name: string, content: Buffer, trust = groupKey) => {
      const file = join(directory, name);
      writeFileSync(file, content);
      return runHeddle(['snapshot', 'verify', '--trust', trust, '--json', file]);
    };
    const checked = JSON.parse((await verify('good.tar.gz', good)).stdout);
    assert.equal(checked.height, height);
    assert.equal(checked.state_root, stateRoot);
    assert.deepEqual(Object.keys(checked), [
      'file',
      'height',
      'block_hash',
      'certified_height',
      'origin_hash',
      'chunk_count',
      'entries',
      'state_root',
      'contracts',
    ]);
    const refused = [
      await verify('cut.tar.gz', good.subarray(0, good.length - 3_000)),
      await verify(
        'changed.tar.gz',
        Buffer.from(good.map((byte, at) => (at === good.length >> 1 ? byte ^ 8 : byte))),
      ),
      await verify('text.tar.gz', Buffer.from('not an archive')),
      await verify('other-key.tar.gz', good, `${groupKey.slice(0, -2)}00`),
    ];
    const messages = [
      /is cut off/,
      /heddle: /,
      /expected a gzipped tar/,
      /names the group key .*, the trusted one is/,
    ];
    for (const [at, { code, stderr }] of refused.entries()) {
      assert.equal(code, 1, stderr);
      assert.match(stderr, messages[at] ?? /heddle: /);
    }
  });
});
