import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { RpcClient, RpcFailure } from '../outside/rpc.js';
import { heddle } from '../support/nodes/command-line.js';
import { NodeProcess } from '../support/nodes/node-process.js';
import { grow } from '../support/worlds/followed-chain.js';
import { SnapshotSource } from '../support/worlds/snapshot-source.js';

describe('a snapshot of several chunks', () => {
  let source: SnapshotSource;
  let archive: string;
  /** Archive downloaded from the running node. */
  let downloaded: string;
  let onRequest = { height: 0, chunk_count: 0, state_root: '' };

  before(async () => {
    source = await SnapshotSource.start();
    archive = source.path('snapshot.tar.gz');
    downloaded = source.path('downloaded.tar.gz');
    const { dataDir, height } = source;
    const created = await heddle(['snapshot', 'create', '--data-dir', dataDir, '--json']);
    assert.equal(created.code, 0, created.err);
    onRequest = JSON.parse(created.out);
    const future = await heddle(['snapshot', 'create', '--data-dir', dataDir, '--at', '9999999']);
    assert.equal(future.code, 1);
    assert.match(future.err, /expected a height from 1 to \d+, got 9999999/);
    for (const [at, file] of [
      [height, downloaded],
      [onRequest.height, `${downloaded}.later`],
    ] as const) {
      const url = source.node?.url ?? assert.fail();
      const { code, err } = await heddle(['snapshot', 'export', '--url', url, '--at', String(at), file]);
      assert.equal(code, 0, err);
    }
    const exported = await source.export(archive);
    const content = readFileSync(archive);
    assert.deepEqual(JSON.parse(exported), {
      file: archive,
      height,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
  });

  after(() => source?.dispose());

  test('is the same archive from a running node', async () => {
    assert.deepEqual(readFileSync(downloaded), readFileSync(archive));
  });

  test('is cut by a running node on request, and downloaded from it', async () => {
    assert.ok(onRequest.height > source.height);
    assert.equal(onRequest.chunk_count, source.chunks.length);
    const later = `${downloaded}.later`;
    const { code, out, err } = await heddle([
      ...['snapshot', 'verify', '--trust', source.groupKey, '--json', later],
    ]);
    assert.equal(code, 0, err);
    const verified = JSON.parse(out) as { readonly height: number; readonly state_root: string };
    assert.equal(verified.height, onRequest.height);
    assert.equal(verified.state_root, onRequest.state_root);
  });

  test('is not downloaded from a node without it', async () => {
    const args = ['snapshot', 'export', '--url', 'http://127.0.0.1:1', source.path('none.tar.gz')];
    const { code, err } = await heddle(args);
    assert.equal(code, 1);
    assert.match(err, /no node answers at/);
  });

  test('is overwritten only with --force', async () => {
    const again = (...more: string[]) =>
      heddle([
        ...['snapshot', 'export', '--data-dir', source.dataDir, '--at', String(source.height)],
        ...[...source.chain, ...more, archive],
      ]);
    const kept = readFileSync(archive);
    const refused = await again();
    assert.equal(refused.code, 1);
    assert.match(refused.err, /the file exists; choose another name, or --force/);
    assert.deepEqual(readFileSync(archive), kept);
    const forced = await again('--force');
    assert.equal(forced.code, 0, forced.err);
  });

  test('is imported by import_snapshot_chunk across kill -9, and the chain continues', async () => {
    const { chunks, height, stateRoot } = source;
    assert.ok(chunks.length >= 2, `${chunks.length} chunks`);
    const dataDir = source.path('pushed');
    const start = () =>
      NodeProcess.start({ dataDir, flags: [...source.flags, '--await-snapshot', source.light] });
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
      // Blocks are sealed on top.
      await grow(node, BigInt(status.tip.height) + 1n);
    } finally {
      rpc.close();
      await node.dispose();
    }
  });

  test('is refused from an archive that is modified, truncated or not certified by the trusted key', async () => {
    const good = readFileSync(archive);
    const verify = async (name: string, content: Buffer, trust = source.groupKey) => {
      const file = source.path(name);
      writeFileSync(file, content);
      return heddle(['snapshot', 'verify', '--trust', trust, '--json', file]);
    };
    const checked = JSON.parse((await verify('good.tar.gz', good)).out);
    assert.equal(checked.height, source.height);
    assert.equal(checked.state_root, source.stateRoot);
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
      await verify('other-key.tar.gz', good, `${source.groupKey.slice(0, -2)}00`),
    ];
    const messages = [
      /is cut off/,
      /heddle: /,
      /expected a gzipped tar/,
      /names the group key .*, the trusted one is/,
    ];
    for (const [at, { code, err }] of refused.entries()) {
      assert.equal(code, 1, err);
      assert.match(err, messages[at] ?? /heddle: /);
    }
  });
});
