import { compileIdl } from '../../src/idl/compiler/compile.js';
import type { Manifest } from '../../src/idl/manifest.js';

/** One of every IDL construct, for tests of the compiler and the codecs. */
export const SAMPLE_IDL = `
/// Every integer.
struct Numbers {
  a: u8; b: u16; c: u32; d: u64; e: u128;
  f: i8; g: i16; h: i32; i: i64; j: i128;
}

struct Flags { yes: bool; }

struct Texts {
  /// At most five bytes.
  @max(5) short: string;
  long: string;
  @max(3) blob: bytes;
  four: bytes4;
  digest: hash;
  key: bytes32;
  who: address;
}

struct Options { u32: u32?; option?: string; u8?: u8; list?: Amount[]; }

struct Lists {
  @max(2) few: u16[];
  pairs: u8[2][];
  maybe: bool?[];
  shapes: Shape[];
}

struct Empty { }

type Amount = u128;
@max(4)
type Name = string;
@max(9)
type LongName = string;
type Pair = Amount[2];

struct Aliases { amount: Amount; name: Name; pair: Pair; }

/// A tree of any height.
struct Tree { label: Name; children: Tree[]; parent?: Link; }
enum Link { None, To: Tree }

enum Shape {
  Point,
  Circle: u32,
  /// Corners.
  Polygon: Pair[],
  OnTop: Flags,
  MaybeNot: u8?,
}

struct Loose { any: json; maybe?: json; }

/// A shop of tokens.
contract Shop {
  @since("2.0") @deprecated("use order")
  method buy(item: u64, note?: string) -> bool;
  method order(order: Order, tip: Amount) -> Order[];
  method close();
  view price(item: u64) -> Amount;
  event Sold { indexed buyer: address; indexed item: u64; indexed label: string; price: Amount; paid: bool?; }
  event Closed { }
  error TooPoor { needed: Amount; has: Amount; }
  error SoldOut { }
}

struct Order { item: u64; corners: Pair[]; }

interface Sample {
  /// Does nothing.
  method nothing();
  @tier(paid) @cost(7) @since("1.1") @deprecated("use other")
  method one(args: Texts) -> Numbers;
  method wrapped(any: Loose) -> json;
  method two(first: u8, second?: Shape) -> u64?;
  method options(args?: Flags) -> Flags[];
  method short_name() -> Name;
  method long_name() -> LongName;
}
`;

export function sampleManifest(): Manifest {
  return compileIdl([{ name: 'sample.idl', text: SAMPLE_IDL }]).manifest;
}
