import { type Mutation, mutationsOf } from './mutation.js';

/** Small faults in the rules and in the core's bookkeeping. */
export const CORE_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf('core/rules.ts', [
    ['one validator leads all views of an epoch', '(view + epoch) % validators', 'epoch % validators'],
    [
      'every leader counts as silent',
      'if (since <= 0 || (lastVotes[leader] ?? 0) >= since) return false;',
      'if (since <= 0) return false;',
    ],
    [
      'a leader is silent although too few others vote',
      'return active >= quorum;',
      'return active >= 1;',
      {
        equivalent:
          'Nullify is safe in any view that is not finalized here. Once the network behaves, each honest validator votes in each view and all hear it, so no honest leader counts as silent after the first view; the bound of views allows for one.',
      },
    ],
    ['timeouts do not grow', 'deltaMs * 2 ** Math.max(0, view - 1 - finalizedView - faults)', '10'],
    ['timers never end a view', 'LONGEST_DELTA_MS)', 'LONGEST_DELTA_MS) + 1e9'],
    [
      'a leader passes over notarized views',
      'nullified && !notarized,',
      'nullified,',
      {
        equivalent:
          'A view that is both notarized and nullified may be skipped by rule 3: no quorum finalizes it, because two quorums share an honest validator, and none signs both nullify and finalize.',
      },
    ],
    ['a leader passes over views that are not nullified', 'nullified && !notarized,', '!notarized,'],
    ['notarize is signed after nullify', 'if (nullified || parentView', 'if (parentView'],

    [
      'skipped views need no nullification',
      "return parentHash === undefined || missingNullification !== undefined ? 'incomplete'",
      "return parentHash === undefined ? 'incomplete'",
    ],
    ['f nullify votes are joined', 'others > faults', 'others >= faults'],
    ['only f + 2 nullify votes are joined', 'others > faults', 'others > faults + 1'],
    ['finalize is signed after nullify', 'mayFinalize: (nullified) => !nullified', 'mayFinalize: () => true'],
    ['nothing is finalized', 'mayFinalize: (nullified) => !nullified', 'mayFinalize: () => false'],
    [
      'a quorum has one validator less',
      'validators - maxFaulty(validators),',
      'validators - maxFaulty(validators) - 1,',
    ],
    [
      'a quorum has one validator more',
      'validators - maxFaulty(validators),',
      'validators - maxFaulty(validators) + 1,',
    ],
    ['a peer that is behind gets no help', 'helpsLaggingPeers: true', 'helpsLaggingPeers: false'],
    ['a stuck validator stays silent', 'repeatsWhenStuck: true', 'repeatsWhenStuck: false'],
    ['journaled votes do not bind', 'honorsJournaledVotes: true', 'honorsJournaledVotes: false'],
    ["an epoch's last block is like any other", 'height === (epoch + 1) * epochLength', 'height < 0'],
    [
      'an epoch ends one block early',
      'height === (epoch + 1) * epochLength',
      'height === (epoch + 1) * epochLength - 1',
    ],
  ]),
  ...mutationsOf('core/voting.ts', [
    [
      'a notarization of q - 1 votes',
      '(tally.own ? 1 : 0) < state.quorum)',
      "(tally.own ? 1 : 0) < state.quorum - (tally.message.kind === 'notarize' ? 1 : 0))",
    ],
    [
      'a nullification of q - 1 votes',
      '(tally.own ? 1 : 0) < state.quorum)',
      "(tally.own ? 1 : 0) < state.quorum - (tally.message.kind === 'nullify' ? 1 : 0))",
    ],
    [
      'a finalization of q - 1 votes',
      '(tally.own ? 1 : 0) < state.quorum)',
      "(tally.own ? 1 : 0) < state.quorum - (tally.message.kind === 'finalize' ? 1 : 0))",
    ],
    [
      'a nullification needs q + 1 votes',
      '(tally.own ? 1 : 0) < state.quorum)',
      "(tally.own ? 1 : 0) < state.quorum + (tally.message.kind === 'nullify' ? 1 : 0))",
    ],
    ['the own vote is counted although it was not cast', '(tally.own ? 1 : 0)', '1'],
    [
      'notarize votes are not journaled',
      "  entries.push({ type: 'vote', message });",
      "  if (message.kind !== 'notarize') entries.push({ type: 'vote', message });",
    ],
    [
      'nullify votes are not journaled',
      "  entries.push({ type: 'vote', message });",
      "  if (message.kind !== 'nullify') entries.push({ type: 'vote', message });",
    ],
    [
      'finalize votes are not journaled',
      "  entries.push({ type: 'vote', message });",
      "  if (message.kind !== 'finalize') entries.push({ type: 'vote', message });",
    ],
    [
      'blocks are not journaled',
      "entries.push({ type: 'block', block: block.facts, view: message.view });",
      '',
    ],
    [
      'a vote is sent before it is journaled',
      "  state.journal(...entries);\n  const record = state.record(message.view);\n  record.own[message.kind] = message;\n  state.emit({ type: 'send_vote', message, block: push, to: undefined });",
      "  const record = state.record(message.view);\n  record.own[message.kind] = message;\n  state.emit({ type: 'send_vote', message, block: push, to: undefined });\n  state.journal(...entries);",
    ],
    [
      'a listening validator nullifies',
      '!state.voting || record.own.nullify !== undefined',
      '!state.mayVote || record.own.nullify !== undefined',
    ],
    [
      'nullify is signed after finalize',
      '  if (record.own.finalize !== undefined) return;\n',
      '',
      {
        missed:
          'A peer must return the finalize vote to a restored disk while all others still lack the notarization of that view.',
      },
    ],
    [
      'returned votes are ignored',
      'return state.records.get(view)?.own[kind] === undefined;',
      'return false;',
    ],
    ['returned votes are not journaled', "  state.journal({ type: 'vote', message: own });\n", ''],
    [
      'returned votes are not counted',
      '  countOwn(state, record, own);\n',
      '',
      {
        equivalent:
          'The vote is in the journal and binds. The peer that has returned it counts it, and sends the certificate to all once it has the other votes, which this validator needs as well.',
      },
    ],
    [
      'votes of one kind that conflict are no evidence',
      '    report(state, record, added.conflictsWith, vote);\n',
      '',
    ],
    [
      'nullify and finalize in one view are no evidence',
      '    if (other !== undefined) report(state, record, other, vote);\n',
      '',
    ],
    [
      'anybody may propose',
      "vote.kind === 'notarize' && vote.signer === state.leaderOf(vote.view)",
      "vote.kind === 'notarize'",
    ],
    [
      'a failed assembly is never tried again',
      'if (record !== undefined && tally !== undefined) certify(state, record, tally);',
      '',
    ],
    [
      'signers of invalid votes stay connected',
      "if (peers.length > 0) state.emit({ type: 'drop_peers', peers });",
      '',
    ],
  ]),
  ...mutationsOf('core/vote-slots.ts', [
    ['a signer is counted twice', 'if (slot === COUNTED) {', 'if (false) {'],
    [
      'conflicting votes count as repeated',
      "return first === undefined || sameMessage(first, vote) ? 'repeated'",
      "return true ? 'repeated'",
    ],
    [
      'votes on another parent are the same',
      'return a.hash === b.hash && a.parentView === b.parentView;',
      'return a.hash === b.hash;',
    ],
    [
      'votes for another block are the same',
      'return a.hash === b.hash && a.parentView === b.parentView;',
      'return a.parentView === b.parentView;',
    ],
    [
      'invalid votes stay',
      'tally.votes = tally.votes.filter(({ signer }) => !signers.includes(signer));',
      '',
    ],
    ['an assembly that failed counts as running', '    tally.assembling = false;\n', ''],
  ]),
  ...mutationsOf('core/certificates.ts', [
    [
      'certificates are not journaled',
      "  const record = state.record(view);\n  state.journal({ type: 'certificate', certificate });",
      '  const record = state.record(view);',
    ],
    [
      'notarizations are not journaled',
      "  const record = state.record(view);\n  state.journal({ type: 'certificate', certificate });",
      "  const record = state.record(view);\n  if (kind !== 'notarize') state.journal({ type: 'certificate', certificate });",
    ],
    [
      'nullifications are not journaled',
      "  const record = state.record(view);\n  state.journal({ type: 'certificate', certificate });",
      "  const record = state.record(view);\n  if (kind !== 'nullify') state.journal({ type: 'certificate', certificate });",
    ],
    [
      'finalizations are not journaled',
      "    // Journaled, because votes of later views may reach the journal before the finalized blocks are committed.\n    state.journal({ type: 'certificate', certificate });",
      '',
    ],
    [
      'own certificates are not sent',
      "  if (own && state.validators > 1) state.emit({ type: 'send_certificate', certificate, to: undefined });\n",
      '',
    ],
    [
      'a certificate is sent before it is journaled',
      "  state.journal({ type: 'certificate', certificate });\n  if (own && state.validators > 1) state.emit({ type: 'send_certificate', certificate, to: undefined });",
      "  if (own && state.validators > 1) state.emit({ type: 'send_certificate', certificate, to: undefined });\n  state.journal({ type: 'certificate', certificate });",
    ],
    [
      'a notarization of a lower view is forgotten',
      '    record.notarization = certificate;\n    noteNotarized(state, certificate);',
      '    if (view >= state.view) record.notarization = certificate;\n    noteNotarized(state, certificate);',
    ],
    [
      'a nullification of a lower view is forgotten',
      '    record.nullification = certificate;',
      '    if (view >= state.view) record.nullification = certificate;',
    ],
    [
      'a nullification does not end a view',
      '  if (view < state.view) return;\n',
      "  if (view < state.view || kind === 'nullify') return;\n",
    ],
    [
      'a notarization does not end a view',
      '  if (view < state.view) return;\n',
      "  if (view < state.view || kind === 'notarize') return;\n",
    ],
    ['finalized views keep their records', '  state.pruneViews(view);\n', ''],
  ]),
  ...mutationsOf('core/proposals.ts', [
    ["the block's parent is not checked", 'block.parentHash === parent.hash &&', ''],
    [
      "the block's height is not checked",
      'block.height === parent.height + 1 &&',
      '',
      {
        equivalent:
          'The verification by the chain compares the height with that of the parent (rule 5 of verify-block.ts), and no vote is cast without its verdict.',
      },
    ],
    [
      "the block's epoch is not checked",
      '    block.height === parent.height + 1 &&\n    block.epoch === state.epoch &&',
      '    block.height === parent.height + 1 &&',
      {
        equivalent:
          'The verification by the chain requires the epoch of the height (rule 6 of verify-block.ts). The height is one above a parent that is not the last of its epoch, so that epoch is the current one.',
      },
    ],
    ["the block's view is not checked", 'block.view === view &&', ''],
    ["the block's proposer is not checked", 'block.proposer === leader;', 'true;'],
    [
      'an invalid block is voted for',
      "return ready === 'valid' ? 'sound' : ready === 'invalid' ? 'refused' : 'incomplete';",
      "return ready !== 'not_yet' ? 'sound' : 'incomplete';",
    ],
    [
      'a block is voted for unverified',
      "return ready === 'valid' ? 'sound' : ready === 'invalid' ? 'refused' : 'incomplete';",
      "return ready !== 'invalid' ? 'sound' : 'refused';",
    ],
    [
      'an invalid block is not refused',
      "return ready === 'valid' ? 'sound' : ready === 'invalid' ? 'refused' : 'incomplete';",
      "return ready === 'valid' ? 'sound' : 'incomplete';",
    ],
    [
      "an epoch's last block gets other children",
      "if (state.isLastOfEpoch(parent)) return hash === parent.hash ? 'sound' : 'refused';",
      '',
    ],
    [
      'any parent may be proposed again',
      "  if (hash === parent.hash) return 'refused';\n",
      '',
      {
        equivalent:
          'The own view of the block is below the current one, so `judgeBlock` refuses it. A final block that is not held any more is requested first, which takes one answer.',
      },
    ],
    [
      'an unverified parent is built on',
      "return readiness(state, hash, first) === 'valid' ? factsOf(state, hash) : undefined;",
      'return factsOf(state, hash);',
    ],
    [
      'a leader proposes before the proposal is due',
      '!state.voting || !state.isProposalDue ||',
      '!state.voting ||',
    ],
    [
      'a leader proposes after nullify',
      ' || record.own.nullify !== undefined) return;\n  const parentView',
      ') return;\n  const parentView',
      {
        missed:
          'Only the last block of an epoch is proposed without being built first, and its parent must become ready after the timeout.',
      },
    ],
    [
      'a late proposal is sent after nullify',
      '    record.own.nullify === undefined &&\n    parentView',
      '    parentView',
    ],
    [
      'a late proposal on another parent is sent',
      '    state.hashAt(parentView) === block.parentHash;',
      '    true;',
    ],
    [
      "another view's proposal is sent",
      '    block.view === state.view &&\n',
      '',
      {
        missed:
          'An abandoned block must be finished after a jump by a multiple of the number of validators, before its leader nullified.',
      },
    ],
    [
      'missing certificates are not asked for',
      '    requestCertificates(state, lowest, missingNullification ?? parentView, leader);\n',
      '',
    ],
    ['a missing block is not asked for', '    requestBlock(state, hash, leader);\n', ''],
    [
      'only the highest missing nullification counts',
      'view > Math.max(parentView, state.finalizedView); view--',
      'view > Math.max(parentView, state.finalizedView, state.view - 2); view--',
    ],
    [
      "an epoch's last block is not proposed again",
      '  if (state.isLastOfEpoch(parent)) {\n    proposeBlock',
      '  if (false) {\n    proposeBlock',
    ],
  ]),
  ...mutationsOf('core/epoch-state.ts', [
    [
      'a parent need not be notarized',
      'return this.records.get(view)?.notarization?.hash;',
      'return (this.records.get(view)?.notarization ?? this.records.get(view)?.proposal)?.hash;',
    ],
    [
      'a parent may be below the finalized view',
      'if (view === this.finalizedView) return',
      'if (view <= this.finalizedView) return',
      {
        equivalent:
          'No caller uses the hash of a lower view: `evaluateProposal` refuses a parent below the finalized view whatever its hash, and `findParent` ends at that view.',
      },
    ],
    [
      'timers outlive their view',
      "    for (const timer of ['leader', 'advance', 'resend'] as const) this.timers.cancel(timer, this.effects);\n",
      '',
    ],
    [
      'the leader timer outlives its view',
      "['leader', 'advance', 'resend'] as const",
      "['advance', 'resend'] as const",
    ],
    [
      'the advance timer outlives its view',
      "['leader', 'advance', 'resend'] as const",
      "['leader', 'resend'] as const",
    ],
    [
      'a view begins with its proposal due',
      '    this.isProposalDue = false;\n    this.notBeforeMs',
      '    this.notBeforeMs',
    ],
    [
      'a validator without its share votes',
      'return this.mayVote && !this.listening;',
      'return !this.listening;',
    ],
    ['a validator votes while it listens', 'return this.mayVote && !this.listening;', 'return this.mayVote;'],
    ['no votes of later views are kept', 'export const VIEW_WINDOW = 16;', 'export const VIEW_WINDOW = 0;'],
  ]),
  ...mutationsOf('core/pacemaker.ts', [
    [
      'a stuck validator repeats nothing',
      "  state.timers.set('resend', state.nowMs + REBROADCAST_INTERVAL_MS, state.effects);\n",
      '',
    ],
    [
      'the leader timer runs on after the proposal',
      "  if (state.records.get(state.view)?.proposal !== undefined) state.timers.cancel('leader', state.effects);\n",
      '',
    ],
    ['there is no advance timer', "  state.timers.set('advance', nowMs + 3 * deltaMs, state.effects);\n", ''],
    [
      'there is no leader timer',
      "    state.timers.set('leader', nowMs + 2 * deltaMs, state.effects);",
      '    return;',
    ],
    ['the leader timer is too short', 'nowMs + 2 * deltaMs', 'nowMs + deltaMs'],
    [
      'a notarized block is no work',
      'state.validators > 1 && state.notarizedView > state.finalizedView',
      'false',
    ],
    [
      'a received proposal is not due',
      '  if (state.records.get(state.view)?.proposal !== undefined) return state.nowMs;\n',
      '',
    ],
  ]),
  ...mutationsOf('core/journal-replay.ts', [
    [
      'replay forgets votes',
      "if (entry.type === 'vote') replayVote(state, entry.message);",
      'void [entry, replayVote];',
    ],
    [
      'replay forgets notarize votes',
      "if (entry.type === 'vote') replay",
      "if (entry.type === 'vote' && entry.message.kind !== 'notarize') replay",
    ],
    [
      'replay forgets nullify votes',
      "if (entry.type === 'vote') replay",
      "if (entry.type === 'vote' && entry.message.kind !== 'nullify') replay",
    ],
    [
      'replay forgets finalize votes',
      "if (entry.type === 'vote') replay",
      "if (entry.type === 'vote' && entry.message.kind !== 'finalize') replay",
    ],
    [
      'replay forgets certificates',
      "if (entry.type === 'certificate') replayCertificate(state, entry.certificate);\n    else if",
      'if',
    ],
    ['replay forgets nullifications', '    record.nullification = certificate;', ''],
    ['replay forgets notarizations', '    record.notarization = certificate;\n', ''],
    ['replay forgets blocks', "else if (entry.type === 'block') replayBlock(state, entry.block);", ''],
    [
      'replay stays in the old view',
      '  if (view >= state.view) state.enterView(view + 1, certificate);\n',
      '',
    ],
    [
      'replay trusts old verdicts',
      "state.blocks.add(block, 'held', true);",
      "state.blocks.add(block, 'valid', true);",
    ],
    [
      'replay forgets the last finalization',
      '  if (finalization?.epoch === state.epoch) applyCertificate(state, finalization, false);\n',
      '',
    ],
  ]),
  ...mutationsOf('core/finality.ts', [
    [
      'blocks are committed unverified',
      "  if (ready !== 'valid') return;\n",
      "  if (ready === 'invalid') return;\n",
    ],
    [
      'the journal is never pruned',
      "  state.emit({ type: 'prune_journal', epoch: state.epoch, view });\n",
      '',
    ],
    [
      'the end of an epoch is not noticed',
      '  state.ended = true;\n',
      '',
      {
        equivalent:
          'The last block of the epoch is committed, so that only that block can be notarized again, which is harmless. Messages of the next epoch are not held until it begins, but repeated or asked for, as for those that the share of a peer has no room for.',
      },
    ],
    ['the next epoch is not entered', "  state.emit({ type: 'epoch_ended', epoch: state.epoch });\n", ''],
    [
      'a validator far behind does not catch up',
      '        fallBehind(state, certificate, height);\n',
      '        return undefined;\n',
    ],
    [
      'missing ancestors are not asked for',
      '      else requestBlock(state, at, state.leaderOf(certificate.view));\n',
      '',
    ],
    [
      'blocks are committed from the top',
      '.reverse();',
      ';',
      {
        equivalent:
          'The shell commits the branch up to the certified block; the list only names the blocks to forget.',
      },
    ],
  ]),
  ...mutationsOf('core/peer-sync.ts', [
    [
      'votes are not returned',
      "    for (const vote of record.votesOf(peer)) state.emit({ type: 'return_vote', vote, to: peer });\n",
      '',
    ],
    [
      'finalize votes are not repeated',
      '    if (finalize !== undefined) sendVote(state, finalize, peer);\n',
      '',
    ],
    [
      'nullify votes are not repeated',
      '    if (nullify !== undefined) sendVote(state, nullify, peer);\n',
      '',
    ],
    ['notarize votes are not repeated', '      sendVote(state, notarize, peer, block);\n', ''],
    [
      'a stuck validator does not repeat its nullify',
      '  if (nullify !== undefined) sendVote(state, nullify, undefined);\n',
      '',
    ],
    [
      'requests for certificates are not answered',
      '  for (const certificate of answers) send(state, certificate, peer);\n',
      '',
    ],
    [
      'the end of an epoch is not sent',
      "      state.emit({ type: 'send_epoch_end', epoch: message.epoch, to: peer });\n",
      '      return;\n',
    ],
    [
      'a peer ahead is not asked',
      '  else if (view > state.view + 1) askPeer(state, peer, state.view, view - 1);\n',
      '',
    ],
    ['a connected peer gets no position', '    sendPosition(state, peer);\n  }\n  for', '  }\n  for'],
  ]),
  ...mutationsOf('core/readiness.ts', [
    [
      'ancestors need not be valid',
      "    if (record.status === 'invalid') return 'invalid';\n",
      "    if (record.status === 'invalid') return at === hash ? 'invalid' : 'valid';\n",
      {
        equivalent:
          'All ancestors of a block that fits are notarized, and so are those of a final one. A quorum has notarized no invalid block unless more than f validators are faulty.',
      },
    ],
    ['a verification is not begun', '  verify(state, lowest, notarized);\n', ''],
    [
      'a withheld verdict is not asked for again',
      "    if (!state.timers.isRunning('verdict')) state.timers.set('verdict', record.retryAtMs, state.effects);\n",
      '',
    ],
    [
      'notarized blocks wait for the clock',
      'const again = notarized && !record.verifiedAsNotarized;',
      'const again = false;',
      {
        missed:
          'The shell reports at most 500 ms until the next try, which then knows that the block is notarized.',
      },
    ],
  ]),
  ...mutationsOf('core/requests.ts', [
    [
      'requests are not repeated',
      "  if (!state.timers.isRunning('request'))\n    state.timers.set('request', state.nowMs + state.config.deltaMs / 2, state.effects);\n",
      '',
    ],
    [
      'only one peer is asked',
      'state.peers.nextPeer(request.first, request.attempts++)',
      'state.peers.nextPeer(request.first, 0)',
    ],
  ]),
  ...mutationsOf('core/react.ts', [
    ['nullify votes are not joined', '  joinNullify(state);\n', ''],
    [
      'nullify votes of former views are joined',
      "record.votes('nullify').others",
      "Math.max(...[...state.records.values()].map((one) => one.votes('nullify').others))",
    ],
  ]),
  ...mutationsOf('core.ts', [
    [
      'votes are kept for all views',
      ' || view > state.view + VIEW_WINDOW) return false;\n  if (signer',
      ') return false;\n  if (signer',
    ],
    [
      'own votes are taken from others',
      '  if (signer === state.self || !Number',
      '  if (!Number',
      {
        equivalent:
          'The inbox accepts a vote only from its signer, and treats one of this validator as a returned vote, which goes another way.',
      },
    ],
    [
      'late finalize votes are dropped',
      "return view >= state.view || (kind === 'finalize' && view >= state.view - VIEW_WINDOW);",
      'return view >= state.view;',
    ],
    [
      'any number of blocks is pushed',
      'from === state.leaderOf(view) && !state.blocks.wasPushed(view) && ',
      'from === state.leaderOf(view) && ',
    ],
    ['anybody may push blocks', 'from === state.leaderOf(view) && !state', '!state'],
    ['a verdict is ignored', '    record.status = event.verdict;\n', ''],
    ['every verdict is valid', '    record.status = event.verdict;\n', "    record.status = 'valid';\n"],
    [
      'a withheld verdict is invalid',
      "    record.status = 'held';\n    record.retryAtMs",
      "    record.status = 'invalid';\n    record.retryAtMs",
    ],
    ['a timer does nothing', '    castNullify(state);\n    // A node', '    // A node'],
    [
      'a stopped timer fires',
      "  if (!state.timers.fire(timer, state.nowMs)) return 'nothing';\n",
      '  state.timers.fire(timer, state.nowMs);\n',
      {
        equivalent:
          'The shell cancels the timeout when the core cancels a timer, so a stopped one does not fire.',
      },
    ],
    [
      'a late certificate of the former epoch is applied',
      'if (certificate.epoch === state.epoch && !state.ended) applyCertificate',
      'if (!state.ended) applyCertificate',
    ],
    [
      'certificates of other epochs are wanted',
      'message.epoch === state.epoch && isNewCertificate(state, message)',
      'isNewCertificate(state, message)',
    ],
  ]),
];
