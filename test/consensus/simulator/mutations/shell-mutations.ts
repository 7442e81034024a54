import { type Mutation, mutationsOf } from './mutation.js';

/** Small faults in the shell. */
export const SHELL_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf('shell/core-queue.ts', [
    [
      'effects do not wait for the journal',
      '        return this.#append(effect.entries);',
      '        void this.#append(effect.entries);\n        return undefined;',
    ],
    [
      'entries of the same turn are lost',
      "if (effect.type === 'journal') entries.push(...effect.entries);\n      else rest.push(effect);",
      "if (effect.type !== 'journal') rest.push(effect);",
    ],
    ['effects that wait for the journal are lost', '      else rest.push(effect);', ''],
    [
      'the first entries of a turn are lost',
      'const entries = [...first];',
      'const entries: JournalEntry[] = [];',
    ],
    [
      'effects are performed in reverse order',
      '    this.#waiting = rest;',
      '    this.#waiting = rest.reverse();',
    ],
    [
      'timers are not cancelled',
      "else if (effect.type === 'cancel_timer') this.clock.cancel(effect.timer);",
      "else if (effect.type === 'cancel_timer') continue;",
      {
        equivalent:
          'The core ignores a timer that it has cancelled (`RunningTimers.fire`), setting it again replaces the timeout, and there is at most one timeout of each of the six names.',
      },
    ],
    ['timers run on after a stop', '    this.clock.cancelAll();\n', ''],
    [
      'a failed journal is ignored',
      '        (error: unknown) => this.#fail(error),',
      '        () => this.#drain(),',
    ],
  ]),
  ...mutationsOf('shell/core-clock.ts', [
    [
      'a timer that is set again fires twice',
      '    this.#running.get(timer)?.cancel();\n    const delayMs',
      '    const delayMs',
    ],
    ['a timer that fires early is lost', '      this.set(timer, atMs);\n      return;', '      return;'],
  ]),
  ...mutationsOf('shell/vote-journal.ts', [
    [
      'journal entries are not synced',
      'await this.#store.write(batch, { sync: true });\n  }\n\n  /** Removes',
      'await this.#store.write(batch, { sync: false });\n  }\n\n  /** Removes',
    ],
    [
      'the journal does not store blocks',
      'if (hash !== undefined) this.#putBlock(batch, hash, bytesOf);',
      '',
    ],
    [
      'the journal is pruned one view too far',
      'entry.epoch === epoch && entry.view <= view',
      'entry.epoch === epoch && entry.view <= view + 1',
    ],
    [
      'the journal of the next epoch is pruned',
      'entry.epoch < epoch || (entry.epoch === epoch && entry.view <= view)',
      'entry.epoch <= epoch + 1',
    ],
    [
      'blocks that are still needed are pruned',
      '!stillKept.has(hash)',
      'true',
      {
        equivalent:
          'No block has two entries: `castVote` writes one only for a record not marked as journaled, replay marks those of the journal, and a record with an entry is only removed with its epoch or by `BlockIndex.prune`, once its block is final or conflicts with a final one, after which `judge` refuses it.',
      },
    ],
    [
      'the journal restores no votes',
      'this.#restored.filter((entry) =>',
      "this.#restored.filter((entry) => entry.type !== 'vote' &&",
    ],
    [
      'the journal restores no certificates',
      'this.#restored.filter((entry) =>',
      "this.#restored.filter((entry) => entry.type !== 'certificate' &&",
    ],
    [
      'the journal restores no blocks',
      'this.#restored.filter((entry) =>',
      "this.#restored.filter((entry) => entry.type !== 'block' &&",
    ],
    [
      'the journal overwrites its entries after a restart',
      'this.#sequence = (entries.at(-1)?.sequence ?? -1n) + 1n;',
      '',
    ],
    [
      'the last finalization is not kept',
      'batch.put(COLUMN, LAST, meshCodecs.VoteCertificate.encode(certificateToWire(certificate)));',
      '',
    ],
  ]),
  ...mutationsOf('shell/epoch-entry.ts', [
    [
      'an old journal is forgotten',
      'const entries = journal?.restored(epoch) ?? [];',
      'const entries: JournalEntry[] = [];\n    void journal;',
    ],
    ['the kept finalization is ignored', 'return isLater(kept, own) ? kept : own;', 'return own;'],
    [
      'the older finalization counts',
      'return isLater(kept, own) ? kept : own;',
      'return isLater(kept, own) ? own : kept;',
    ],
    [
      'blocks of the journal are not restored',
      '    if (block !== undefined) known.restore(block, entry.block);',
      '    void [block, known];',
    ],
    [
      'held messages of the next epoch are lost',
      '    envelopes.refresh();\n    inbox.deliverHeld();',
      '    envelopes.refresh();',
      {
        equivalent:
          'It costs the first view of an epoch at most: without its proposal or votes it ends by nullify votes, which are repeated until it does; certificates and blocks are asked for. The messages stay in their bounded room.',
      },
    ],
    ['a starting validator does not listen', '    else listening.begin();', ''],
    ['a validator listens for ever', "    events.push({ type: 'listened' });\n", ''],
    ['work that arrives during the start is forgotten', '    work.reannounce();\n', '    work.refresh();\n'],
  ]),
  ...mutationsOf('shell/listening-phase.ts', [
    ['a starting validator hears too few', 'quorumOf(membership.validators) - 1;', '0;'],
    ['a starting validator asks nobody', '        this.#ask(peer);\n', ''],
    [
      'reports of the former epoch count',
      '    this.#heard.clear();\n',
      '',
      {
        missed:
          'A process must enter the next epoch while it listens, hear from one peer in the old and another one in the new epoch, and vote before the first reports again; the harm is a vote in a view that it may have left before its disk was reset.',
      },
    ],
  ]),
  ...mutationsOf('shell/inbox.ts', [
    [
      "another validator's votes are accepted",
      '    if (vote.signer !== from) {\n      this.#drop(from, "another validator\'s vote");\n      return;\n    }\n',
      '',
      {
        equivalent:
          'A new vote counts only with the identity signature of its signer, so one that another validator passes on is just as good; a forged one costs its sender the connection.',
      },
    ],
    [
      'votes need no valid signature',
      'if (core.wantsVote(vote) && !signatures.isSigned(vote)) {',
      'if (false) {',
    ],
    [
      'returned votes need no valid signature',
      'if (signatures.isSigned(vote)) events.push',
      'if (signatures.isSigned(vote) || true) events.push',
    ],
    ['returned votes are dropped', '      this.#onReturnedVote(from, vote);\n', ''],
    [
      'certificates are not checked',
      '    this.#certificates.check(certificate, from);',
      "    this.#context.events.push({ type: 'certificate', certificate, from });",
    ],
    [
      'any number of messages is held back',
      'if (this.#held.length < MAX_HELD && ofPeer < share) {',
      'if (true) {',
    ],
    ['one peer may fill the held messages', ' && ofPeer < share) {', ') {'],
    [
      'messages before the start are lost',
      '      this.#held.push({ from, message });\n',
      '',
      {
        equivalent:
          'It costs one view of a process at most, as for the messages of the next epoch: the other validators report their position again when asked.',
      },
    ],
    [
      'requests are answered without limit',
      '        if (serving.admit(from, message.type)) {\n          const { hash } = message;',
      '        if (true) {\n          const { hash } = message;',
    ],
    [
      'requests for final blocks are answered without limit',
      '        if (serving.admit(from, message.type)) {\n          const { fromHeight, count } = message;',
      '        if (true) {\n          const { fromHeight, count } = message;',
    ],
    [
      'requested blocks are not expected',
      '    this.#requested.add(hash);\n',
      '',
      {
        missed:
          'Requested blocks are then refused above the limits for pushes: four at a time of one peer, which is asked for one at a time, or 256 MiB, which takes more than 64 blocks of the largest size that are not final.',
      },
    ],
  ]),
  ...mutationsOf('shell/certificate-check.ts', [
    [
      'every certificate is valid',
      'else if (await signatures.isCertified(certificate)) {',
      'else if (true) {',
    ],
    ['any number of certificates waits', 'if (waiting >= MAX_A_PEER) return;', ''],
    ['senders of invalid certificates stay connected', '      onInvalid(certificate, from);\n', ''],
  ]),
  ...mutationsOf('shell/votes.ts', [
    [
      'evidence is dropped',
      'if ((await evidence?.add(first, second)) === true)',
      'if (evidence === undefined)',
    ],
    [
      'a failed signature is not made again',
      '        await sleep(runtime, SIGN_AGAIN_MS, lifecycle.stopping);',
      '        return undefined;',
    ],
    [
      'bad partial signatures are not reported',
      "      events.push({ type: 'bad_partials', message, signers: bad });\n",
      '',
    ],
    [
      'a proposal goes without its block',
      'const encoded = block === undefined ? undefined : known.get(block)?.encoded();',
      'const encoded = undefined;\n    void known;\n    void block;',
    ],
    [
      'a vote for all goes to one',
      '    if (to === undefined) network.broadcast(sent);',
      '    if (to === undefined) network.send(0, sent);',
    ],
  ]),
  ...mutationsOf('shell/block-verifications.ts', [
    [
      'blocks from the future are valid',
      '        return withheld(Math.min(aheadMs - MAX_AHEAD_MS, LATER_MS));\n',
      '',
    ],
    [
      'blocks from the future are invalid',
      'return withheld(Math.min(aheadMs - MAX_AHEAD_MS, LATER_MS));',
      "return { verdict: 'invalid' };",
    ],
    [
      'the clock applies to notarized blocks',
      '    if (!notarized) {\n      const aheadMs',
      '    if (true) {\n      const aheadMs',
    ],
    [
      'invalid blocks are valid',
      "        return { verdict: 'invalid' };\n      case 'unknown_parent':",
      "        return { verdict: 'valid' };\n      case 'unknown_parent':",
    ],
    [
      'a block without its parent is invalid',
      "      case 'unknown_parent':\n        return withheld(SOON_MS);",
      "      case 'unknown_parent':\n        return { verdict: 'invalid' };",
    ],
    [
      'a withheld block is invalid',
      '        return withheld(LATER_MS);\n    }\n  }\n}',
      "        return { verdict: 'invalid' };\n    }\n  }\n}",
    ],
    ['timers of verifications run on', '        cancelTimeout();\n', ''],
  ]),
  ...mutationsOf('shell/known-blocks.ts', [
    [
      'a body need not match its header',
      "if (!sameBytes(decoded.itemsRoot, transactionsRoot)) return bad('header and body differ');",
      '',
    ],
    [
      'blocks are kept although the core does not want them',
      "    if (!wants(facts)) return { result: 'unwanted' };\n",
      '',
    ],
    ['blocks are never forgotten', '      this.#known.delete(hash);\n', ''],
  ]),
  ...mutationsOf('shell/block-commits.ts', [
    [
      'the finalization is not kept before a commit',
      '        await this.#keepFinalization(certificate);\n        const own',
      '        const own',
    ],
    [
      'a commit does not wait for the catch-up',
      '    await after;\n',
      '',
      {
        missed:
          'A finalization must arrive while a fetched range that ends below its block is being committed.',
      },
    ],
    [
      'a commit is done twice',
      '    if (!isDone) {',
      '    if (true) {',
      {
        missed:
          'The catch-up must end above a block for which the core has requested a commit meanwhile: single blocks must overtake the range, and the block of the finalization must be stored without its own certificate by the peer that sends the range.',
      },
    ],
    [
      'the core does not learn of commits',
      "    events.push({ type: 'committed', hash: certificate.hash });\n",
      '',
    ],
  ]),
  ...mutationsOf('shell/effect-performer.ts', [
    ['an epoch is entered before its parent is written', '    await this.#committed;\n', ''],
    [
      'the end of an epoch is of another one',
      '(effect.epoch + 1) * config.epochLength',
      'effect.epoch * config.epochLength',
    ],
    [
      'blocks are not released',
      '        chain.release(effect.hashes.map(hashBytes));\n',
      '',
      {
        missed:
          'The chain drops pending blocks that do not descend from a commit, and a late proposal is mostly cancelled before it is built; more than 256 executed blocks off the branch without a commit in between leave no room for others.',
      },
    ],
    [
      'an abandoned proposal goes on',
      '        proposals.cancel();\n        break;',
      '        break;',
      {
        equivalent:
          'The core refuses a block that arrives late (`onBlockProposed`) and releases it, and the next proposal cancels the one before (`BlockProposals.propose`), so that at most one runs.',
      },
    ],
  ]),
  ...mutationsOf('shell/final-block-fetcher.ts', [
    ['final blocks need no valid certificate', ' || !(await signatures.isCertified(certificate))', ''],
    [
      'final blocks need no certificate',
      'const certified = waiting.findLastIndex(({ certificate }) => certificate !== undefined);\n      if (certified >= 0) return waiting.slice(0, certified + 1);',
      'return waiting;',
    ],
    [
      'final blocks need not follow each other',
      '(parent === undefined || facts.parentHash === parent) &&',
      '',
    ],
    ['a certificate may be for another block', 'certificate.hash === facts.hash &&', ''],
    ['any certificate makes a block final', "certificate.kind === 'finalize' &&", ''],
    [
      'final bodies need not match',
      ' &&\n        sameBytes(decoded.itemsRoot, decoded.header.transactions_root)',
      '',
    ],
    [
      'a catch-up goes beyond its epoch',
      'const kept = later < 0 ? checked : checked.slice(0, later);',
      'const kept = checked;',
    ],
    [
      'an answer is not waited for',
      'if (asked?.fromHeight === answer.fromHeight) asked.resolve(answer);',
      '',
    ],
  ]),
  ...mutationsOf('shell/catch-up.ts', [
    [
      'an unknown parent does not end a range of fetched blocks',
      "if (verdict.verdict === 'unknown_parent') return undefined;",
      "if (verdict.verdict === 'unknown_parent') continue;",
      {
        equivalent:
          'Without its parent no block is verified, and only verified blocks are committed: all later blocks of the answer have the same verdict, and the range is asked for again.',
      },
    ],
    [
      'the certificates of fetched blocks are lost',
      'await commit(verdict.block, block.certificate, finalization);',
      'await commit(verdict.block, undefined, finalization);',
    ],
  ]),
  ...mutationsOf('shell/sync-status.ts', [
    [
      'the core does not learn of a sync',
      "        if (done !== undefined) events.push({ type: 'synced', ...done });\n",
      '',
    ],
    ['a catch-up does not end', '    this.#catchUp.stop();\n', ''],
  ]),
  ...mutationsOf('shell/peer-request-handler.ts', [
    [
      'pending blocks are not served',
      'const here = known.get(hash)?.encoded();',
      'const here = undefined;\n    void known;',
    ],
    [
      'final blocks are not served one by one',
      'const height = here === undefined ? blocks.heightOf(hashBytes(hash)) : undefined;',
      'const height = undefined;\n    void blocks;',
    ],
    [
      'no final blocks are served',
      'const last = Math.min(tip, fromHeight',
      'const last = Math.min(tip - tip, fromHeight',
    ],
    [
      'certificates of final blocks are not served',
      'found.push({ block, certificate: certificate && finalizationOf(certificate) });',
      'found.push({ block, certificate: undefined });',
    ],
  ]),
  ...mutationsOf('shell/block-proposals.ts', [
    [
      'the core does not learn that no block was made',
      "    events.push({ type: 'not_proposed', epoch, view });\n",
      '',
    ],
    [
      'work is forgotten after an empty block',
      'if (block.items.length === 0) work',
      'if (block.items.length >= 0) work',
    ],
  ]),
  ...mutationsOf('shell/work-monitor.ts', [
    [
      'a new transaction is no work after an empty block',
      '    this.#nothingSelected = false;\n    this.refresh();\n  }\n\n  /** Called when no',
      '    this.refresh();\n  }\n\n  /** Called when no',
    ],
    ['work is not reported', '    this.#options.onWork(work);\n', ''],
  ]),
];
