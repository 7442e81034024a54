import { toHex } from '../../idl/hex.js';
import { type CheckedBlock, checkFinality } from '../node/check-finality.js';
import { status } from '../node/live.js';
import { useAction } from '../node/loading.js';
import { trustedKey } from '../node/trusted-key.js';
import { Button } from '../parts/controls.js';
import { HeightFact, HexFact } from '../parts/facts.js';
import { WhenReady } from '../parts/failure-box.js';
import { Facts } from '../parts/layout.js';
import { Badge } from '../parts/status.js';

/**
 * Verifies in the browser that a block is final, and shows its header.
 * @param hash hash of the block on the page, 32 bytes, which the certified one must have
 */
export function FinalityCheck({ height, hash }: { readonly height: bigint; readonly hash?: Uint8Array }) {
  const check = useAction<CheckedBlock>();
  const key = trustedKey.value;
  const chainId = status.value?.chain_id;
  const start = () => {
    if (key !== undefined && chainId !== undefined) {
      check.start(() => checkFinality(height, key.hex, chainId));
    }
  };
  return (
    <>
      <p class="action-line">
        <Button disabled={key === undefined} onClick={start}>
          Check finality in this browser
        </Button>
        {key?.isGiven === true ? (
          <span class="muted">Verifies the certificate with the key that you gave.</span>
        ) : (
          <span class="muted">
            Verifies the certificate with the key that this node reports. To rely on nothing that the node
            says, give <a href="#/validators">the validators' key</a> from another source.
          </span>
        )}
      </p>
      <div aria-live="polite">
        <WhenReady
          of={check.outcome}
          retry={start}
          show={(block) => <Checked block={block} shownHash={hash} />}
        />
      </div>
    </>
  );
}

function Checked({
  block,
  shownHash,
}: {
  readonly block: CheckedBlock;
  readonly shownHash: Uint8Array | undefined;
}) {
  const { header, hash } = block;
  const isOther = shownHash !== undefined && toHex(shownHash) !== toHex(hash);
  return (
    <>
      {isOther ? (
        <p class="notice notice-bad" role="alert">
          <strong>The validators certified another block than this page shows.</strong> The certificate is
          valid, but for the block with the hash below. The node's summary and transactions above are not
          those of the chain.
        </p>
      ) : (
        <p>
          <Badge tone="good" text="final: the certificate is valid" />{' '}
          {shownHash !== undefined && (
            <span class="muted">
              The hash above is the certified one. The transactions listed above are not checked.
            </span>
          )}
        </p>
      )}
      <Facts>
        <HeightFact name="Checked block" of={header.height} />
        <HexFact name="Block hash" of={hash} copy="block hash" />
        <HexFact name="State root" of={header.state_root} copy="state root" />
        <HexFact name="Transactions root" of={header.transactions_root} copy="transactions root" />
        <HexFact name="Receipts root" of={header.receipts_root} copy="receipts root" />
        <HexFact name="History root" of={header.history_root} copy="history root" />
        <HexFact name="Validators" of={header.validators_hash} copy="validators hash" />
      </Facts>
    </>
  );
}
