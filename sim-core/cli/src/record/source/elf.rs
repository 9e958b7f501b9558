//! The functions, lines and global variables of an ELF file, from its debug information or its symbols.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use addr2line::{Loader, demangle_auto};
use object::{
    Object as _, ObjectSection as _, ObjectSegment as _, ObjectSymbol as _, SectionKind, SymbolKind,
};

/// The folder of debug files that are installed apart from their programs.
const DEBUG: &str = "/usr/lib/debug";
const PAGE: u64 = 4096;
/// The most bytes of a file that is read.
const MOST_BYTES: u64 = 4 << 30;

/// A part of the file that is loaded at an address.
struct Segment {
    file: Range<u64>,
    address: u64,
}

/// Data of the file with a name: variables that share an address, or constants without a symbol.
pub(super) struct Global {
    /// What the memory is called, such as `table (global)`.
    pub(super) name: String,
    pub(super) range: Range<u64>,
    /// Whether its first contents come from the file.
    pub(super) is_backed: bool,
}

/// Where in the source an address of the file is. What is not known is empty, and line 0.
#[derive(Default)]
pub(super) struct Found {
    pub(super) function: String,
    pub(super) file: String,
    pub(super) line: u32,
}

pub(super) struct Elf {
    segments: Vec<Segment>,
    pub(super) globals: Vec<Global>,
    /// The file with debug information, if there is one, then the file itself.
    loaders: Vec<Loader>,
}

impl Elf {
    /// Reads a file. What is no ELF file, or is damaged, has no places.
    pub(super) fn open(path: &Path) -> Option<Self> {
        let is_fit = fs::metadata(path).is_ok_and(|of| of.is_file() && of.len() < MOST_BYTES);
        let bytes = is_fit.then(|| fs::read(path).ok())??;
        let file = object::File::parse(&*bytes).ok()?;
        let segments = file.segments().map(|segment| {
            let (offset, size) = segment.file_range();
            Segment { file: offset..offset.saturating_add(size), address: segment.address() }
        });
        let segments = segments.collect();
        let debug = debug_file(&file, path);
        let debug_bytes = debug.as_ref().and_then(|debug| fs::read(debug).ok());
        let debug_object =
            debug_bytes.as_ref().and_then(|bytes| object::File::parse(&**bytes).ok());
        let globals = globals(&file, debug_object.as_ref(), path);
        let paths = debug.into_iter().chain([path.to_owned()]);
        let loaders = paths.filter_map(|path| Loader::new(path).ok()).collect();
        Some(Self { segments, globals, loaders })
    }

    /// Returns what must be subtracted from addresses of a mapping, which begins at `start`, and at `offset` in the file. Two
    /// segments can share a page of the file, so that a mapping can be of either. `known` are other mappings' numbers, one of
    /// which is right if it is possible.
    pub(super) fn bias(&self, start: u64, offset: u64, known: &BTreeSet<u64>) -> Option<u64> {
        let pages = |segment: &Segment| segment.file.start & !(PAGE - 1)..segment.file.end;
        let of = |segment: &Segment| {
            let address = segment.address.wrapping_add(offset.wrapping_sub(segment.file.start));
            start.wrapping_sub(address)
        };
        // A mapping begins with a segment, unless its rights changed.
        let begins = || self.segments.iter().filter(|of| pages(of).start == offset).map(of);
        let inside = || self.segments.iter().filter(|of| pages(of).contains(&offset)).map(of);
        let is_known = |bias: &u64| known.contains(bias);
        inside().find(is_known).or_else(|| begins().next()).or_else(|| inside().next())
    }

    /// Finds an address of the file. Of functions that are inlined into others, it is the innermost.
    pub(super) fn place(&self, address: u64) -> Option<Found> {
        let mut found = Found::default();
        for loader in &self.loaders {
            let Ok(mut frames) = loader.find_frames(address) else { continue };
            let Ok(Some(frame)) = frames.next() else { continue };
            if let Some(location) = &frame.location {
                found.line = location.line.unwrap_or(0);
                location.file.unwrap_or_default().clone_into(&mut found.file);
            }
            let name = frame.function.as_ref().and_then(|function| function.demangle().ok());
            found.function = name.map(Into::into).unwrap_or_default();
            if !found.function.is_empty() {
                return Some(found);
            }
        }
        let symbol = self.loaders.iter().find_map(|loader| loader.find_symbol(address));
        found.function = symbol.map(plain).unwrap_or_default();
        (found.line > 0 || !found.function.is_empty()).then_some(found)
    }
}

/// Returns the name of a symbol as its source writes it: without the version, and without the number of a `static` one.
fn plain(symbol: &str) -> String {
    let symbol = symbol.split('@').next().unwrap_or(symbol);
    let name = match symbol.rsplit_once('.') {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => symbol,
    };
    demangle_auto(name.into(), None).into_owned()
}

/// A variable of the symbol table.
struct Variable {
    name: String,
    range: Range<u64>,
    is_backed: bool,
}

/// Returns the constants without a symbol, then the variables. `debug` is the file with debug information, which has no data.
fn globals(file: &object::File<'_>, debug: Option<&object::File<'_>>, path: &Path) -> Vec<Global> {
    let is_zeroed =
        |section: &object::Section<'_, '_>| section.kind() == SectionKind::UninitializedData;
    let zeroed: Vec<Range<u64>> =
        file.sections().filter(is_zeroed).filter_map(|section| range(&section)).collect();
    let variable = |symbol: object::Symbol<'_, '_>| variable(&symbol, &zeroed);
    let symbols = debug.unwrap_or(file);
    let mut variables: Vec<_> = symbols.symbols().filter_map(variable).collect();
    if variables.is_empty() {
        variables = symbols.dynamic_symbols().filter_map(variable).collect();
    }
    let mut all = constants(file, path);
    all.append(&mut joined(variables));
    all
}

/// Returns a symbol that is a variable. `zeroed` are the sections without data in the file.
fn variable(symbol: &object::Symbol<'_, '_>, zeroed: &[Range<u64>]) -> Option<Variable> {
    let (start, size) = (symbol.address(), symbol.size());
    let end = start.checked_add(size).filter(|end| start > 0 && *end > start)?;
    let is_data = symbol.kind() == SymbolKind::Data && symbol.is_definition();
    let name = symbol.name().ok().filter(|name| is_data && !name.is_empty())?;
    let is_backed = !zeroed.iter().any(|section| section.contains(&start));
    Some(Variable { name: plain(name), range: start..end, is_backed })
}

/// Returns the addresses of a section that is loaded.
fn range(section: &object::Section<'_, '_>) -> Option<Range<u64>> {
    let start = section.address();
    let end = start.checked_add(section.size())?;
    (start > 0 && end > start).then_some(start..end)
}

/// Returns the sections of constants, in which literals have no symbols, because the linker joins equal ones.
fn constants(file: &object::File<'_>, path: &Path) -> Vec<Global> {
    let of = path.file_name().unwrap_or_default().to_string_lossy();
    let sections = file.sections().filter_map(|section| {
        let name = section.name().ok().filter(|name| name.starts_with(".rodata"))?;
        let name = format!("{name} of {of} (constants)");
        Some(Global { name, range: range(&section)?, is_backed: true })
    });
    sections.collect()
}

/// Joins the variables of one range: the linker gives equal constants one address, and symbols can be aliases.
fn joined(mut variables: Vec<Variable>) -> Vec<Global> {
    /// The most names of a range.
    const NAMES: usize = 3;
    let underscores = |name: &str| name.len() - name.trim_start_matches('_').len();
    // The names that the source uses come first, those of its libraries' own use last.
    variables.sort_by(|a, b| {
        let key = |of: &Variable| (of.range.start, of.range.end, underscores(&of.name));
        key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
    });
    variables.dedup_by(|a, b| (&a.range, &a.name) == (&b.range, &b.name));
    let groups = variables.chunk_by(|a, b| a.range == b.range);
    let global = |group: &[Variable]| {
        let names: Vec<&str> = group.iter().take(NAMES).map(|of| of.name.as_str()).collect();
        let more = match group.len().saturating_sub(NAMES) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let name = format!("{}{more} (global)", names.join(", "));
        let first = group.first()?;
        Some(Global { name, range: first.range.clone(), is_backed: first.is_backed })
    };
    groups.filter_map(global).collect()
}

/// Finds the debug file of a program: by its build id, else by the name that the program gives.
fn debug_file(file: &object::File<'_>, path: &Path) -> Option<PathBuf> {
    let id = file.build_id().ok().flatten();
    let by_id = id.filter(|id| id.len() > 1).map(|id| {
        let mut path = format!(".build-id/{:02x}/", id[0]);
        id[1..].iter().for_each(|byte| path += &format!("{byte:02x}"));
        Path::new(DEBUG).join(path + ".debug")
    });
    let folder = path.parent()?;
    let link = file.gnu_debuglink().ok().flatten();
    let name = link.and_then(|(name, _)| std::str::from_utf8(name).ok());
    let by_name = name.into_iter().flat_map(|name| {
        let apart = Path::new(DEBUG).join(folder.strip_prefix("/").unwrap_or(folder));
        [folder.join(name), folder.join(".debug").join(name), apart.join(name)]
    });
    let has_id = |candidate: &PathBuf| {
        let Ok(bytes) = fs::read(candidate) else { return false };
        object::File::parse(&*bytes).is_ok_and(|debug| debug.build_id().ok().flatten() == id)
    };
    by_id.into_iter().chain(by_name).filter(|candidate| candidate != path).find(has_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_one_range_are_one_global_with_their_names() {
        let variable = |name: &str, range: Range<u64>| Variable {
            name: name.to_owned(),
            range,
            is_backed: true,
        };
        let all = joined(vec![
            variable("_environ", 8..16),
            variable("e", 32..40),
            variable("environ", 8..16),
            variable("c", 32..40),
            variable("environ", 8..16),
            variable("longer", 8..24),
            variable("d", 32..40),
            variable("b", 32..40),
        ]);
        let names: Vec<_> = all.iter().map(|of| of.name.as_str()).collect();
        let expected =
            ["environ, _environ (global)", "longer (global)", "b, c, d and 1 more (global)"];
        assert_eq!(names, expected);
    }
}
