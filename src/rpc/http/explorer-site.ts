import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { hasCode } from '../../base/errors.js';
import { packageRoot } from '../../config/package-info.js';
import { HttpServerError } from './http-server-error.js';
import { PublishedDocument } from './published-document.js';

/**
 * The explorer shows untrusted text from the chain, and may hold a private key. Its page may therefore run only its own
 * files and connect only to its own node. `connect-src 'self'` includes WebSockets of the same host.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SECURITY_HEADERS = [
  ['content-security-policy', POLICY],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
] as const;

/** The name of an asset contains a hash of its content, so the content of a name never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** The files of the explorer, by their path below the node's base path: `/` and `/assets/…`. */
export type ExplorerSite = ReadonlyMap<string, PublishedDocument>;

/** @param directory the output of `scripts/explorer.mjs` @throws HttpServerError `site_missing` */
export async function readExplorerSite(
  directory = join(packageRoot(), 'dist', 'explorer'),
): Promise<ExplorerSite> {
  try {
    const names = await readdir(join(directory, 'assets'));
    const assets = names
      .filter((name) => /\.(?:js|css)$/.test(name))
      .map(async (name) => {
        const document = await documentOf(join(directory, 'assets', name), IMMUTABLE);
        return [`/assets/${name}`, document] as const;
      });
    const page = await documentOf(join(directory, 'index.html'), 'no-cache');
    return new Map([['/', page], ...(await Promise.all(assets))]);
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT')) throw cause;
    const message =
      'the files of the explorer are missing: reinstall the package, run "npm run build", or use --explorer off';
    throw new HttpServerError('site_missing', message, { cause });
  }
}

async function documentOf(path: string, cacheControl: string): Promise<PublishedDocument> {
  const [content, gzipped] = await Promise.all([readFile(path), readFile(`${path}.gz`)]);
  const type = CONTENT_TYPES[extname(path)] ?? 'application/octet-stream';
  return new PublishedDocument(type, content, { gzipped, cacheControl, headers: SECURITY_HEADERS });
}
