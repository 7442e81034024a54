import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ExecutionPool } from '../../src/execution/pool/execution-pool.js';
import { eventually } from '../support/eventually.js';

/** The names of this process's threads, as `top -H` shows them. */
function shownNames(): string[] {
  return readdirSync('/proc/self/task').map((thread) =>
    readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim(),
  );
}

test('the system shows the name and number of each thread of a pool', {
  skip: process.platform !== 'linux' && 'other systems show no names of threads',
}, async (t) => {
  const pool = new ExecutionPool({ name: 'block-', setup: { native: 'off' }, workers: 2 });
  t.after(() => pool.stop());
  await pool.run('verify_signatures', new Uint8Array(0));
  await eventually('both threads have their names', async () => {
    const names = shownNames();
    return names.includes('block-1') && names.includes('block-2');
  });
});
