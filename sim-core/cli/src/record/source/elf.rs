//! The functions, lines and global variables of an ELF file, from its debug information or its symbols.

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

/// A variable with an address of its own.
pub(super) struct Global {
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
        let globals = globals(debug_object.as_ref().unwrap_or(&file));
        let paths = debug.into_iter().chain([path.to_owned()]);
        let loaders = paths.filter_map(|path| Loader::new(path).ok()).collect();
        Some(Self { segments, globals, loaders })
    }

    /// Returns what must be subtracted from addresses of a mapping, which begins at `start`, and at `offset` in the file.
    pub(super) fn bias(&self, start: u64, offset: u64) -> Option<u64> {
        let pages = |segment: &Segment| segment.file.start & !(PAGE - 1)..segment.file.end;
        // Two segments can share a page of the file. A mapping begins with one of them.
        let begins = self.segments.iter().find(|segment| pages(segment).start == offset);
        let inside = || self.segments.iter().find(|segment| pages(segment).contains(&offset));
        let segment = begins.or_else(inside)?;
        let address = segment.address.wrapping_add(offset.wrapping_sub(segment.file.start));
        Some(start.wrapping_sub(address))
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

fn globals(file: &object::File<'_>) -> Vec<Global> {
    let is_uninitialized = |symbol: &object::Symbol<'_, '_>| {
        let section = symbol.section_index().and_then(|at| file.section_by_index(at).ok());
        section.is_some_and(|section| section.kind() == SectionKind::UninitializedData)
    };
    let global = |symbol: object::Symbol<'_, '_>| {
        let (start, size) = (symbol.address(), symbol.size());
        let end = start.checked_add(size).filter(|end| start > 0 && *end > start)?;
        let is_data = symbol.kind() == SymbolKind::Data && symbol.is_definition();
        let name = symbol.name().ok().filter(|name| is_data && !name.is_empty())?;
        Some(Global { name: plain(name), range: start..end, is_backed: !is_uninitialized(&symbol) })
    };
    let mut all: Vec<_> = file.symbols().filter_map(global).collect();
    if all.is_empty() {
        all = file.dynamic_symbols().filter_map(global).collect();
    }
    all
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
