/*
 * Waits for a receipt on one connection and reads the resulting state on another, again and again:
 *     npm run bench -- read-your-writes [--rounds 100000] [--senders 256]
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { NodeProcess } from '../../test/support/nodes/node-process.js';
import { readYourWrites } from '../../test/support/nodes/read-your-writes.js';
import { atMost, recordCost, recordGain } from '../support/record-values.js';
import { printReport } from '../support/statistics.js';

interface Options {
  readonly rounds: number;
  readonly senders: number;
  readonly freshEvery: number;
  readonly seal: string;
  readonly nodeFlag: readonly string[];
}

function count(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError(`expected a positive whole number, got ${JSON.stringify(text)}`);
}

const command = new Command('npm run bench -- read-your-writes')
  .description(
    'Whoever saw a receipt sees the state that it made: senders wait for the receipt of a transfer on one connection and read their account on another, where nonce and balance must be as the receipt says. Fails where one is not.',
  )
  .option('--rounds <N>', 'receipts and reads in all', count, 100_000)
  .option('--senders <N>', 'senders beside each other, with two connections each', count, 256)
  .option('--fresh-every <N>', 'one read in so many opens a connection of its own', count, 8)
  .option('--seal <HOW>', "the node's --seal: instant makes the most blocks", 'instant')
  .addOption(
    new Option(
      '--node-flag <FLAG>',
      'a further flag of the node, as --node-flag=--front-threads=4; may be repeated',
    )
      .argParser((flag: string, before: readonly string[]) => [...before, flag])
      .default([], 'none'),
  )
  .addHelpText(
    'after',
    `
Examples:
  $ npm run bench -- read-your-writes
  $ npm run bench -- read-your-writes --rounds 10000 --node-flag=--front-threads=4
`,
  )
  .parse();
const { rounds, senders, freshEvery, seal, nodeFlag } = command.opts<Options>();

const node = await NodeProcess.start({ flags: ['--seal', seal, ...nodeFlag] });
try {
  const report = await readYourWrites({ url: node.url, rounds, senders, freshEvery });
  recordGain('receipt seen and state read', '/s', report.rounds / report.seconds);
  recordCost('states older than their receipt', 'count', report.staleCount, atMost(0));
  printReport('Read your writes', {
    'receipts seen, states read': report.rounds,
    'on connections opened for it': report.fresh,
    'rounds/s': report.rounds / report.seconds,
    'states older than their receipt': report.staleCount,
  });
  for (const line of report.stale) console.error(line);
  if (report.staleCount > 0) process.exitCode = 1;
} finally {
  await node.dispose();
}
