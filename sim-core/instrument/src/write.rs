//! Writes the instrumented module: the sections of the original with what is added at their ends.

use pagewalk_base::error::Error;
use wasm_encoder::{ConstExpr, Encode as _, GlobalType, MemoryType, RefType, TableType, ValType};
use wasmparser::BinaryReader;

use crate::body::{Rewritten, limit};
use crate::module::Module;
use crate::{Instrumented, MOST_PAGES, bad, unsupported};

const CUSTOM: u8 = 0;
const TYPE: u8 = 1;
const TABLE: u8 = 4;
const MEMORY: u8 = 5;
const GLOBAL: u8 = 6;
const EXPORT: u8 = 7;
const START: u8 = 8;
const CODE: u8 = 10;
/// The order of the sections in a module. Number 13 has tags, 12 the number of data segments.
const ORDER: [u8; 13] = [TYPE, 2, 3, TABLE, MEMORY, 13, GLOBAL, EXPORT, START, 9, 12, CODE, 11];

pub(crate) fn write(module: &Module<'_>, code: Rewritten) -> Result<Instrumented, Error> {
    let mut out = b"\0asm\x01\0\0\0".to_vec();
    let original = |wanted: u8| {
        let (_, range) = module.sections.iter().find(|(id, _)| *id == wanted)?;
        module.bytes.get(range.clone())
    };
    let mut places = Vec::new();
    for id in ORDER {
        let found = original(id);
        match (added(module, id), found) {
            _ if id == START => {}
            (Some((n, items)), _) if id == MEMORY => {
                let mut contents = Vec::new();
                n.encode(&mut contents);
                contents.extend_from_slice(&items);
                write_section(id, &contents, &mut out);
            }
            _ if id == CODE => places = write_code(&code, &mut out)?,
            (Some((n, items)), found) => {
                write_section(id, &longer(found.unwrap_or(&[0]), n, &items)?, &mut out);
            }
            (None, Some(contents)) => write_section(id, contents, &mut out),
            (None, None) => {}
        }
    }
    // The names of functions, which the host's stack traces show.
    if let Some(names) = original(CUSTOM) {
        write_section(CUSTOM, names, &mut out);
    }
    let Rewritten { sites, blocks, .. } = code;
    let code_start = u32::try_from(module.code_start).unwrap_or(u32::MAX);
    Ok(Instrumented { module: out, sites, blocks, code_start, places })
}

/// Returns the number of items that a section gets, and the items.
fn added(module: &Module<'_>, id: u8) -> Option<(u32, Vec<u8>)> {
    let mut items = Vec::new();
    match id {
        // The type of a function without parameters and results.
        TYPE => items.extend([0x60, 0, 0]),
        TABLE => TableType {
            element_type: RefType::FUNCREF,
            table64: false,
            minimum: 1,
            maximum: Some(1),
            shared: false,
        }
        .encode(&mut items),
        // This takes the place of the program's own memory.
        MEMORY => {
            let (maximum, shared) =
                module.memory.map_or((None, false), |memory| (memory.maximum, memory.shared));
            MemoryType {
                minimum: module.pages + 1,
                maximum: Some(maximum.unwrap_or(MOST_PAGES).min(MOST_PAGES) + 1),
                memory64: false,
                shared,
                page_size_log2: None,
            }
            .encode(&mut items);
        }
        GLOBAL => {
            for value in [module.buffer(), limit(module.buffer())] {
                GlobalType { val_type: ValType::I32, mutable: true, shared: false }
                    .encode(&mut items);
                ConstExpr::i32_const(value.cast_signed()).encode(&mut items);
            }
            return Some((2, items));
        }
        EXPORT => {
            let added = module.added_exports();
            for (name, kind, index) in &added {
                name.encode(&mut items);
                kind.encode(&mut items);
                index.encode(&mut items);
            }
            return Some((u32::try_from(added.len()).ok()?, items));
        }
        _ => return None,
    }
    Some((1, items))
}

/// Returns a section with `n` more items.
fn longer(contents: &[u8], n: u32, items: &[u8]) -> Result<Vec<u8>, Error> {
    let mut reader = BinaryReader::new(contents, 0);
    let before = reader.read_var_u32().map_err(bad)?;
    let count = before.checked_add(n).ok_or_else(|| unsupported("a section is too long"))?;
    let mut out = Vec::new();
    count.encode(&mut out);
    let rest = contents.len() - reader.bytes_remaining();
    out.extend_from_slice(&contents[rest..]);
    out.extend_from_slice(items);
    Ok(out)
}

fn write_section(id: u8, contents: &[u8], out: &mut Vec<u8>) {
    out.push(id);
    contents.encode(out);
}

/// Returns the place of each instruction in the new module, and in the original one.
fn write_code(code: &Rewritten, out: &mut Vec<u8>) -> Result<Vec<(u32, u32)>, Error> {
    let mut contents = Vec::new();
    code.bodies.len().encode(&mut contents);
    let mut starts = Vec::new();
    for body in &code.bodies {
        body.as_slice().encode(&mut contents);
        starts.push(contents.len() - body.len());
    }
    write_section(CODE, &contents, out);
    let before = out.len() - contents.len();
    let too_long = || unsupported("the program has too much code");
    if u32::try_from(out.len()).is_err() {
        return Err(too_long());
    }
    let mut places = Vec::new();
    for (start, moved) in starts.iter().zip(&code.places) {
        let start = u32::try_from(before + start).map_err(|_| too_long())?;
        places.extend(moved.iter().map(|&(new, at)| (start + new, at)));
    }
    Ok(places)
}
