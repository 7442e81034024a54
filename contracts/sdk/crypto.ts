import { Address } from "./address";
import { Bytes } from "./bytes";
import { Hash } from "./hash";
import * as host from "./host";
import { require } from "./revert";

/** The SHA-256 digest of the bytes. */
export function sha256(data: Bytes): Hash {
  const out = new Hash();
  host.sha256(data.pointer, data.length, changetype<usize>(out));
  return out;
}

/** The BLAKE3 digest of the bytes. */
export function blake3(data: Bytes): Hash {
  const out = new Hash();
  host.blake3(data.pointer, data.length, changetype<usize>(out));
  return out;
}

/** The Keccak-256 digest of the bytes, as Ethereum computes it. */
export function keccak256(data: Bytes): Hash {
  const out = new Hash();
  host.keccak256(data.pointer, data.length, changetype<usize>(out));
  return out;
}

/** Whether the 64-byte ed25519 signature of the message is valid for the key. */
export function ed25519Verify(message: Bytes, signature: Bytes, publicKey: Hash): bool {
  require(signature.length == 64, "an ed25519 signature has 64 bytes");
  return (
    host.ed25519_verify(message.pointer, message.length, signature.pointer, changetype<usize>(publicKey)) == 1
  );
}

/** The address whose secp256k1 key made the 64-byte signature of the hash; the zero address if invalid. */
export function secp256k1Recover(hash: Hash, signature: Bytes, recoveryId: u32): Address {
  require(signature.length == 64, "a secp256k1 signature has 64 bytes");
  const out = new Address();
  host.secp256k1_recover(changetype<usize>(hash), signature.pointer, recoveryId, changetype<usize>(out));
  return out;
}

/** Whether the 96-byte BLS12-381 signature of the message is valid for the 48-byte key. */
export function blsVerify(message: Bytes, signature: Bytes, publicKey: Bytes): bool {
  require(signature.length == 96, "a BLS signature has 96 bytes");
  require(publicKey.length == 48, "a BLS key has 48 bytes");
  return host.bls_verify(message.pointer, message.length, signature.pointer, publicKey.pointer) == 1;
}

/** The address of an ed25519 key: the last 20 bytes of sha256(0x00 ‖ key). */
export function ed25519Address(publicKey: Hash): Address {
  const preimage = heap.alloc(33);
  store<u8>(preimage, 0);
  memory.copy(preimage + 1, changetype<usize>(publicKey), 32);
  const digest = heap.alloc(32);
  host.sha256(preimage, 33, digest);
  return changetype<Address>(digest + 12);
}
