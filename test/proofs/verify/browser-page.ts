// Runs in a browser: verifies the answers from the test server, tries every change of them, and reports.
import {
  portableHashes,
  VerifyError,
  verifyAccount,
  verifyBlockInHistory,
  verifyHistoryRoot,
  verifyTransactionIncluded,
} from '../../../src/proofs/verify.js';
import { mutations } from '../../support/forged/json-mutations.js';
import { postVerdict, surroundings } from '../../support/pages/page-verdict.js';
import type { BrowserTask, BrowserVerdict } from './browser-task.js';

async function run(): Promise<BrowserVerdict> {
  const task = (await (await fetch('/task')).json()) as BrowserTask;
  const { trust, address, account, txHash, receipt, finalized, history, historyHeight } = task;
  const proved = verifyAccount(account, address, trust);
  const included = verifyTransactionIncluded(receipt, txHash, trust, { finalized: account, history });
  const { block } = verifyHistoryRoot(finalized, trust);
  verifyBlockInHistory(history, historyHeight, block);

  // Most attempts trust headers by hash, so that they need no pairing; some then use the certificate.
  const byHash = { headerHash: proved.block.hash };
  const believed: string[] = [];
  let tried = 0;
  const refuse = (what: string, verify: () => unknown): void => {
    tried++;
    try {
      verify();
      believed.push(what);
    } catch (error) {
      if (!(error instanceof VerifyError)) throw error;
    }
  };
  const { certificate, ...uncertified } = account as Record<string, unknown>;
  for (const { what, value } of mutations(uncertified, { bitStep: 3 })) {
    refuse(what, () => verifyAccount(value, address, byHash));
  }
  for (const { what, value } of mutations(certificate, { bitStep: 61 })) {
    refuse(`certificate ${what}`, () =>
      verifyAccount({ ...uncertified, certificate: value }, address, trust),
    );
  }
  for (const { what, value } of mutations(history, { bitStep: 7 })) {
    refuse(`history ${what}`, () => verifyBlockInHistory(value, historyHeight, block));
  }
  return {
    balance: String(proved.record?.balance),
    outcome: included.receipt.outcome.type,
    sha256: [...portableHashes.sha256(new Uint8Array(0))].slice(0, 2),
    believed,
    tried,
    ...surroundings(),
  };
}

await postVerdict(run);
