/** Borsh and JSON codecs of the ledger's types, by name: `ledger.Transaction.encode(transaction)`. */
export { ledgerCodecs as ledger } from '../generated/ledger-codecs.js';
