/**
 * Contract calls over HTTP, of Heddle and in turn of anvil and ganache: a token's balance and its transfer as views, the
 * transfer simulated (`tx_simulate` against `eth_estimateGas`) and traced (`chain_traceCall` against `callTracer`),
 * integer loops and chains of hashes. The bare uWebSockets.js server stands beside the balance.
 *
 *     npm run bench -- contract-calls [--help]
 */
import { Command } from 'commander';
import { connect, devAccount } from '../../src/client/client.js';
import { addLoadOptions, type LoadOptions } from './options.js';
import { runMacro } from './run-macro.js';
import { compareSideBySide } from './side-by-side.js';
import { callWork, prepareEthereum } from './work/call-work.js';

const command = addLoadOptions(
  new Command('contract-calls').description('Contract calls, side by side with other nodes.'),
).parse();
const owner = devAccount(0);
const accounts = { owner: owner.address, recipient: devAccount(1).address };

await runMacro(() =>
  compareSideBySide({
    options: command.opts<LoadOptions>(),
    prepareHeddle: ({ url }) => callWork(connect(url).sender(owner), accounts),
    prepareEthereum: (node) => prepareEthereum(node, accounts),
  }),
);
