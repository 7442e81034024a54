import { useState } from 'preact/hooks';
import type { ValidatorSet } from '../../generated/ledger.js';
import type { PeerHealth, ValidatorStatus } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { status } from '../node/live.js';
import { useAnswer } from '../node/loading.js';
import { trustedKey, trustKey } from '../node/trusted-key.js';
import { Button, Form, LineInput, useLine } from '../parts/controls.js';
import { Empty, Waiting, WhenLoaded } from '../parts/failure-box.js';
import { AddressHex, Height, Hex } from '../parts/hex.js';
import { Fact, Facts, Section, Table } from '../parts/layout.js';
import { Badge } from '../parts/status.js';
import { counted, duration, grouped } from '../text/format.js';
import { shortName } from '../text/untrusted.js';
import { FinalityCheck } from './finality-check.js';
import { Heading } from './heading.js';
import { PendingChanges } from './pending-changes.js';

export function ValidatorsPage() {
  const now = status.value;
  const own = useAnswer('validator_status', {});
  return (
    <>
      <Heading title="Validators and finality" />
      <Section title="Finality">
        {now === undefined ? (
          <Waiting />
        ) : (
          <>
            <Facts>
              <Fact name="Finalized">
                block <Height of={now.finalized_height} />
              </Fact>
              <Fact name="Tip">
                block <Height of={now.tip.height} />
              </Fact>
              <Fact name="Epoch, view">
                {grouped(now.tip.epoch)}, {grouped(now.tip.view)}
              </Fact>
            </Facts>
            <KeyForm />
            <FinalityCheck height={now.finalized_height} />
          </>
        )}
      </Section>
      {now !== undefined && <SetSection set={now.validator_set} />}
      <Section title="This node" aside={<Button onClick={own.reload}>Refresh</Button>}>
        <WhenLoaded of={own}>{(value) => <NodeFacts of={value} />}</WhenLoaded>
      </Section>
    </>
  );
}

function KeyForm() {
  const line = useLine('key');
  const [isWrong, setWrong] = useState(false);
  const key = trustedKey.value;
  const mistake = isWrong
    ? {
        path: line.path,
        message: 'Expected the group key: 96 hex digits, or nothing for the key of this node.',
      }
    : undefined;
  return (
    <Form onSubmit={() => setWrong(!trustKey(line.value))}>
      <Facts>
        <Fact name="Trusted key">
          {key !== undefined && <Hex text={key.hex} copy="group key" long />}{' '}
          <Badge
            tone={key?.isGiven === true ? 'good' : 'waiting'}
            text={key?.isGiven === true ? 'given by you' : 'reported by this node'}
          />
        </Fact>
      </Facts>
      <LineInput {...line} label="Group key from another source" hint="96 hex digits" mistake={mistake} />
      <p class="actions">
        <button type="submit">Trust this key</button>
      </p>
    </Form>
  );
}

function SetSection({ set }: { readonly set: ValidatorSet }) {
  return (
    <Section
      title="Validator set"
      aside={
        <span class="muted">
          epoch {grouped(set.epoch)}, quorum {set.quorum} of {set.validators.length}
        </span>
      }
    >
      <Table
        caption="Validators of the epoch"
        narrow="stacked"
        columns={[
          { name: 'Index', cell: ({ index }) => String(index) },
          { name: 'Address', cell: ({ address }) => <AddressHex of={address} copy /> },
          {
            name: 'Identity key',
            wide: true,
            cell: ({ identity_key: key }) => <Hex text={toHex(key)} copy="identity key" />,
          },
          {
            name: 'Share key',
            wide: true,
            cell: ({ share_public_key: key }) => <Hex text={toHex(key)} copy="share key" />,
          },
        ]}
        rows={set.validators}
        keyOf={({ index }) => String(index)}
      />
    </Section>
  );
}

const ROLES: Readonly<Record<ValidatorStatus['role']['type'], string>> = {
  validator: 'validator',
  follower: 'follower',
  dev: 'single validator',
};

function NodeFacts({ of }: { readonly of: ValidatorStatus }) {
  const { role, index, dkg, sync, peers, consensus, pending_changes: pending } = of;
  return (
    <>
      <Facts>
        <Fact name="Role">
          {ROLES[role.type]}
          {index !== undefined && `, index ${index}`}
        </Fact>
        <Fact name="Sync">
          <Badge
            tone={sync.state.type === 'synced' ? 'good' : sync.state.type === 'stalled' ? 'bad' : 'waiting'}
            text={sync.state.type.replace('_', ' ')}
          />
        </Fact>
        <Fact name="Leader">validator {consensus.leader}</Fact>
        <Fact name="Views">
          {counted(consensus.finalizations, 'finalization')},{' '}
          {counted(consensus.nullifications, 'nullification')}, {counted(consensus.timeouts, 'timeout')}
        </Fact>
        <Fact name="Equivocations seen">{grouped(consensus.equivocations_seen)}</Fact>
        <Fact name="Time to finality">
          {duration(consensus.finality_latency_ms.p50)} (half), {duration(consensus.finality_latency_ms.p99)}{' '}
          (99%)
        </Fact>
        <Fact name="Key generation">
          {dkg.state.type === 'failed' ? `failed: ${shortName(dkg.state.value, 200)}` : dkg.state.type}
        </Fact>
      </Facts>
      <PendingChanges of={pending} />
      <h3>Peers</h3>
      <Peers of={peers} />
    </>
  );
}

function Peers({ of }: { readonly of: readonly PeerHealth[] }) {
  if (of.length === 0) return <Empty>No peers: this chain has a single validator.</Empty>;
  return (
    <Table
      caption="Peers of this node"
      narrow="stacked"
      columns={[
        { name: 'Validator', numeric: true, cell: ({ index }) => String(index) },
        {
          name: 'Address',
          wide: true,
          cell: ({ address }) => <span class="mono break">{shortName(address)}</span>,
        },
        {
          name: 'Round trip',
          numeric: true,
          cell: ({ rtt_ms }) => (rtt_ms === undefined ? '–' : duration(rtt_ms)),
        },
        {
          name: 'Behind by',
          numeric: true,
          wide: true,
          cell: ({ behind_by }) => (behind_by === undefined ? '–' : grouped(behind_by)),
        },
        {
          name: 'State',
          cell: ({ connected }) => (
            <Badge tone={connected ? 'good' : 'bad'} text={connected ? 'connected' : 'not connected'} />
          ),
        },
      ]}
      rows={of}
      keyOf={({ index }) => String(index)}
    />
  );
}
