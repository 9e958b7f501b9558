//! Makes a WebAssembly program report its memory accesses.
//!
//! [`instrument`] rewrites a module so that its code appends records to a buffer, and calls its host only when the buffer is
//! full. A record belongs to a *block*, which is code without a branch between its first and its last access. What never
//! changes about an access is written once, in the list of [`Site`]s: its kind, size, constant offset and instruction. So a
//! record is short:
//!
//! ```text
//! u32 number of the block    for each of its sites: u32 address   (some sites have other words: see `SiteKind`)
//! ```
//!
//! The buffer is one page of 64 KiB behind the memory of the program. The program does not see it: `memory.size` leaves it
//! out, and `memory.grow` moves it to the new end and clears its old place. An access behind the memory, which traps in the
//! original program, does not trap if it is in this page. A second memory would be exact, but not all browsers have it.
//!
//! The indices of functions and globals stay as they are, because everything that is added comes last. The host
//! is called through a table that it fills, because an imported function would come first. All code but that of accesses is
//! copied byte for byte.
//!
//! A trap inside of a block leaves its record unfinished, so the accesses of that block are missing.

mod allocators;
mod body;
mod libraries;
mod module;
mod operator;
mod site;
mod source;
mod write;

use pagewalk_base::error::{self, Error, ErrorCode};

pub use allocators::Allocator;
pub use site::{Site, SiteKind};
pub use source::{Global, Memory, Place, Source, Stopped, source, stopped};

/// The bytes of the buffer of records, a page of WebAssembly.
pub const BUFFER_BYTES: u32 = 1 << 16;
/// The most pages of a program's memory, 1 GiB. More is refused as a machine without memory does.
pub const MOST_PAGES: u64 = 1 << 14;
/// The most bytes of a record.
pub const RECORD_BYTES: u32 = 1 << 12;

/// The names of what an instrumented module exports.
pub mod exports {
    /// The memory of the program, whose last page is the buffer.
    pub const MEMORY: &str = "pagewalk:memory";
    /// The mutable global with the address where the records end. The host sets it to the first byte of the last page when it
    /// has read them.
    pub const END: &str = "pagewalk:end";
    /// The table with one function, without parameters. It is called when the buffer is full.
    pub const FULL: &str = "pagewalk:full";
    /// The start function of the program. The host calls it after it has filled the table.
    pub const START: &str = "pagewalk:start";
}

/// An instrumented program, and what its records mean.
#[derive(Debug)]
pub struct Instrumented {
    pub module: Vec<u8>,
    /// The sites of all blocks, one block after the other.
    pub sites: Vec<Site>,
    /// For each block the index of its first site, and at the end the number of sites.
    pub blocks: Vec<u32>,
    /// Where in the program its code section begins: addresses in DWARF count from here.
    pub code_start: u32,
    /// Where instructions are: pairs of a place in `module` and one in the original, in order. Until the next pair, both
    /// advance together.
    places: Vec<(u32, u32)>,
}

impl Instrumented {
    /// Returns where in the original module an instruction of the instrumented one is. Of what was added, it is the
    /// instruction before.
    pub fn original(&self, at: u32) -> Option<u32> {
        let next = self.places.partition_point(|&(new, _)| new <= at);
        let &(new, original) = self.places.get(next.checked_sub(1)?)?;
        let limit = self.places.get(next).map_or(u32::MAX, |&(_, next)| next);
        Some((original + (at - new)).min(limit.max(original)))
    }
}

/// Rewrites a module so that it reports its accesses.
///
/// Without the feature `validate`, the module must be valid: otherwise the result may be invalid, too.
///
/// # Errors
/// `bad-trace` if the bytes are no module, `unsupported` if it has memories that cannot be traced.
pub fn instrument(bytes: &[u8]) -> Result<Instrumented, Error> {
    validate(bytes)?;
    let module = module::Module::read(bytes)?;
    let libraries = libraries::calls(&module)?;
    let sites = body::rewrite(&module, &libraries)?;
    write::write(&module, sites)
}

/// What a program may use: everything that browsers run, but no memories of 64-bit addresses.
#[cfg(feature = "validate")]
fn validate(bytes: &[u8]) -> Result<(), Error> {
    use wasmparser::{Validator, WasmFeatures};
    let features = WasmFeatures::WASM3
        | WasmFeatures::THREADS
        | WasmFeatures::LEGACY_EXCEPTIONS
        | WasmFeatures::MEMORY64;
    Validator::new_with_features(features).validate_all(bytes).map_err(bad).map(drop)
}

#[cfg(not(feature = "validate"))]
#[expect(clippy::unnecessary_wraps, reason = "the other variant can fail")]
fn validate(_: &[u8]) -> Result<(), Error> {
    Ok(())
}

/// Says that the bytes are no valid module.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn bad(found: wasmparser::Error) -> Error {
    let message = format!(
        "this is not a valid WebAssembly module: {}. Compile the program again",
        found.message()
    );
    Error::new(ErrorCode::BadTrace, message).at(error::Place::Byte(found.offset()))
}

fn unsupported(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::Unsupported, message)
}
