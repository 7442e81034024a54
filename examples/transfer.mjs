// Sends one transfer and then a hundred at once, between accounts of a development chain:
//   node examples/transfer.mjs [URL]
import { connect, devAccount, formatAmount, formatHash, parseAmount } from 'heddle/client';

const client = connect(process.argv[2] ?? process.env.HEDDLE_URL ?? 'http://127.0.0.1:9545');
const { chain_id, version } = await client.status();
console.log(`heddle ${version}, chain ${chain_id}`);

// A sender signs, assigns the nonces of one lane, and retries after temporary failures.
const carol = client.sender(devAccount(2));
const dave = devAccount(3).address;

const sent = await carol.transfer({ to: dave, amount: parseAmount('5e18'), wait: 'included' });
console.log(`transfer ${sent.hashHex}: ${sent.receipt.status.type}, fee ${sent.receipt.fee}`);

// The receipt can include a Merkle proof of the transaction.
const { proof } = await client.tx_receipt({ tx_hash: sent.hash, with_proof: true });
console.log(
  `item ${proof.item_index + 1} of ${proof.item_count} under ${formatHash(proof.header.transactions_root)}`,
);

// Calls need not wait for each other: nonces follow the order of the calls.
const many = await Promise.all(
  Array.from({ length: 100 }, (_, i) =>
    carol.transfer({ to: dave, amount: BigInt(i + 1), wait: 'included' }),
  ),
);
const { balance } = await client.account({ address: dave });
console.log(`${many.length} more included; the receiver has ${formatAmount(balance)}`);
