import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  defaultConnectionsFor,
  descriptorLimit,
  maxConnectionsFor,
  parseDescriptorLimit,
} from '../../src/config/descriptor-limit.js';

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max processes             unlimited            unlimited            processes
Max open files            1024                 524288               files
Max locked memory         65536                65536                bytes
`;

test('the soft limit on open files counts', () => {
  assert.equal(parseDescriptorLimit(LIMITS), 1_024);
  assert.equal(parseDescriptorLimit(LIMITS.replace('1024  ', 'unlimited')), Number.POSITIVE_INFINITY);
  assert.equal(parseDescriptorLimit('something else'), 4_096);
  assert.ok(descriptorLimit() >= 64);
});

test('a quarter of the descriptors is reserved, at least 256 and at most 4,096', () => {
  const expected = [
    [32, 16],
    [256, 64],
    [512, 256],
    [1_024, 768],
    [8_192, 6_144],
    [20_000, 15_904],
    [1_048_576, 50_000],
    [Number.POSITIVE_INFINITY, 50_000],
  ] as const;
  for (const [limit, connections] of expected)
    assert.equal(defaultConnectionsFor(limit), connections, `${limit}`);
});

test('a larger request gets all but 256', () => {
  assert.deepEqual(
    [256, 512, 1_024, 20_000, 1_048_576].map(maxConnectionsFor),
    [64, 256, 768, 19_744, 1_048_320],
  );
});
