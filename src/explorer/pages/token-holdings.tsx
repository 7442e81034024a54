import { useState } from 'preact/hooks';
import { formatAmount, type TokenBalances, tokenBalances } from '../../client/client.js';
import { toHex } from '../../idl/hex.js';
import { ExactAmount } from '../amounts/amount.js';
import { lookups } from '../node/connection.js';
import { useLoaded } from '../node/loading.js';
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
    <Section
      title="Tokens"
      aside={
        <button type="button" onClick={held.reload}>
          Refresh
        </button>
      }
    >
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
                  <button type="button" onClick={() => setLimit(limit + STEP)}>
                    Ask more
                  </button>
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
        { name: 'Token' },
        { name: 'Balance', numeric: true },
        { name: 'Contract' },
        { name: 'Last transfer', numeric: true, wide: true },
      ]}
      rows={tokens.map(({ contract, balance, decimals, symbol, lastHeight }) => ({
        key: toHex(contract),
        cells: [
          symbol === undefined ? (
            <span class="muted">no symbol</span>
          ) : (
            <strong class="break">{symbol}</strong>
          ),
          <ExactAmount key="balance" text={formatAmount(balance, decimals)} of={balance} />,
          <AddressHex key="contract" of={contract} />,
          <span key="last">
            block <Height of={lastHeight} />
          </span>,
        ],
      }))}
    />
  );
}
