import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { sha256 } from '../../../src/crypto/sha256.js';
import type { Candidates } from '../../../src/execution/atomic-groups.js';
import { BlockExecution } from '../../../src/execution/block-execution.js';
import { addInParallel } from '../../../src/execution/parallel/parallel-execution.js';
import type { Action, DevChange } from '../../../src/generated/ledger.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { DEV_CONTROLLER_ADDRESS } from '../../../src/ledger/dev-controls.js';
import type { VerifiedTransaction } from '../../../src/ledger/transaction-envelope.js';
import { seededRandom } from '../../../src/load/workload.js';
import { balanceReader, pointerChaser, relay } from '../../support/contracts/interacting-contracts.js';
import { sweep } from '../../support/sweep.js';
import { BlockWorld, numbered, textOfBlock, unsigned } from '../../support/worlds/block-world.js';
import { controlAction } from '../../support/worlds/dev-control.js';
import {
  deployRandomContracts,
  RandomBlocks,
  type RandomContracts,
} from '../../support/worlds/random-blocks.js';
import { ArbitraryBudget, InProcessRunner } from '../../support/worlds/speculation-runners.js';

/** Random controls over the contracts and accounts that random blocks use. */
class RandomControls {
  readonly #contracts: RandomContracts;
  readonly #random: () => number;

  constructor(contracts: RandomContracts, random: () => number) {
    this.#contracts = contracts;
    this.#random = random;
  }

  action(): Action {
    const changes = Array.from({ length: 1 + this.#below(3) }, () => this.#change());
    if (this.#random() < 0.3) changes.push(this.#impersonation());
    return controlAction(changes);
  }

  #change(): DevChange {
    const { balances, chaser, relay: through, tokenA } = this.#contracts;
    const contract = [balances, chaser, through][this.#below(3)] ?? chaser;
    switch (this.#below(7)) {
      case 0:
        return {
          type: 'balance',
          value: { address: this.#someone(), amount: BigInt(this.#below(60_000_000)) },
        };
      case 1: {
        const slot = Buffer.alloc(32, this.#below(5));
        const value = this.#random() < 0.3 ? {} : { value: Buffer.alloc(32, this.#below(5)) };
        return {
          type: 'slots',
          value: { contract: this.#random() < 0.8 ? chaser : tokenA, slots: [{ slot, ...value }] },
        };
      }
      case 2:
        return { type: 'no_contract', value: contract };
      case 4:
        return this.#copy(contract);
      case 5: {
        const slots = [{ slot: Buffer.alloc(32, this.#below(5)), value: Buffer.alloc(32, this.#below(5)) }];
        return { type: 'forked_slots', value: { contract: chaser, slots } };
      }
      case 3:
        return {
          type: 'deploy_index',
          value: { address: this.#someone(), deploy_index: BigInt(this.#below(9)) },
        };
      default:
        return {
          type: 'contract',
          value: {
            address: contract,
            vm: { type: 'wasm' },
            code: [pointerChaser(), balanceReader(), relay()][this.#below(3)] ?? new Uint8Array(0),
            abi_version: 1,
            upgrade_policy: { type: 'admin', value: numbered(0) },
            deployer: numbered(0),
            deployed_at: 1n,
          },
        };
    }
  }

  /** A copy of a contract, or of an account, whose nonces it may change. */
  #copy(contract: Uint8Array): DevChange {
    const isContract = this.#random() < 0.3;
    const code = [pointerChaser(), balanceReader(), relay()][this.#below(3)] ?? new Uint8Array(0);
    const lanes = this.#random() < 0.5 ? [] : [{ lane: this.#below(2), next_nonce: BigInt(this.#below(3)) }];
    const record = {
      vm: { type: 'wasm' },
      code_hash: this.#random() < 0.9 ? sha256(code) : Buffer.alloc(32),
      code_size: code.length,
      abi_version: 1,
      upgrade_policy: { type: 'immutable' },
      deployer: numbered(0),
      deployed_at: 1n,
    } as const;
    const account = {
      balance: BigInt(this.#below(60_000_000)),
      lanes,
      deploy_index: BigInt(this.#below(3)),
      ...(isContract ? { contract: record } : {}),
    };
    const address = isContract ? contract : this.#someone();
    return { type: 'forked_account', value: { address, account, ...(isContract ? { code } : {}) } };
  }

  #impersonation(): DevChange {
    const { chaser } = this.#contracts;
    const action: Action =
      this.#random() < 0.5
        ? { type: 'transfer', value: { to: this.#someone(), amount: BigInt(this.#below(60_000_000)) } }
        : { type: 'call', value: { contract: chaser, input: Buffer.alloc(32, this.#below(5)), value: 0n } };
    return { type: 'impersonate', value: { sender: this.#someone(), action } };
  }

  #someone(): Uint8Array {
    return numbered(this.#below(14));
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }
}

const CHAINS = sweep(4);

describe('blocks with development controls among other transactions', () => {
  let furnished: BlockWorld;
  let contracts: RandomContracts;
  let succeeded = 0;
  let reruns = 0;

  before(async () => {
    furnished = await BlockWorld.open();
    contracts = deployRandomContracts(furnished);
  });

  function withControls(
    world: BlockWorld,
    others: readonly VerifiedTransaction[],
    random: () => number,
  ): Candidates<VerifiedTransaction> {
    const controls = new RandomControls(contracts, random);
    let nonce = world.nonce(DEV_CONTROLLER_ADDRESS);
    const transactions = others.flatMap((other) => {
      if (random() < 0.6) return [other];
      const action = controls.action();
      const control = unsigned(world.crypto, DEV_CONTROLLER_ADDRESS, nonce, action, { gas: 20_000_000n });
      nonce += 1n;
      return [control, other];
    });
    return { transactions, bundles: [] };
  }

  async function chain(seed: number): Promise<void> {
    const random = seededRandom(seed);
    const world = furnished.fork();
    world.isDevelopment = true;
    const blocks = new RandomBlocks(world.crypto, contracts, random);
    for (let number = 0; number < 8; number++) {
      const others = blocks.next(world, 3 + Math.floor(random() * 12)).transactions;
      const candidates = withControls(world, others, random);
      const serial = world.serially(candidates);
      for (const workers of [1, 4]) {
        const block = new BlockExecution(world.env(), world.state);
        const runner = new InProcessRunner(workers, world.state, world.machine, random);
        const statistics = await addInParallel(
          {
            env: world.env(),
            runner,
            predictions: { of: () => undefined },
            minTaskGas: 0,
            budget: new ArbitraryBudget(random),
          },
          candidates,
          block,
        );
        reruns += statistics.reruns;
        assert.equal(textOfBlock(block.finish()), textOfBlock(serial), `seed ${seed}, block ${number}`);
      }
      for (const receipt of serial.receipts) {
        const { outcome, fee } = ledger.LedgerReceipt.decode(receipt);
        if (fee === 0n && outcome.type === 'success') succeeded++;
      }
      world.commit(serial);
    }
  }

  test(`give the same result in parallel as one by one: ${CHAINS} chains`, async () => {
    for (let seed = 0; seed < CHAINS; seed++) await chain(seed);
  });

  test('succeed and conflict often enough to show a difference', () => {
    assert.ok(succeeded > 5 * CHAINS, `${succeeded} controls succeeded`);
    assert.ok(reruns > 2 * CHAINS, `${reruns} groups ran again`);
  });
});
