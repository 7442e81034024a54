// Runs the commands of every page in order against the page's own node, and compares their output with the page.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freePorts } from '../support/free-ports.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { assertPrints, followCommands, missingTool, prepareCheckout, runProgram } from './follow-commands.js';
import { guides, program, readme, steps } from './pages.js';

test('the README and the guides have commands', () => {
  assert.ok(steps(readme).length > 0 && steps(readme, 'start').length > 0);
  assert.ok(guides.filter((page) => steps(page).length > 0).length > 5);
});

for (const page of guides) {
  const beside = steps(page);
  const stopped = steps(page, 'stopped');
  const code = program(page);
  if (beside.length + stopped.length === 0 && code === undefined) continue;
  const tool = missingTool(page);
  const skip = tool !== undefined && `there is no ${tool} here`;

  describe(`the commands of ${page.path}`, { skip }, () => {
    const directory = temporaryDirectory();
    let node: NodeProcess;
    before(async () => {
      prepareCheckout(page, directory);
      // A port that the system picks stays in use for a minute after the node stops; the doctor reports that.
      const [port] = await freePorts(1);
      const flags = ['--log-format', 'pretty', '--port', String(port)];
      node = await NodeProcess.start({ dataDir: join(directory, 'heddle-data'), flags });
    });
    after(async () => {
      await node.dispose();
      removeDirectory(directory);
    });

    test('print the documented output', () => followCommands(page, beside, { directory, url: node.url }));

    if (code !== undefined) {
      test('are programs that print the documented lines', () =>
        runProgram(page, code, { directory, url: node.url }));
    }

    const [start] = steps(page, 'start');
    if (start !== undefined) {
      test('begin with a node that prints the documented lines', () => {
        const native = (text: string): string => text.replace(/: (?:native|pure), .*$/gm, ': (part)');
        assertPrints(native(node.log), { ...start, output: native(start.output) }, page);
      });
    }

    if (stopped.length > 0) {
      test('print the documented output after the node has stopped', async () => {
        await node.stop();
        await followCommands(page, stopped, { directory, url: node.url });
      });
    }
  });
}
