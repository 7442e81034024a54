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
          { name: 'Change', cell: ({ change }) => change.type },
          {
            name: 'Validator',
            cell: ({ change, address }) => (
              <span class="break">
                <AddressHex of={address} copy />
                {change.type === 'add' && ` at ${shortName(change.value.endpoint)}`}
              </span>
            ),
          },
          {
            name: 'Approved by',
            wide: true,
            cell: ({ approvals, approvals_needed: needed }) =>
              `${approvals.map(({ index }) => index).join(', ') || 'none'} (${approvals.length} of ${needed})`,
          },
          {
            name: 'Takes effect at',
            numeric: true,
            cell: ({ effective_height }) => grouped(effective_height),
          },
          {
            name: 'State',
            cell: ({ included }) => (
              <Badge
                tone={included ? 'good' : 'waiting'}
                text={included ? 'in a block' : 'gathering approvals'}
              />
            ),
          },
        ]}
        rows={of}
        keyOf={(_, at) => String(at)}
      />
    </>
  );
}
