import type { ComponentChildren } from 'preact';
import type { Account } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';

import type { FormsProps } from '../contract/function-list.js';
import { useAnswer, useLoaded } from '../node/loading.js';
import { Button } from '../parts/controls.js';
import { useCurrentInView } from '../parts/current-in-view.js';
import { AmountFact } from '../parts/facts.js';
import { Empty, WhenLoaded } from '../parts/failure-box.js';
import { Hex } from '../parts/hex.js';
import { IdlSource } from '../parts/idl-source.js';
import { Fact, Facts, Section, Table } from '../parts/layout.js';
import { NameChip } from '../parts/name-chip.js';
import { Badge } from '../parts/status.js';
import type { EventWords } from '../routing/event-words.js';
import { route } from '../routing/location.js';
import { ADDRESS_TABS, type AddressTab, addressLink } from '../routing/route.js';
import { grouped } from '../text/format.js';
import { AddressTransactions } from './address-transactions.js';
import { ContractEvents } from './contract-events.js';
import { ContractFacts } from './contract-facts.js';
import { Heading } from './heading.js';
import { ReceivedPayments } from './received-payments.js';
import { TokenHoldings } from './token-holdings.js';

const TAB_NAMES: Readonly<Record<AddressTab, string>> = {
  overview: 'Overview',
  interface: 'Interface',
  transactions: 'Transactions',
  received: 'Received',
  events: 'Events',
  source: 'IDL',
};

/** An account, which may be a contract. @param address 40 hex digits */
export function AddressPage({ address, tab }: { readonly address: string; readonly tab: AddressTab }) {
  const account = useAnswer('account', { address }, [address]);
  const isContract = account.loading.state === 'ready' && account.loading.value.is_contract;
  return (
    <>
      <Heading title={isContract ? 'Contract' : 'Account'}>
        <NameChip of={address} />
        <Hex text={`0x${address}`} copy="address" long />
      </Heading>
      <WhenLoaded of={account}>
        {(value) => (
          <>
            {value.is_contract && <Tabs address={address} open={tab} />}
            {value.is_contract ? (
              <OpenContractTab account={value} tab={tab} reload={account.reload} />
            ) : (
              <PlainAccount account={value} reload={account.reload} showsReceived={tab === 'received'} />
            )}
          </>
        )}
      </WhenLoaded>
    </>
  );
}

function Tabs({ address, open }: { readonly address: string; readonly open: AddressTab }) {
  return (
    <nav class="tabs" aria-label="Contract" ref={useCurrentInView()}>
      {ADDRESS_TABS.map((tab) => (
        <a key={tab} href={addressLink(address, tab)} aria-current={tab === open ? 'page' : undefined}>
          {TAB_NAMES[tab]}
        </a>
      ))}
    </nav>
  );
}

interface AccountProps {
  readonly account: Account;
  readonly reload: () => void;
}

interface PlainAccountProps extends AccountProps {
  /** Lists what the account received instead of what it sent. */
  readonly showsReceived: boolean;
}

/** An account that is no contract: all on one page. */
function PlainAccount({ account, reload, showsReceived }: PlainAccountProps) {
  const { address } = account;
  const digits = toHex(address);
  const direction = (
    <nav class="tabs" aria-label="Direction">
      <a href={addressLink(digits)} aria-current={showsReceived ? undefined : 'page'}>
        Sent
      </a>
      <a href={addressLink(digits, 'received')} aria-current={showsReceived ? 'page' : undefined}>
        Received
      </a>
    </nav>
  );
  return (
    <>
      <AccountFacts account={account} reload={reload} />
      <TokenHoldings address={address} />
      {showsReceived ? (
        <ReceivedPayments address={address} aside={direction} />
      ) : (
        <AddressTransactions address={address} of="sender" aside={direction} />
      )}
    </>
  );
}

function OpenContractTab({ account, tab, reload }: AccountProps & { readonly tab: AddressTab }) {
  const { address } = account;
  switch (tab) {
    case 'overview':
      return (
        <>
          <AccountFacts account={account} reload={reload} />
          <ContractFacts address={address} />
          <TokenHoldings address={address} />
        </>
      );
    case 'interface':
      return (
        <WithIdl address={address}>
          {(idl) => (idl === undefined ? <NoIdl /> : <Forms contract={address} idl={idl} />)}
        </WithIdl>
      );
    case 'transactions':
      return <AddressTransactions address={address} of="contract" />;
    case 'received':
      return <ReceivedPayments address={address} />;
    case 'events':
      return (
        <WithIdl address={address}>
          {(idl) => <ContractEvents address={address} idl={idl} words={eventWords()} />}
        </WithIdl>
      );
    case 'source':
      return (
        <WithIdl address={address}>
          {(idl) =>
            idl === undefined ? (
              <NoIdl />
            ) : (
              <Section title="Interface definition">
                <IdlSource text={idl} />
              </Section>
            )
          }
        </WithIdl>
      );
  }
}

function AccountFacts({ account, reload }: AccountProps) {
  const { exists, balance, lanes, deploy_index } = account;
  return (
    <Section title="Account" aside={<Button onClick={reload}>Refresh</Button>}>
      {!exists && <Empty>This account has never been used; anyone can send to it.</Empty>}
      <Facts>
        <AmountFact name="Balance" of={balance} />
        <Fact name="Contracts deployed">{grouped(deploy_index)}</Fact>
      </Facts>
      {lanes.length > 0 && (
        <Table
          caption="Nonce lanes"
          columns={[
            { name: 'Lane', cell: ({ lane }) => String(lane) },
            { name: 'Next nonce', numeric: true, cell: ({ next_nonce }) => String(next_nonce) },
            { name: 'Pending', numeric: true, cell: ({ pending }) => grouped(pending) },
            {
              name: 'State',
              cell: ({ pending }) =>
                pending === 0 ? <Badge tone="plain" text="idle" /> : <Badge tone="waiting" text="pending" />,
            },
          ]}
          rows={lanes}
          keyOf={({ lane }) => String(lane)}
        />
      )}
    </Section>
  );
}

/** Forms for the contract's functions, whose code only this tab needs. */
function Forms(props: FormsProps) {
  const forms = useLoaded(() => import('../contract/function-list.js'), []);
  return <WhenLoaded of={forms}>{(loaded) => <loaded.ContractForms {...props} />}</WhenLoaded>;
}

function WithIdl({
  address,
  children,
}: {
  readonly address: Uint8Array;
  readonly children: (idl: string | undefined) => ComponentChildren;
}) {
  const answer = useAnswer('contract_idl', { address }, [address]);
  return <WhenLoaded of={answer}>{({ idl }) => children(idl)}</WhenLoaded>;
}

function NoIdl() {
  return (
    <div class="card">
      <Empty>This contract was deployed without an interface, so its methods are not known.</Empty>
    </div>
  );
}

/** The filter in the address bar. */
function eventWords(): EventWords {
  const current = route.value;
  return (current.page === 'address' ? current.events : undefined) ?? { where: [] };
}
