// Audits of a running node by code that shares nothing with it: formats are taken from the design pages alone.
import { after, before, describe } from 'node:test';
import { AuditedNode } from './audited-node.js';
import { auditFinality } from './audits/finality.js';
import { auditListings } from './audits/listings.js';
import { auditProofs } from './audits/proofs.js';
import { auditSnapshots } from './audits/snapshots.js';

describe('a chain with mixed traffic, audited from outside', () => {
  let audited: AuditedNode;
  before(async () => {
    audited = await AuditedNode.start();
  });
  after(() => audited?.dispose());

  auditListings(() => audited);
  auditFinality(() => audited);
  auditProofs(() => audited);
  auditSnapshots(() => audited);
});
