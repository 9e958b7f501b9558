//! The source of a recorded program: the places of its instructions, its global variables, and what allocates its heap
//! blocks.

mod blocks;
mod elf;
mod instructions;
mod memory;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use pagewalk_base::addr::parse_hex;
use pagewalk_base::trace::{Mapping, Places, RegionKind, SourcePlace, Trace};
use pagewalk_sources::import::BLOCK;

use elf::{Elf, Found};
use instructions::instructions;
use memory::keep_blocks;

/// The smallest variable in bytes that is a region, and the most variables of a file.
const MIN_GLOBAL: u64 = 64;
const MAX_GLOBALS: usize = 256;
/// The most bytes of a source file.
const MAX_SOURCE: u64 = 16 << 20;

/// The ELF files that a program has mapped.
#[derive(Default)]
pub(super) struct Files {
    all: BTreeMap<String, Option<Elf>>,
    /// What must be subtracted from addresses of each file.
    biases: BTreeMap<String, BTreeSet<u64>>,
}

impl Files {
    /// Returns the file of a mapping, and what must be subtracted from its addresses.
    fn of(&mut self, mapping: &Mapping) -> Option<(&Elf, u64)> {
        let path = &mapping.name;
        let open = || path.starts_with('/').then(|| Elf::open(Path::new(path))).flatten();
        let elf = self.all.entry(path.clone()).or_insert_with(open).as_ref()?;
        let known = self.biases.entry(path.clone()).or_default();
        let bias = elf.bias(mapping.start, mapping.offset, known)?;
        known.insert(bias);
        Some((elf, bias))
    }

    /// Adds the global variables of the files that are mapped. They come last, because the last record of an address counts.
    pub(super) fn with_globals(&mut self, mut mappings: Vec<Mapping>) -> Vec<Mapping> {
        let mut seen = BTreeSet::new();
        let mut all = Vec::new();
        for mapping in &mappings {
            let Some((elf, bias)) = self.of(mapping) else { continue };
            if !seen.insert((mapping.name.clone(), bias)) {
                continue;
            }
            let mut globals: Vec<_> = elf.globals.iter().collect();
            globals.retain(|global| global.range.end - global.range.start >= MIN_GLOBAL);
            globals.sort_by_key(|global| Reverse(global.range.end - global.range.start));
            for global in globals.into_iter().take(MAX_GLOBALS) {
                let [start, end] =
                    [global.range.start, global.range.end].map(|at| at.wrapping_add(bias));
                let name = global.name.clone();
                let kind = if global.is_backed { RegionKind::File } else { RegionKind::Anonymous };
                let made = if start < end { Mapping::naming(start..end, kind, name) } else { None };
                all.extend(made.map(|made| Mapping { pid: mapping.pid, ..made }));
            }
        }
        mappings.append(&mut all);
        mappings
    }
}

/// Adds the places of all instructions to a trace, and names its heap blocks by the line that allocates them.
pub(super) fn describe(trace: &mut Trace, mut files: Files) {
    trace.edit_mappings(|mappings| keep_blocks(&mappings));
    let mapped: Vec<Mapping> =
        trace.mappings().iter().filter(|of| of.name.starts_with('/')).cloned().collect();
    let mut texts = Texts::default();
    let mut places = Places::default();
    let mut place = |ip: u64, places: &mut Places| -> Option<()> {
        let mapping = mapped.iter().rfind(|of| (of.start..of.end).contains(&ip))?;
        let (elf, bias) = files.of(mapping)?;
        let Found { function, file, line } = elf.place(ip.wrapping_sub(bias))?;
        let text = texts.line(&file, line);
        places.add(ip, &SourcePlace { function: &function, file: &file, line, text });
        Some(())
    };
    for ip in instructions(trace) {
        place(ip, &mut places);
    }
    let mut name = |ip: u64| {
        let mut own = Places::default();
        place(ip, &mut own);
        blocks::name(&own.iter().next().map(|(_, place)| place).unwrap_or_default())
    };
    let mut names = BTreeMap::new();
    trace.rename(|old| {
        let ip = parse_hex(old.strip_prefix(BLOCK)?)?;
        Some(names.entry(ip).or_insert_with(|| name(ip)).clone())
    });
    trace.add_places(&places);
}

/// The lines of source files.
#[derive(Default)]
struct Texts(BTreeMap<String, Vec<String>>);

impl Texts {
    fn line(&mut self, file: &str, line: u32) -> &str {
        if line == 0 {
            return "";
        }
        if !self.0.contains_key(file) {
            let is_fit = fs::metadata(file).is_ok_and(|of| of.is_file() && of.len() < MAX_SOURCE);
            let bytes = if is_fit { fs::read(file).unwrap_or_default() } else { Vec::new() };
            let text = String::from_utf8_lossy(&bytes);
            self.0
                .insert(file.to_owned(), text.lines().map(|line| line.trim().to_owned()).collect());
        }
        let lines = self.0.get(file).map_or(&[][..], Vec::as_slice);
        lines.get(line as usize - 1).map_or("", String::as_str)
    }
}
