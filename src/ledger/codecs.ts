import { type LedgerTypes, ledgerManifest } from '../generated/ledger.js';
import { type CodecTable, compileTypes } from '../idl/codecs/codecs.js';

/** Borsh and JSON codecs of the ledger's types, by name: `ledger.Transaction.encode(transaction)`. */
export const ledger: CodecTable<LedgerTypes> = compileTypes<LedgerTypes>(ledgerManifest);
