// Sends a transfer that nobody can read before its position in the chain is fixed:
//   node examples/sealed.mjs [URL]
import { connect, devAccount, parseAmount } from 'heddle/client';

const client = connect(process.argv[2] ?? process.env.HEDDLE_URL ?? 'http://127.0.0.1:9545');
const alice = client.sender(devAccount(0));
const action = { type: 'transfer', value: { to: devAccount(1).address, amount: parseAmount('1e18') } };

// The envelope is in a block, so its position is fixed; its action is still secret.
const sealed = await alice.seal(action, { wait: 'included' });
const listed = await client.list_txs_by_sender({ sender: alice.signer.address, limit: 1 });
console.log(`included: kind ${listed.transactions[0].kind.type}, opened by the key of a later height`);

// A block above height `opensAt` contains the key and executes the action first.
const receipt = await client.waitForReceipt(sealed.hash, { above: sealed.opensAt });
console.log(`opened: ${receipt.status.type}`);
