import type { UpgradePolicy } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { useAnswer } from '../node/loading.js';
import { AddressFact, HeightFact } from '../parts/facts.js';
import { WhenLoaded } from '../parts/failure-box.js';
import { AddressHex, Hex } from '../parts/hex.js';
import { Fact, Facts, Section } from '../parts/layout.js';
import { byteSize, counted, grouped } from '../text/format.js';

export function ContractFacts({ address }: { readonly address: Uint8Array }) {
  const metadata = useAnswer('contract_metadata', { address }, [toHex(address)]);
  return (
    <Section title="Contract">
      <WhenLoaded of={metadata}>
        {(contract) => (
          <Facts>
            <Fact name="Engine">{contract.vm.type}</Fact>
            <Fact name="Code">
              {byteSize(contract.code_size)}, hash <Hex text={toHex(contract.code_hash)} copy="code hash" />
            </Fact>
            <Fact name="Interface">
              {contract.idl_hash === undefined ? (
                <span class="muted">none</span>
              ) : (
                <>
                  version {grouped(contract.abi_version)}, hash{' '}
                  <Hex text={toHex(contract.idl_hash)} copy="interface hash" />
                </>
              )}
            </Fact>
            <Fact name="Upgrades">
              <Policy of={contract.upgrade_policy} />
            </Fact>
            {contract.pending_upgrade !== undefined && (
              <Fact name="Announced upgrade">
                from block {grouped(contract.pending_upgrade.ready_at)}, code{' '}
                <Hex text={toHex(contract.pending_upgrade.code_hash)} copy="code hash" />
              </Fact>
            )}
            <AddressFact name="Deployer" of={contract.deployer} />
            <HeightFact name="Deployed in block" of={contract.deployed_at} />
          </Facts>
        )}
      </WhenLoaded>
    </Section>
  );
}

function Policy({ of }: { readonly of: UpgradePolicy }) {
  switch (of.type) {
    case 'immutable':
      return <>never: the code is fixed</>;
    case 'admin':
      return (
        <>
          at any time, by <AddressHex of={of.value} copy />
        </>
      );
    case 'timelock':
      return (
        <>
          {counted(of.value.delay, 'block')} after an announcement by <AddressHex of={of.value.admin} copy />
        </>
      );
  }
}
