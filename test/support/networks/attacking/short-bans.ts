// Loaded by `--import` into the validators under attack. Bans last a fraction of a second, so that an attacker is back
// at once and many faults fit into a test: harder for the victims than the real bans.
import { MESH_TIMING } from '../../../../src/network/timing.js';

Object.assign(MESH_TIMING, { firstBanMs: 50, maxBanMs: 100 });
