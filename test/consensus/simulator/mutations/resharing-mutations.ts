import { type Mutation, resharingMutationsOf } from './mutation.js';

const AT_THE_END =
  'It takes a validator that still reads a good sealed share when the epoch ends (`test/consensus/resharing/participants.test.ts`).';

/** Small faults in resharing, in its items, and in the rules for them. */
export const RESHARING_MUTATIONS: readonly Mutation[] = [
  ...resharingMutationsOf('resharing/player.ts', [
    [
      'a second polynomial is acknowledged',
      "return refuse('a polynomial other than the one acknowledged');",
      'return [...this.#keep(dealt), this.#acknowledge(dealt)];',
    ],
    [
      'a polynomial read from a block is acknowledged besides the first',
      'const [known] = this.#received.get(dealer) ?? [];',
      'const known = this.#received.get(dealer)?.at(-1);',
    ],
    [
      'an evaluation is acknowledged before it is kept',
      'return [...this.#keep(dealt), this.#acknowledge(dealt)];',
      'return [this.#acknowledge(dealt), ...this.#keep(dealt)];',
    ],
    [
      'an acknowledged evaluation is not kept',
      'return [...this.#keep(dealt), this.#acknowledge(dealt)];',
      'return [this.#acknowledge(dealt)];',
    ],
    [
      'a wrong evaluation is acknowledged',
      "if (refusal !== undefined) return [{ type: 'refuse', dealer, reason: refusal.message }];",
      '',
    ],
    [
      'a polynomial of another degree is acknowledged',
      'commitments.length !== quorumOf(context.nextPlayers.length)',
      'commitments.length === 0',
    ],
    [
      'a polynomial of another constant is acknowledged',
      '!sameBytes(commitments[0] ?? new Uint8Array(0), holder.share_public_key)',
      'commitments.length === 0',
    ],
    [
      'sealed shares are read at the end of the epoch only',
      'return this.#ending === undefined ? this.#included(event.items) : [];',
      'return [];',
    ],
    [
      'garbage is not complained about',
      'if (complaint !== undefined && this.#ending === undefined)',
      'if (complaint !== undefined && this.#over)',
    ],
    [
      'sealed shares are not read at the end of the epoch',
      'const opens = missing.flatMap((dealing) => this.#open(dealing));',
      'const opens = missing.slice(0, 0).flatMap((dealing) => this.#open(dealing));',
      { missed: AT_THE_END },
    ],
    [
      'an evaluation that was read is not kept',
      'effects.push(...this.#keep({ dealer, commitments_digest: digest, share: opened.share }));',
      'void digest;',
    ],
    [
      'disputed dealings make the share',
      'undisputed(dealings, complaints).slice(0, currentSet.quorum) : []',
      'dealings.slice(0, currentSet.quorum) : []',
    ],
    [
      'one dealing too few makes the share',
      'slice(0, currentSet.quorum) : []',
      'slice(0, currentSet.quorum - 1) : []',
    ],
    [
      'one dealing too many makes the share',
      'slice(0, currentSet.quorum) : []',
      'slice(0, currentSet.quorum + 1) : []',
    ],
    [
      'evaluations are weighted by their order',
      'weightsAtZero(dealings.map(({ dealer }) => dealer))',
      'weightsAtZero(dealings.map((_, at) => at))',
    ],
    [
      'evaluations of another polynomial count',
      'const own = received.find(({ commitments_digest }) => sameBytes(commitments_digest, digest));',
      'const own = received.find(() => digest.length > 0);',
    ],
    [
      'the share is that of the old index',
      'const index = reshared ? nextIndex : present?.index;',
      'const index = present?.index;',
    ],
  ]),
  ...resharingMutationsOf('resharing/dealer.ts', [
    ['a restarted dealer deals again', 'this.#own = this.#options.own;', 'this.#own = undefined;'],
    [
      'evaluations are sent before the polynomial is kept',
      'return [...persist, ...this.#send(this.#missing())];',
      'return [...this.#send(this.#missing()), ...persist];',
    ],
    [
      'unsigned acknowledgements count',
      'if (!crypto.ed25519.verify(ack.signature, message, key)) {',
      'if (!crypto.ed25519.verify(ack.signature, message, key) && ack.signature.length === 0) {',
    ],
    [
      'a dealing may miss one player more',
      '(this.#late ? maxFaulty(this.#players) : 0)',
      '(this.#late ? maxFaulty(this.#players) + 1 : 0)',
    ],
    ['a dealing waits for all players for ever', '(this.#late ? maxFaulty(this.#players) : 0)', '0'],
    [
      "a player gets the next one's evaluation",
      'return encodeScalar(evaluationFor(this.#polynomial, player));',
      'return encodeScalar(evaluationFor(this.#polynomial, player + 1));',
    ],
    [
      'a polynomial of too low a degree',
      'randomPolynomial(quorumOf(this.#players), random',
      'randomPolynomial(quorumOf(this.#players) - 1, random',
    ],
    ['a polynomial of another constant', 'random, expectScalar(share));', 'random);'],
    ['all dealings have the same seed', 'seed: random(32),', 'seed: new Uint8Array(32),'],
    [
      'absent players get nothing',
      'sealed: missing.flatMap((player) => this.#sealed.get(player) ?? []),',
      'sealed: [],',
    ],
    ['acknowledgements are in the order of their arrival', '.sort((a, b) => a.player - b.player),', ','],
    [
      'a failed sealing is not repeated',
      '...(this.#isReady ? [] : this.#dealing())',
      '...(this.#isReady ? [] : [])',
    ],
    ['evaluations are sent only once', 'return [...this.#send(this.#missing()), ...(', 'return [...('],
    [
      'the present encryption key is announced again',
      'encryption_key: own.encryption_key,',
      'encryption_key: context.nextPlayers[index]?.encryption_key ?? own.encryption_key,',
    ],
  ]),
  ...resharingMutationsOf('resharing/epoch-resharing.ts', [
    [
      'acknowledgements do not wait for the disk',
      'await this.#file.keep({ received: effect.received });',
      'void this.#file.keep({ received: effect.received });',
    ],
    [
      'evaluations are sent before the disk has the polynomial',
      'await this.#file.keep({ own: effect.own });',
      'void this.#file.keep({ own: effect.own });',
    ],
    ['a new encryption key is not kept', 'await this.#parts.encryption.add(effect.encryption);', ''],
    [
      'a new share is not kept',
      'await shares.save({ epoch, index, share, journalId: shares.journalId });',
      '',
    ],
    ["an epoch's secrets are not erased", 'await this.#file.erase();', ''],
    [
      'only the newest private key opens sealed shares',
      'privateKeys: encryption.privateKeys,',
      'privateKeys: encryption.privateKeys.slice(-1),',
    ],
    [
      "a dealer's evaluation for itself is lost",
      'this.#later(() => this.onDealtShare(identity, effect.dealt));',
      '',
    ],
    [
      "a dealer's acknowledgement to itself is lost",
      'this.#later(() => this.onDealtAck(identity, effect.ack));',
      '',
    ],
    [
      'an old share is dealt',
      'if (present !== undefined && isWhole && shares.matchesJournal &&',
      'if (present !== undefined && shares.matchesJournal &&',
      { missed: 'It takes a validator that lost its share, keeps its index, and deals in the same epoch.' },
    ],
    [
      'evaluations are taken from anybody',
      'if (from !== undefined) await this.#play({ type: ',
      'await this.#play({ type: ',
      {
        equivalent:
          'The player looks the sender up in the present set once more, and ignores one that is not in it.',
      },
    ],
    ['sealed shares are never opened', "await this.#play({ type: 'included', items });", ''],
    [
      'the answers of the opening at the end are lost',
      "await this.#play({ type: 'opened', dealer, opened }, reshared);",
      'void dealer;',
      { missed: AT_THE_END },
    ],
  ]),
  ...resharingMutationsOf('resharing/resharing.ts', [
    [
      'dealings are proposed after the window',
      "dealings: phase === 'dealings' ? this.#received.dealings : [],",
      'dealings: phase.length > 0 ? this.#received.dealings : [],',
    ],
    ['the deadline never comes', "void this.#queue(() => this.#current?.deal({ type: 'deadline' }));", ''],
    [
      'old encryption keys are never erased',
      "if (await current.final({ type: 'final', items, next })) await this.#eraseOldKeys(state);",
      "await current.final({ type: 'final', items, next });",
    ],
    [
      'old encryption keys are erased before the end',
      "if (await current.final({ type: 'final', items, next })) await this.#eraseOldKeys(state);",
      "await this.#eraseOldKeys(state);\n      await current.final({ type: 'final', items, next });",
      {
        missed:
          'It takes a dealer that is away from its dealing to the end of the epoch, with something sealed to it.',
      },
    ],
    [
      'a restart erases the announced key',
      'await this.#eraseOldKeys(this.#state, own?.encryption_key);',
      'await this.#eraseOldKeys(this.#state);',
    ],
    [
      "complaints of an epoch's last block do not count",
      'const items = joined(ended, itemsAt(this.#options, height));',
      'const items = joined(ended, { dealings: [], complaints: [] });',
      { missed: 'It takes a complaint in the last block of an epoch.' },
    ],
    [
      'a resharing that a crash interrupted is not finished',
      'if (ended !== undefined && indexIn(set.validators, identity.publicKey) >= 0) {',
      'if (ended !== undefined && indexIn(set.validators, identity.publicKey) >= 1e9) {',
    ],
    [
      'complaints are not sent',
      "this.#received.addComplaint(complaint);\n    this.#options.mesh.broadcast('complaint', complaint);",
      '',
    ],
    [
      'dealings are not sent',
      "this.#received.addDealing(dealing);\n    this.#options.mesh.broadcast('dealing', dealing);",
      '',
    ],
    ['new dealings in blocks are not noticed', 'after.dealings.length > before.dealings.length ||', ''],
    [
      'a restarted validator does not look at the dealings so far',
      'if (dealings.length > 0) await current.onIncluded({ dealings, complaints });',
      'void complaints;',
      {
        missed:
          'It takes a restart between the last dealings and the end of an epoch, with garbage sealed to that validator.',
      },
    ],
  ]),
  ...resharingMutationsOf('resharing/received-items.ts', [
    [
      'items are not checked',
      'const refused = await check();',
      'const refused = await check().then(() => undefined);',
    ],
    ['dealings of the last epoch stay', 'this.#dealings.clear();', ''],
    [
      'dealings in blocks are proposed again',
      '].filter(({ dealer }) => !included.has(dealer));',
      '].filter(({ dealer }) => included.has(dealer) || dealer >= 0);',
    ],
    [
      'complaints are proposed before their dealing is in a block',
      "(complaint) => !('rule' in checkComplaintForm(complaint, dealings, complaints)),",
      '(complaint) => complaint.epoch >= 0n && dealings.length + complaints.length >= 0,',
    ],
    [
      'received complaints are dropped',
      'if (!this.#complaints.has(complaint.dealer)) this.#complaints.set(complaint.dealer, complaint);',
      '',
    ],
    ['received dealings are dropped', 'this.#dealings.set(dealing.dealer, dealing);', ''],
    [
      'malformed dealings are checked no further and kept',
      'if (malformed !== undefined) {',
      'if (malformed !== undefined) this.addDealing(dealing);\n    if (malformed !== undefined) {',
    ],
  ]),
  ...resharingMutationsOf('resharing/encryption-keeper.ts', [
    [
      'a new key replaces the present one',
      'await this.#save([...this.#keys, key]);',
      'await this.#save([key]);',
    ],
    [
      'an unknown present key erases all',
      'if (!this.#keys.some(({ publicKey }) => sameBytes(publicKey, present))) return;',
      'void present;',
    ],
    [
      'the erasure of old keys is not written',
      'if (left.length < this.#keys.length) await this.#save(left);',
      'this.#keys = left;',
    ],
  ]),
  ...resharingMutationsOf('resharing/stored-epoch-items.ts', [
    [
      'the dealings of an ended epoch are read from its last state',
      'const value = readAt(store, key, end - 1n);',
      'const value = readAt(store, key, end);',
    ],
    ['blocks of an ended epoch have no dealings', 'dealings.push(...items.dealings);', ''],
    [
      'blocks of an ended epoch have no complaints',
      'complaints.push(...items.complaints);',
      '',
      { missed: 'It takes a crash between the last block of an epoch with a complaint and the new share.' },
    ],
  ]),
  ...resharingMutationsOf('files/record-file.ts', [
    [
      'a restart forgets the record',
      'if (kept?.epoch === epoch) return new ResharingFile(file, kept, true);',
      'if (kept?.epoch === epoch + 1n) return new ResharingFile(file, kept, true);',
    ],
  ]),
  ...resharingMutationsOf('../chain/epochs/epoch-rules.ts', [
    [
      'a block may hold dealings after the window',
      "if (dealings.length > 0 && phase !== 'dealings')",
      "if (dealings.length > 0 && phase === 'changes')",
    ],
    [
      'a block may hold a second dealing of a dealer',
      'if (dealers.has(dealing.dealer)) return',
      'if (dealers.size < 0) return',
    ],
    [
      'a block may hold invalid dealings',
      'const refused = refusals.find((one) => one !== undefined);',
      'const refused = refusals.slice(0, 0).find((one) => one !== undefined);',
      { missed: 'No faulty validator proposes a dealing whose form is valid and whose signatures are not.' },
    ],
    [
      'a block may hold unfounded complaints',
      'if (refused !== undefined) return `a complaint: ',
      'if (refused !== undefined && place < 0) return `a complaint: ',
    ],
    [
      'disputed dealings make the next set',
      'const valid = undisputed(dealings, complaints).slice(0, validators.quorum);',
      'const valid = dealings.slice(0, validators.quorum + 0 * complaints.length);',
    ],
    [
      'a set follows from one dealing too few',
      'if (valid.length < validators.quorum) {',
      'if (valid.length < validators.quorum - 1) {',
      { equivalent: 'The task next_set counts the dealings once more.' },
    ],
  ]),
  ...resharingMutationsOf('../ledger/validators/epochs.ts', [
    [
      'the window is one block longer',
      'end: bigMax((2n * length) / 3n, begin + 1n)',
      'end: bigMax((2n * length) / 3n + 1n, begin + 1n)',
    ],
  ]),
  ...resharingMutationsOf('../ledger/validators/check-dealing-points.ts', [
    [
      'sealed shares need no proof',
      'const wrong = sealed[areProven.indexOf(false)];',
      'const wrong = sealed[areProven.length < 0 ? 0 : -1];',
    ],
    [
      'the proof of the first sealed share counts for all',
      'const wrong = sealed[areProven.indexOf(false)];',
      'const wrong = areProven[0] === false ? sealed[0] : undefined;',
      { missed: 'With 4 validators a dealing seals one share. It takes two, the second with a wrong proof.' },
    ],
  ]),
  ...resharingMutationsOf('../ledger/validators/check-complaint.ts', [
    [
      'a second complaint about a dealing is valid',
      'if (complaints.some((one) => one.dealer === dealer)) {',
      'if (complaints.length < 0) {',
    ],
  ]),
];
