/*
 * The EVM's side of the comparison: minimal code, with fewer checks and less decoding than compilers write, so that the
 * EVM is at its best. Comments show the stack, its top at the right.
 */

import { keccak_256 } from '@noble/hashes/sha3.js';
import { toPrefixedHex } from '../../../src/idl/hex.js';
import { assembleEvm } from './evm-assembler.js';

const keccakHex = (text: string): string => toPrefixedHex(keccak_256(Buffer.from(text)));
const selector = (signature: string): string => keccakHex(signature).slice(0, 10);

/** A number or an address as a word of 32 bytes, without 0x. */
export function word(value: bigint | Uint8Array): string {
  const digits = typeof value === 'bigint' ? value.toString(16) : Buffer.from(value).toString('hex');
  return digits.padStart(64, '0');
}

const BALANCE_OF = selector('balanceOf(address)');
const TRANSFER = selector('transfer(address,uint256)');

/** A token with its balances in a mapping at slot 0, as Solidity lays them out. */
export const TOKEN = assembleEvm(`
  0x CALLDATALOAD 0xe0 SHR                            ; selector
  DUP1 ${BALANCE_OF} EQ @balance JUMPI
  DUP1 ${TRANSFER} EQ @transfer JUMPI
fail:
  0x 0x REVERT
balance:
  0x04 CALLDATALOAD 0x MSTORE 0x40 0x KECCAK256 SLOAD ; selector balance
  0x MSTORE 0x20 0x RETURN
transfer:
  CALLER 0x MSTORE 0x40 0x KECCAK256                  ; selector from
  DUP1 SLOAD 0x24 CALLDATALOAD                        ; selector from balance amount
  DUP1 DUP3 LT @fail JUMPI                            ; balance < amount
  SWAP1 DUP2 SWAP1 SUB                                ; selector from amount rest
  DUP3 SSTORE                                         ; selector from amount
  0x04 CALLDATALOAD 0x MSTORE 0x40 0x KECCAK256       ; selector from amount to
  DUP1 SLOAD DUP3 ADD SWAP1 SSTORE                    ; selector from amount
  0x MSTORE                                           ; selector from
  0x04 CALLDATALOAD CALLER ${keccakHex('Transfer(address,address,uint256)')} 0x20 0x LOG3
  0x01 0x MSTORE 0x20 0x RETURN
`);

/** The slot in which {@link TOKEN} keeps the balance of an address: keccak256(address ‖ 0), each as a word. */
export function balanceSlot(owner: Uint8Array): string {
  return `0x${Buffer.from(keccak_256(Buffer.from(word(owner) + word(0n), 'hex'))).toString('hex')}`;
}

export const tokenCalls = {
  balanceOf: (owner: Uint8Array): string => BALANCE_OF + word(owner),
  transfer: (to: Uint8Array, amount: bigint): string => TRANSFER + word(to) + word(amount),
};

/**
 * Computes x = x · 31 + i, starting with x = 1, for all i below the first word of the input (at least 1), and returns
 * the lowest 64 bits of x. Higher bits cannot affect those, so they are cut off once at the end, which is cheaper
 * than in every round.
 */
export const LOOP = assembleEvm(`
  0x CALLDATALOAD 0x01 0x                             ; n x i
next:
  SWAP1 0x1f MUL DUP2 ADD                             ; n i x
  SWAP1 0x01 ADD                                      ; n x i
  DUP3 DUP2 LT @next JUMPI                            ; i < n
  POP 0xffffffffffffffff AND
  0x MSTORE 0x20 0x RETURN
`);

/** keccak256 of the first word of the input, repeated as many times as the second word says (at least 1). */
export const HASH_CHAIN = assembleEvm(`
  0x CALLDATALOAD 0x MSTORE 0x20 CALLDATALOAD         ; n
next:
  0x20 0x KECCAK256 0x MSTORE
  0x01 SWAP1 SUB                                      ; n
  DUP1 @next JUMPI
  0x20 0x RETURN
`);
