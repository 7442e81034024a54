import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../src/config/package-info.js';
import { runHeddle } from '../support/nodes/node-process.js';

const skip = 'enableCompileCache' in module ? false : 'Node before 22 keeps no compiled code';

// A process, because the code of this one is compiled already.
test('the program keeps compiled code beside itself', { skip }, async () => {
  const kept = join(packageRoot(), 'dist', 'bundle', 'compiled');
  rmSync(kept, { recursive: true, force: true });
  assert.equal((await runHeddle(['--version'])).code, 0);
  assert.ok(existsSync(kept));
});
