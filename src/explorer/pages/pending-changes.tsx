import type { PendingValidatorChange } from '../../generated/node-rpc-v1.js';
import { AddressHex } from '../parts/hex.js';
import { Table } from '../parts/layout.js';
import { Badge } from '../parts/status.js';
import { grouped } from '../text/format.js';
import { shortName } from '../text/untrusted.js';

/** The changes of the validator set that have not taken effect, and who approves them. */
export function PendingChanges({ of }: { readonly of: readonly PendingValidatorChange[] }) {
  if (of.length === 0) return null;
  return (
    <>
      <h3>Pending changes</h3>
      <Table
        caption="Pending changes of the validator set"
        narrow="stacked"
        columns={[
          { name: 'Change' },
          { name: 'Validator' },
          { name: 'Approved by', wide: true },
          { name: 'Takes effect at', numeric: true },
          { name: 'State' },
        ]}
        rows={of.map(
          ({ change, address, approvals, approvals_needed, included, effective_height }, place) => ({
            key: String(place),
            cells: [
              change.type,
              <span key="validator" class="break">
                <AddressHex of={address} copy />
                {change.type === 'add' && ` at ${shortName(change.value.endpoint)}`}
              </span>,
              `${approvals.map(({ index }) => index).join(', ') || 'none'} (${approvals.length} of ${approvals_needed})`,
              grouped(effective_height),
              <Badge
                key="state"
                tone={included ? 'good' : 'waiting'}
                text={included ? 'in a block' : 'gathering approvals'}
              />,
            ],
          }),
        )}
      />
    </>
  );
}
