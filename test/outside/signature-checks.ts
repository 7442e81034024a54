import { nobleCheck, type SignatureCheck } from './finality.js';

/** Verification by blst; undefined if it has no binary for this machine. */
async function blstCheck(): Promise<SignatureCheck | undefined> {
  const blst = await import('@chainsafe/blst').catch(() => undefined);
  if (blst === undefined) return undefined;
  return (signature, message, key) => {
    try {
      const point = blst.Signature.fromBytes(signature, true, true);
      return blst.verify(message, blst.PublicKey.fromBytes(key, true), point);
    } catch {
      // Bytes that are not a point.
      return false;
    }
  };
}

const blst = await blstCheck();
/** Checks of signatures that share nothing with the node. */
export const SIGNATURE_CHECKS = [
  { name: '@noble/curves', check: nobleCheck, skip: false as const },
  { name: 'blst', check: blst ?? nobleCheck, skip: blst === undefined ? 'no binary of blst here' : false },
];
