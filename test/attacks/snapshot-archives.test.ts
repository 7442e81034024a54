// Untrusted archives: checking one always ends soon with a reason and imports nothing.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { withTimeout } from '../support/nodes/attacked-node.js';
import { type CommandOutcome, heddle } from '../support/nodes/command-line.js';
import { removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { perTier } from '../support/sweep.js';
import { directClient, grow, startSource, until } from '../support/worlds/followed-chain.js';

const TAR_BLOCK = 512;

interface TarFile {
  readonly name: string;
  readonly content: Buffer;
}

/** The files of a tar with plain headers, the form that snapshot archives use. */
function filesOf(tar: Buffer): TarFile[] {
  const files: TarFile[] = [];
  for (let at = 0; at + TAR_BLOCK <= tar.length && tar[at] !== 0; ) {
    const name = tar.toString('latin1', at, tar.indexOf(0, at));
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8);
    files.push({ name, content: tar.subarray(at + TAR_BLOCK, at + TAR_BLOCK + size) });
    at += TAR_BLOCK + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
  return files;
}

function tarEntry(name: string, content: Uint8Array, { type = '0', size = content.length } = {}): Buffer {
  const header = Buffer.alloc(TAR_BLOCK);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const padded = Buffer.alloc(Math.ceil(content.length / TAR_BLOCK) * TAR_BLOCK);
  padded.set(content);
  return Buffer.concat([header, padded]);
}

const END = Buffer.alloc(2 * TAR_BLOCK);
/** Far more than an archive may have between its files; a GiB deflates to a megabyte. */
const ZEROS = perTier(64 * 1_048_576, 1_073_741_824);
/** Twice as many zeros, deflated in two parts. */
function zeros(): Buffer {
  const one = gzipSync(Buffer.alloc(ZEROS), { level: 1 });
  return Buffer.concat([one, one]);
}

describe('an untrusted archive is refused', () => {
  const directory = temporaryDirectory();
  let files: TarFile[] = [];

  before(async () => {
    const dataDir = join(directory, 'source');
    const source = await startSource({ dataDir });
    await grow(source, 10n);
    await until(
      () => directClient(source).status(),
      ({ latest_checkpoint: { height } }) => height >= 10n,
    );
    await source.stop();
    const good = join(directory, 'good.tar.gz');
    const exported = await heddle(['snapshot', 'export', '--data-dir', dataDir, good]);
    assert.equal(exported.code, 0, exported.err);
    files = filesOf(gunzipSync(readFileSync(good)));
    const rebuilt = archive('rebuilt', gzipSync(Buffer.concat([...entries(), END])));
    assert.equal((await verify(rebuilt)).code, 0, 'the archive is fine before anything is changed');
  });
  after(() => removeDirectory(directory));

  function archive(name: string, content: Uint8Array): string {
    const path = join(directory, `${name}.tar.gz`);
    writeFileSync(path, content);
    return path;
  }

  /** The archive's files after an optional change to each. */
  function entries(change: (file: TarFile, index: number) => Buffer = ({ content }) => content): Buffer[] {
    return files.map((file, index) => tarEntry(file.name, change(file, index)));
  }

  function withHead(change: (head: { light: Record<string, Record<string, unknown>> }) => void): Buffer {
    const changed = entries(({ content }, index) => {
      if (index > 0) return content;
      const head = JSON.parse(content.toString()) as { light: Record<string, Record<string, unknown>> };
      change(head);
      return Buffer.from(JSON.stringify(head));
    });
    return gzipSync(Buffer.concat([...changed, END]));
  }

  const run = (args: readonly string[]): Promise<CommandOutcome> =>
    withTimeout(30_000, 'the command ends', heddle(args));
  const verify = (path: string) => run(['snapshot', 'verify', '--trust', 'dev', path]);

  function expectRefused({ code, err }: CommandOutcome, reason: RegExp): void {
    assert.equal(code, 1, err);
    assert.match(err, reason);
    assert.doesNotMatch(err, /unhandled|\n\s+at /i);
  }

  /** Asserts that the command refuses the archive with a known error instead of crashing. */
  async function refused(path: string, reason: RegExp): Promise<void> {
    expectRefused(await verify(path), reason);
  }

  /** Asserts that importing the archive is refused too and leaves no chain behind. */
  async function refusedTwice(path: string, reason: RegExp): Promise<void> {
    await refused(path, reason);
    const target = `${path}.data`;
    const args = ['--trust', 'dev', '--data-dir', target, path];
    expectRefused(await run(['snapshot', 'import', ...args]), reason);
    expectRefused(await run(['snapshot', 'create', '--data-dir', target]), /holds no chain/);
  }

  test('if its certificate or validators name another group key', async () => {
    const other = `0x${'97'.repeat(48)}`;
    const certificate = withHead(({ light }) =>
      Object.assign(light['certificate'] ?? {}, { group_public_key: other }),
    );
    await refused(
      archive('other-key', certificate),
      /certificate names the group key 9797.*, the trusted one is 978b/,
    );
    const set = withHead(({ light }) =>
      Object.assign(light['validator_set'] ?? {}, { group_public_key: other }),
    );
    await refused(archive('other-set', set), /validator set|group key/);
  });

  for (const count of [0, 1_048_577, 2 ** 32 - 1]) {
    test(`if it claims ${count} chunks`, async () => {
      const head = withHead(({ light }) => Object.assign(light['checkpoint'] ?? {}, { chunk_count: count }));
      await refused(archive(`chunks-${count}`, head), new RegExp(`from 1 to 1048576 chunks, got ${count}`));
    });
  }

  test('if it claims more chunks than it contains', async () => {
    const head = withHead(({ light }) =>
      Object.assign(light['checkpoint'] ?? {}, { chunk_count: 1_048_576 }),
    );
    await refusedTwice(archive('chunks-most', head), /ends after 1 of 1048576 chunks/);
  });

  test('if a chunk is corrupt', async () => {
    const { content } = files[1] ?? { content: Buffer.alloc(0) };
    for (const at of [content.length - 5, content.length >> 1, 60]) {
      const changed = entries((file, index) => {
        if (index !== 1) return file.content;
        const bytes = Buffer.from(file.content);
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        return bytes;
      });
      await (at === 60 ? refusedTwice : refused)(
        archive(`false-${at}`, gzipSync(Buffer.concat([...changed, END]))),
        /chunk 0|00000000/,
      );
    }
  });

  test('if a chunk is corrupt and garbage follows', async () => {
    const changed = entries(({ content }, index) =>
      index === 1 ? Buffer.from(content).fill(9, content.length - 40) : content,
    );
    const rest = tarEntry('chunks/00000001.borsh', Buffer.from('nonsense'));
    await refused(
      archive('false-then-broken', gzipSync(Buffer.concat([...changed, rest]))),
      /heddle: .*chunk/,
    );
  });

  test('if it is padded with zeros before, between or after its files', async () => {
    const bomb = zeros();
    const gzipped = entries().map((entry) => gzipSync(entry));
    await refused(archive('zeros', bomb), /no file ends within 9437184 bytes/);
    const [head = Buffer.alloc(0), ...chunks] = gzipped;
    await refused(
      archive('zeros-between', Buffer.concat([head, bomb, ...chunks])),
      /no file ends within|ends after/,
    );
    await refusedTwice(archive('zeros-behind', Buffer.concat([...gzipped, bomb])), /no file ends within/);
  });

  test('if a header announces a long name or a long file', async () => {
    const long = Buffer.alloc(40_000_000, 'a');
    for (const type of ['L', 'x', 'g']) {
      const entry = tarEntry('long', long, { type });
      await refused(archive(`long-${type}`, gzipSync(Buffer.concat([entry, ...entries(), END]))), /heddle: /);
    }
    const file = tarEntry('snapshot.json', long, {});
    await refused(archive('long-file', gzipSync(Buffer.concat([file, END]))), /at most 8388608 bytes/);
    const lie = tarEntry('snapshot.json', Buffer.alloc(0), { size: 8_000_000_000 });
    await refused(archive('long-lie', gzipSync(lie)), /at most 8388608 bytes/);
  });
});
