//! Which instructions access memory. Opcodes of one family are consecutive, so tables by opcode are short.

use wasm_encoder::ValType::{self, F32, F64, I32, I64, V128};
use wasmparser::{BinaryReader, Result};

use crate::SiteKind;

/// An instruction that accesses the memory.
pub(crate) struct MemoryOperator {
    pub(crate) kind: SiteKind,
    pub(crate) size: u8,
    pub(crate) offset: u64,
    /// The types of the operands above the address. Those of bulk operations are all operands.
    pub(crate) above: &'static [ValType],
}

const LOADS: [u8; 14] = [4, 8, 4, 8, 1, 1, 2, 2, 1, 1, 2, 2, 4, 4];
const STORES: [(u8, &[ValType]); 9] = [
    (4, &[I32]),
    (8, &[I64]),
    (4, &[F32]),
    (8, &[F64]),
    (1, &[I32]),
    (2, &[I32]),
    (1, &[I64]),
    (2, &[I64]),
    (4, &[I64]),
];
/// The seven widths of each family of atomic operations: whether the type is `i64`, and the size.
const ATOMICS: [(bool, u8); 7] =
    [(false, 4), (true, 8), (false, 1), (false, 2), (true, 1), (true, 2), (true, 4)];
const V128_LOADS: [u8; 11] = [16, 8, 8, 8, 8, 8, 8, 1, 2, 4, 8];
const LANES: [u8; 4] = [1, 2, 4, 8];

/// Reads an instruction; `None` if it does not access the memory.
pub(crate) fn memory_operator(bytes: &[u8]) -> Result<Option<MemoryOperator>> {
    let mut reader = BinaryReader::new(bytes, 0);
    let opcode = reader.read_u8()?;
    let (kind, size, above) = match opcode {
        0x28..=0x35 => (SiteKind::Load, LOADS[usize::from(opcode - 0x28)], [].as_slice()),
        0x36..=0x3e => {
            let (size, above) = STORES[usize::from(opcode - 0x36)];
            (SiteKind::Store, size, above)
        }
        0x40 => return Ok(Some(whole(SiteKind::Grow, &[I32]))),
        0xfc => {
            return Ok(match reader.read_var_u32()? {
                8 => Some(whole(SiteKind::Init, &[I32, I32, I32])),
                10 => Some(whole(SiteKind::Copy, &[I32, I32, I32])),
                11 => Some(whole(SiteKind::Fill, &[I32, I32, I32])),
                _ => None,
            });
        }
        0xfd | 0xfe => {
            let number = reader.read_var_u32()?;
            let found = if opcode == 0xfd { vector(number) } else { atomic(number) };
            let Some(found) = found else { return Ok(None) };
            found
        }
        _ => return Ok(None),
    };
    // Bit 6 of the alignment says that the index of a memory follows.
    if reader.read_var_u32()? & 1 << 6 != 0 {
        reader.read_var_u32()?;
    }
    let offset = reader.read_var_u64()?;
    Ok(Some(MemoryOperator { kind, size, offset, above }))
}

fn whole(kind: SiteKind, above: &'static [ValType]) -> MemoryOperator {
    MemoryOperator { kind, size: 0, offset: 0, above }
}

type Found = (SiteKind, u8, &'static [ValType]);

fn vector(number: u32) -> Option<Found> {
    let lane = |from: u32| LANES[(number - from) as usize];
    Some(match number {
        0..=10 => (SiteKind::Load, V128_LOADS[number as usize], &[]),
        11 => (SiteKind::Store, 16, &[V128]),
        84..=87 => (SiteKind::Load, lane(84), &[V128]),
        88..=91 => (SiteKind::Store, lane(88), &[V128]),
        92 => (SiteKind::Load, 4, &[]),
        93 => (SiteKind::Load, 8, &[]),
        _ => return None,
    })
}

fn atomic(number: u32) -> Option<Found> {
    let of = |number: u32, kind, narrow: &'static [ValType], wide: &'static [ValType]| {
        let (is_wide, size) = ATOMICS[(number % 7) as usize];
        (kind, size, if is_wide { wide } else { narrow })
    };
    Some(match number {
        0 => (SiteKind::Load, 4, &[I32]),
        1 => (SiteKind::Load, 4, &[I32, I64]),
        2 => (SiteKind::Load, 8, &[I64, I64]),
        0x10..=0x16 => of(number - 0x10, SiteKind::Load, &[], &[]),
        0x17..=0x1d => of(number - 0x17, SiteKind::Store, &[I32], &[I64]),
        0x1e..=0x47 => of(number - 0x1e, SiteKind::Modify, &[I32], &[I64]),
        0x48..=0x4e => of(number - 0x48, SiteKind::Modify, &[I32, I32], &[I64, I64]),
        _ => return None,
    })
}

/// Returns whether a block ends before an instruction: it can leave the code that follows, or be reached by a branch.
pub(crate) fn ends_block(opcode: u8) -> bool {
    // `unreachable`, all control instructions but `nop` and `block`, `try_table`, `br_on_null` and `br_on_non_null`. Those
    // of garbage collection, 0xfb, have branches, too.
    matches!(opcode, 0x00 | 0x03..=0x19 | 0x1f | 0xd5 | 0xd6 | 0xfb)
}
