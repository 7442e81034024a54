import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import type { Compression } from '../../../src/farm/results/result-writer.js';
import { ResultsError } from '../../../src/farm/results/result-writer.js';
import { openStream } from '../../../src/farm/results/stream-target.js';
import { callLines } from './lines.js';

const hasZstd = 'zstdDecompressSync' in zlib;

function gathering(): { readonly stream: Writable; bytes(): Buffer } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, bytes: () => Buffer.concat(chunks) };
}

async function written(compress: Compression, lines: readonly string[]): Promise<Buffer> {
  const { stream, bytes } = gathering();
  const writer = await openStream(stream, 'the output', { format: 'ndjson', compress, kind: 'calls' });
  await writer.write(lines.slice(0, 10));
  await writer.write([]);
  await writer.write(lines.slice(10));
  await writer.close();
  assert.equal(stream.writableEnded, false);
  assert.equal(stream.listenerCount('error'), 0);
  return bytes();
}

const code = (expected: string) => (error: unknown) =>
  error instanceof ResultsError && error.code === expected && error.message.includes('the output');

test('lines come out as they went in, whatever the compression', async () => {
  const lines = callLines(10_000);
  const text = `${lines.join('\n')}\n`;
  assert.equal((await written('none', lines)).toString(), text);
  const small = await written('gzip', lines);
  assert.ok(small.length < text.length / 5);
  assert.equal(zlib.gunzipSync(small).toString(), text);
});

test('zstd compresses if Node supports it, and otherwise names the Node version it needs', async () => {
  const lines = callLines(100);
  if (!hasZstd) {
    await assert.rejects(
      written('zstd', lines),
      (error) =>
        error instanceof ResultsError && error.code === 'no_zstd' && /Node 22\.15/.test(error.message),
    );
    return;
  }
  const decompress = zlib['zstdDecompressSync' as keyof typeof zlib] as unknown as (b: Buffer) => Buffer;
  assert.equal(decompress(await written('zstd', lines)).toString(), `${lines.join('\n')}\n`);
});

for (const compress of ['none', 'gzip'] as const) {
  test(`a slow reader holds the writer back (${compress})`, async () => {
    const stream = new PassThrough({ highWaterMark: 1_000 });
    const writer = await openStream(stream, 'the output', { format: 'ndjson', compress, kind: 'calls' });
    const noise = Array.from({ length: 3_000 }, () => JSON.stringify({ line: 1, noise: Math.random() }));
    let batches = 0;
    const writing = (async () => {
      for (; batches < 50; batches++) await writer.write(noise);
      await writer.close();
      stream.end();
    })();
    await sleep(100);
    assert.ok(batches < 20, `${batches} batches written without a reader`);
    stream.resume();
    await writing;
    assert.equal(batches, 50);
  });

  test(`a full disk is an error with its reason (${compress})`, async () => {
    const stream = createWriteStream('/dev/full');
    const writer = await openStream(stream, 'the output', { format: 'ndjson', compress, kind: 'calls' });
    const noise = Array.from({ length: 20_000 }, () => JSON.stringify({ line: 1, noise: Math.random() }));
    await assert.rejects(async () => {
      await writer.write(noise);
      await writer.close();
    }, code('unwritable'));
    await assert.rejects(writer.close(), code('unwritable'));
    await writer.abort();
  });
}

test('a reader that has ended is told apart from a failure', async (t) => {
  const reader = spawn('sh', ['-c', 'exec 0<&-; echo closed; exec sleep 60'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  t.after(() => reader.kill());
  await once(reader.stdout, 'data');
  const writer = await openStream(reader.stdin, 'the output', {
    format: 'ndjson',
    compress: 'none',
    kind: 'calls',
  });
  await assert.rejects(async () => {
    for (let i = 0; i < 10; i++) await writer.write(callLines(1_000));
  }, code('reader_gone'));
  await writer.abort();
});
