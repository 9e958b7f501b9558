//! What a program's debug information (DWARF) says: the line of each site, and the global variables.
//!
//! Debug information is a help, not a part of the program: what is missing or damaged is left out.

mod entries;
mod globals;
mod lines;
mod memory;
mod stopped;

use std::sync::Arc;

use gimli::{Dwarf, EndianSlice, LittleEndian};
use pagewalk_base::error::Error;

use crate::Instrumented;
use crate::module::Module;

pub(crate) use lines::{frame, is_system};
pub use stopped::{Stopped, stopped};

pub(crate) type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// What is known about the source of a program.
#[derive(Debug, Default)]
pub struct Source {
    /// The paths of files, as the compiler was given them.
    pub files: Vec<String>,
    /// The names of functions.
    pub functions: Vec<String>,
    /// The place of each site.
    pub places: Vec<Place>,
    /// The global variables in the order of their addresses.
    pub globals: Vec<Global>,
    /// Whether the program has debug information with lines. Names of functions without it come from the module.
    pub has_lines: bool,
    /// The functions with code: the name, and where the code begins and ends in the code section.
    pub code: Vec<(String, u32, u32)>,
    pub memory: Memory,
}

/// Where in the source a site is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// An index into the files.
    pub file: Option<u32>,
    /// The line, from 1; 0 if it is not known.
    pub line: u32,
    /// An index into the functions.
    pub function: Option<u32>,
}

/// The parts of the linear memory. What is neither stack nor heap are data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The lowest address of the stack, and that after the highest; equal if the stack is not known.
    pub stack: (u32, u32),
    /// The end of the data that have values when the program starts.
    pub data: u32,
    /// The first address of the heap.
    pub heap: u32,
    /// The pages of 64 KiB at the start.
    pub pages: u64,
}

/// A variable with an address of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    pub name: String,
    /// The type as C writes it, such as `double[16][32]`.
    pub ty: String,
    pub start: u32,
    pub size: u32,
}

/// Reads what a module's debug information says about its instrumented form.
///
/// # Errors
/// If the bytes are no module.
pub fn source(bytes: &[u8], made: &Instrumented) -> Result<Source, Error> {
    let module = Module::read(bytes)?;
    let dwarf = dwarf(&module);
    let mut source = Source::default();
    lines::find(&module, &dwarf, made, &mut source);
    globals::find(&dwarf, &mut source.globals);
    source.memory = memory::parts(&module, &source.globals);
    Ok(source)
}

/// Returns the debug information of a module, which may be empty.
pub(crate) fn dwarf<'a>(module: &Module<'a>) -> Arc<Dwarf<Slice<'a>>> {
    let section = |id: gimli::SectionId| -> Result<Slice<'a>, gimli::Error> {
        let found = module.debug.get(id.name()).copied();
        Ok(EndianSlice::new(found.unwrap_or_default(), LittleEndian))
    };
    Arc::new(Dwarf::load(section).unwrap_or_default())
}
