import type { FunctionGas, Trace } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { AddressHex } from '../parts/hex.js';
import { Table } from '../parts/layout.js';
import { grouped } from '../text/format.js';
import { shortName } from '../text/untrusted.js';
import { CallTree } from './call-tree.js';
import { FlameGraph } from './flame.js';

/** Maximum number of functions in the table of gas. */
const MAX_FUNCTIONS = 15;

/** The calls of a transaction, and the gas of its functions. */
export function TraceView({ trace }: { readonly trace: Trace }) {
  const { call_tree, gas_profile, truncated } = trace;
  return (
    <>
      {truncated && <p class="notice">The trace is longer than the node reports; parts of it are missing.</p>}
      {call_tree !== undefined && (
        <>
          <h3>Calls</h3>
          <CallTree root={call_tree} />
        </>
      )}
      {gas_profile !== undefined && gas_profile.folded.length > 0 && (
        <>
          <h3>Gas by call stack</h3>
          <FlameGraph folded={gas_profile.folded} />
          <h3>Gas by function</h3>
          <GasTable functions={gas_profile.functions} />
        </>
      )}
    </>
  );
}

function GasTable({ functions }: { readonly functions: readonly FunctionGas[] }) {
  const most = [...functions]
    .sort((a, b) => (a.self_gas < b.self_gas ? 1 : a.self_gas > b.self_gas ? -1 : 0))
    .slice(0, MAX_FUNCTIONS);
  return (
    <Table
      caption="Gas by function"
      narrow="stacked"
      columns={[
        { name: 'Function', cell: (each) => <span class="mono break">{shortName(each.function, 60)}</span> },
        { name: 'Contract', wide: true, cell: ({ contract }) => <AddressHex of={contract} /> },
        { name: 'Own gas', numeric: true, cell: ({ self_gas }) => grouped(self_gas) },
        { name: 'With callees', numeric: true, wide: true, cell: ({ total_gas }) => grouped(total_gas) },
        { name: 'Calls', numeric: true, cell: ({ calls }) => grouped(calls) },
      ]}
      rows={most}
      keyOf={(each) => `${toHex(each.contract)} ${each.function}`}
    />
  );
}
