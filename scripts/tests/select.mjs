// Chooses test files by tier and by parts of their paths.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build/places.mjs';

const TIERS = ['fast', 'slow', 'all'];
const SLOW = /\.slow\.test\.ts$/;
/** A test whose number of random cases grows with HEDDLE_SWEEP, so that it runs in both tiers. */
const SWEEPS = /from '[./]+\/support\/sweep\.js'/;

/**
 * @param parts parts of paths; empty for all
 * @param tier undefined for the fast tier, or for both if there are parts
 * @returns paths of source files in test/, sorted
 * @throws Error if a part matches no file, which would silently shrink the run, or the tier is unknown
 */
export function selectTests({ parts, tier = parts.length > 0 ? 'all' : 'fast' }) {
  if (!TIERS.includes(tier)) throw new Error(`--tier: expected ${TIERS.join(', ')}, got ${tier}`);
  const paths = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .sort();
  const unmatched = parts.filter((part) => !paths.some((path) => path.includes(part)));
  if (unmatched.length > 0) throw new Error(`no test file in test/ matches ${unmatched.join(' ')}`);
  return paths
    .filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)))
    .filter((path) => isOfTier(path, tier));
}

function isOfTier(path, tier) {
  if (tier === 'all') return true;
  if (tier === 'fast') return !SLOW.test(path);
  return SLOW.test(path) || SWEEPS.test(readFileSync(join(ROOT, 'test', path), 'utf8'));
}
