import { type Flood, type FloodRun, rpcBody } from './flood.js';

/** The node's default limit on a body. */
const MAX_BODY_BYTES = 4 * 1_024 * 1_024;

/** Joins `begin`, as many copies of `piece` as fit into a body, `end`, and one `close` for each piece. */
function filled(begin: string, piece: string, end: string, close = ''): string {
  const room = MAX_BODY_BYTES - begin.length - end.length;
  const pieces = Math.floor(room / (piece.length + close.length));
  return begin + piece.repeat(pieces) + end + close.repeat(pieces);
}

function always(connections: number, body: string): FloodRun {
  const bytes = Buffer.from(body);
  return (attack) => attack.keepSending(connections, () => bytes);
}

const objects = filled('[{}', ',{}', ']');
const [begin = '', end = ''] = rpcBody('status', { a: 0 }).split('0}');

/** A batch of 1,400,000 empty objects: refused for its length, but only after each has been parsed. */
export const OBJECTS_8: Flood = {
  name: 'objects-8',
  attacks: '8 connections send 4 MiB of {},{},…: parsing on a thread that serves others',
  arm: () => always(8, objects),
};

export const OBJECTS_100: Flood = {
  name: 'objects-100',
  attacks: '100 connections send 4 MiB of {},{},…: parsing, and the memory of bodies under way',
  arm: () => always(100, objects),
};

export const DEEP_PARAMS: Flood = {
  name: 'deep-params',
  attacks: '8 connections send 4 MiB of one argument nested 2,000,000 deep: parsers that recurse',
  arm: () => {
    const room = Math.floor((MAX_BODY_BYTES - begin.length - end.length - 2) / 2);
    return always(8, `${begin}${'['.repeat(room)}0${']'.repeat(room)}}${end}`);
  },
};

export const WIDE_PARAMS: Flood = {
  name: 'wide-params',
  attacks: '8 connections send 4 MiB of one argument with 700,000 entries: validation of what is thrown away',
  arm: () => always(8, filled(`${begin}[0`, ',1e11', `]}${end}`)),
};
