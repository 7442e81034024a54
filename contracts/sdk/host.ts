// The engine's host interface. Contracts use the neighbouring modules instead, which check the pointers passed here.
// Addresses are 20 bytes, amounts 16 (little-endian), slots, topics and digests 32.

/** Copies at most `cap` bytes of the value; returns its full length, or −1 if there is none. */
@external("heddle", "storage_read")
export declare function storage_read(slot: usize, out: usize, cap: u32): i32;
@external("heddle", "storage_write")
export declare function storage_write(slot: usize, ptr: usize, len: u32): void;
/** Returns 1 if there was a value, else 0. */
@external("heddle", "storage_remove")
export declare function storage_remove(slot: usize): i32;
@external("heddle", "storage_exists")
export declare function storage_exists(slot: usize): i32;
@external("heddle", "input_size")
export declare function input_size(): u32;
@external("heddle", "input_read")
export declare function input_read(out: usize, offset: u32, len: u32): u32;
@external("heddle", "set_output")
export declare function set_output(ptr: usize, len: u32): void;
/** Never returns. */
@external("heddle", "revert")
export declare function revert(ptr: usize, len: u32): void;
@external("heddle", "caller")
export declare function caller(out: usize): void;
@external("heddle", "origin")
export declare function origin(out: usize): void;
@external("heddle", "self")
export declare function self(out: usize): void;
@external("heddle", "value")
export declare function value(out: usize): void;
@external("heddle", "balance")
export declare function balance(address: usize, out: usize): void;
/** Returns 0 on success, 1 if the balance is insufficient. */
@external("heddle", "transfer")
export declare function transfer(to: usize, amount: usize): i32;
/** Returns 0 for success, 1 if reverted, 2 if out of gas, 3 if trapped, 4 if refused. */
@external("heddle", "call")
export declare function call(to: usize, amount: usize, gas: u64, input: usize, len: u32): i32;
@external("heddle", "view")
export declare function view(to: usize, gas: u64, input: usize, len: u32): i32;
@external("heddle", "returned_size")
export declare function returned_size(): u32;
@external("heddle", "returned_read")
export declare function returned_read(out: usize, offset: u32, len: u32): u32;
@external("heddle", "emit")
export declare function emit(topics: usize, count: u32, data: usize, len: u32): void;
@external("heddle", "sha256")
export declare function sha256(ptr: usize, len: u32, out: usize): void;
@external("heddle", "blake3")
export declare function blake3(ptr: usize, len: u32, out: usize): void;
@external("heddle", "keccak256")
export declare function keccak256(ptr: usize, len: u32, out: usize): void;
@external("heddle", "ed25519_verify")
export declare function ed25519_verify(message: usize, len: u32, signature: usize, key: usize): i32;
@external("heddle", "secp256k1_recover")
export declare function secp256k1_recover(hash: usize, signature: usize, recoveryId: u32, out: usize): i32;
@external("heddle", "bls_verify")
export declare function bls_verify(message: usize, len: u32, signature: usize, key: usize): i32;
@external("heddle", "block_height")
export declare function block_height(): u64;
@external("heddle", "block_timestamp_ms")
export declare function block_timestamp_ms(): u64;
@external("heddle", "chain_id")
export declare function chain_id(): u64;
@external("heddle", "gas_left")
export declare function gas_left(): u64;
@external("heddle", "log")
export declare function log(ptr: usize, len: u32): void;
