/**
 * Reads over HTTP, of Heddle and in turn of anvil, ganache and a bare uWebSockets.js server that parses the same JSON
 * and sends the same answers: the tip (`status` against `eth_blockNumber`), one account and a batch of 100
 * (`account` against `eth_getBalance`).
 *
 *     npm run bench -- reads [--help]
 */
import { Command } from 'commander';
import { addLoadOptions, type LoadOptions } from './options.js';
import { runMacro } from './run-macro.js';
import { compareSideBySide } from './side-by-side.js';
import { fundOnEthereum, fundOnHeddle, readWork } from './work/read-work.js';

const command = addLoadOptions(
  new Command('reads').description('Reads, side by side with other nodes.'),
).parse();

await runMacro(() =>
  compareSideBySide({
    options: command.opts<LoadOptions>(),
    prepareHeddle: async ({ url }) => {
      await fundOnHeddle(url);
      return readWork();
    },
    prepareEthereum: fundOnEthereum,
  }),
);
