import { useState } from 'preact/hooks';
import { formatAmount, type TokenBalances, tokenBalances } from '../../client/client.js';
import { toHex } from '../../idl/hex.js';
import { ExactAmount } from '../amounts/amount.js';
import { lookups } from '../node/connection.js';
import { useLoaded } from '../node/loading.js';
import { Button } from '../parts/controls.js';
import { Empty, WhenLoaded } from '../parts/failure-box.js';
import { AddressHex, Height } from '../parts/hex.js';
import { Section, Table } from '../parts/layout.js';
import { grouped } from '../text/format.js';

/** Number of contracts asked for a balance at first, and added per click. */
const STEP = 40;

/** The tokens that an address holds, according to their contracts. */
export function TokenHoldings({ address }: { readonly address: Uint8Array }) {
  const node = lookups.value;
  const [limit, setLimit] = useState(STEP);
  const held = useLoaded(() => tokenBalances(node, address, { limit }), [node, toHex(address), limit]);
  const { loading } = held;
  return (
    <Section title="Tokens" aside={<Button onClick={held.reload}>Refresh</Button>}>
      {loading.state === 'failed' && loading.failure.wantsToken ? (
        <Empty>
          The node shows the balances of tokens only with an access token. Enter one under{' '}
          <a href="#/settings">Settings</a>.
        </Empty>
      ) : (
        <WhenLoaded of={held}>
          {({ tokens, hasMore }) => (
            <>
              {tokens.length === 0 ? <Empty>No tokens.</Empty> : <TokenTable tokens={tokens} />}
              {hasMore && (
                <p class="action-line">
                  <Button onClick={() => setLimit(limit + STEP)}>Ask more</Button>
                  <span class="muted">
                    Only {grouped(limit)} of the contracts that name this address were asked.
                  </span>
                </p>
              )}
            </>
          )}
        </WhenLoaded>
      )}
    </Section>
  );
}

function TokenTable({ tokens }: Pick<TokenBalances, 'tokens'>) {
  return (
    <Table
      caption="Tokens"
      columns={[
        {
          name: 'Token',
          cell: ({ symbol }) =>
            symbol === undefined ? (
              <span class="muted">no symbol</span>
            ) : (
              <strong class="break">{symbol}</strong>
            ),
        },
        {
          name: 'Balance',
          numeric: true,
          cell: ({ balance, decimals }) => (
            <ExactAmount text={formatAmount(balance, decimals)} of={balance} />
          ),
        },
        { name: 'Contract', cell: ({ contract }) => <AddressHex of={contract} /> },
        {
          name: 'Last transfer',
          numeric: true,
          wide: true,
          cell: ({ lastHeight }) => (
            <>
              block <Height of={lastHeight} />
            </>
          ),
        },
      ]}
      rows={tokens}
      keyOf={({ contract }) => toHex(contract)}
    />
  );
}
