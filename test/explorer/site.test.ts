import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { RunningNode } from '../../src/node.js';
import { readExplorerSite } from '../../src/rpc/http/explorer-site.js';
import { rawExchange } from '../support/http/raw-http.js';
import { NATIVE_MODES } from '../support/native-modes.js';
import { NodeParts } from '../support/nodes/node-parts.js';
import { removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';

/** Budget for the code that a browser loads with the page, gzipped. */
const MAX_FIRST_BYTES = 150_000;

/** Asks for a path as written, and for the gzip form if wanted; `fetch` decodes answers by itself. */
async function get(url: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  return fetch(url + path, { headers: { 'accept-encoding': 'identity', ...headers } });
}

/** The assets that a text names: by `import` alone, not by `import()`. */
function named(text: string): string[] {
  return [
    ...text.matchAll(/(?:src|href|from|import)[=\s]*"(?:\.\/)?((?:assets\/)?[A-Z0-9]{8}\.(?:js|css))"/g),
  ].map(([, path = '']) => (path.startsWith('assets/') ? `/${path}` : `/assets/${path}`));
}

for (const native of NATIVE_MODES) {
  describe(`the explorer's files, native ${native}`, () => {
    const parts = new NodeParts();
    let node: RunningNode;

    before(async () => {
      node = await parts.node({ flags: { native } });
    });

    after(() => parts.close());

    test('the page runs only its own files, and no other site may use it', async () => {
      const answer = await get(node.url, '/');
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(answer.headers.get('cache-control'), 'no-cache');
      assert.equal(
        answer.headers.get('content-security-policy'),
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
      assert.equal(answer.headers.get('x-frame-options'), 'DENY');
      assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
      assert.equal(answer.headers.get('cross-origin-opener-policy'), 'same-origin');
      const page = await answer.text();
      assert.doesNotMatch(page, /<style|style=|onload=|<script(?![^>]* src=)/);
      assert.equal(named(page).length, 2);
    });

    test('an unchanged page is not sent again', async () => {
      const first = await get(node.url, '/');
      const etag = first.headers.get('etag') ?? assert.fail('no ETag');
      const second = await get(node.url, '/', { 'if-none-match': etag });
      assert.equal(second.status, 304);
      assert.equal(await second.text(), '');
      assert.ok(second.headers.has('content-security-policy'));
    });

    test('assets never change, and are compressed for clients that accept it', async () => {
      for (const path of named(await (await get(node.url, '/')).text())) {
        const plain = await get(node.url, path);
        assert.equal(plain.status, 200, path);
        assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable');
        assert.equal(plain.headers.get('content-encoding'), null);
        assert.match(plain.headers.get('content-type') ?? '', /^text\/(javascript|css); charset=utf-8$/);
        const { text, statuses } = await rawExchange(
          node.url,
          `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`,
          5_000,
        );
        assert.deepEqual(statuses, [200]);
        assert.match(text, /content-encoding: gzip/i);
      }
    });

    test('other paths and methods are refused as without the explorer', async () => {
      for (const path of [
        '/index.html',
        '/assets',
        '/assets/',
        '/assets/main.js',
        '/explorer',
        '/favicon.ico',
      ]) {
        const answer = await get(node.url, path);
        assert.equal(answer.status, 404, path);
        assert.match(await answer.text(), /"kind":"not_found"/);
      }
      for (const path of [
        '/assets/../index.html',
        '/assets/%2e%2e/%2e%2e/package.json',
        '/assets//',
        '/..',
      ]) {
        const { statuses } = await rawExchange(
          node.url,
          `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
          5_000,
        );
        assert.ok(statuses[0] === 404 || statuses[0] === 400, `${path}: ${statuses}`);
      }
      assert.equal((await fetch(`${node.url}/`, { method: 'POST' })).status, 405);
      const head = await fetch(`${node.url}/`, { method: 'HEAD' });
      assert.equal(head.status, 200);
      assert.equal(await head.text(), '');
    });
  });
}

test('the code that the page loads at first is small', async () => {
  const site = await readExplorerSite();
  const request = (encoding: string) => ({
    method: 'GET',
    path: '/',
    query: '',
    header: (name: string) => (name === 'accept-encoding' ? encoding : ''),
    remoteAddress: '',
    signal: new AbortController().signal,
    isOver: false,
    body: new Uint8Array(),
    keepBody: () => new Uint8Array(),
  });
  const bytesOf = (path: string) =>
    Buffer.from(site.get(path)?.answer(request('gzip')).body ?? assert.fail(`no ${path}`));
  const loaded = new Set(named(gunzipSync(bytesOf('/')).toString()));
  for (const path of loaded) {
    for (const next of named(gunzipSync(bytesOf(path)).toString())) loaded.add(next);
  }
  const bytes = [...loaded].reduce((sum, path) => sum + bytesOf(path).length, 0);
  assert.ok(loaded.size >= 3 && bytes > 50_000, `${loaded.size} files: the imports were not found`);
  assert.ok(bytes < MAX_FIRST_BYTES, `${bytes} bytes`);
});

describe('the explorer', () => {
  test('is below the base path, with or without a slash', async (t) => {
    const node = await NodeParts.for(t).node({ flags: { 'base-url': '/chains/one' } });
    assert.equal((await get(node.url, '/')).status, 404);
    const page = await get(node.url, '/chains/one');
    assert.equal(page.url, `${node.url}/chains/one/`);
    assert.equal(page.status, 200);
    for (const path of named(await page.text())) {
      assert.equal((await get(node.url, `/chains/one${path}`)).status, 200, path);
    }
  });

  test('can be turned off', async (t) => {
    const node = await NodeParts.for(t).node({ flags: { explorer: 'off' } });
    assert.equal((await get(node.url, '/')).status, 404);
  });

  test('is reported as missing if it was never built', async (t) => {
    const empty = temporaryDirectory();
    t.after(() => removeDirectory(empty));
    await assert.rejects(readExplorerSite(join(empty, 'explorer')), {
      name: 'HttpServerError',
      code: 'site_missing',
      message: /npm run build.*--explorer off/,
    });
  });
});
