//! Plain data as a row of numbers, which crosses between JavaScript and Rust in one call.
//!
//! A call for each property takes longer than judging a plan, and listing a map's tens of
//! thousands of objects in that way longer than a frame. `tape.js` is the other end: it
//! writes what `input.rs` reads, and reads what `output.rs` writes. Objects are told apart
//! from everything else there, so nothing that a program passes in runs on this side.

/// Null.
pub const NULL: u32 = 0;
/// True.
pub const TRUE: u32 = 1;
/// False.
pub const FALSE: u32 = 2;
/// Two words: the bits of a floating-point number, the lower half first.
pub const NUMBER: u32 = 3;
/// The length in UTF-16 units; on the way in, the units follow.
pub const TEXT: u32 = 4;
/// The number of items, then the items.
pub const LIST: u32 = 5;
/// The number of entries, then a name and a value for each: on the way in a text without its
/// code, on the way out any value.
pub const MAP: u32 = 6;
/// On the way out: the number of fields, then a text without its code and a value for each.
pub const FIRST_RECORD: u32 = 7;
/// On the way out: the place of its like among the first records, then the values.
pub const RECORD: u32 = 8;
/// On the way in: what is not plain data, and what it is, as a text without its code.
pub const ODD: u32 = 9;
/// On the way in: what threw when it was read, and what it threw, as a text without its code.
pub const UNREADABLE: u32 = 10;
/// A number from this on is a whole number, this much higher.
pub const WHOLE: u32 = 11;
