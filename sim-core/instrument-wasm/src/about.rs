//! What JavaScript is told about an instrumented program.

use serde::Serialize;

use pagewalk_instrument::{Allocator, Instrumented, SiteKind, Source, Stopped};

/// All about a program, in columns.
#[derive(Serialize)]
struct About<'a> {
    memory: Memory,
    functions: Vec<Named<'a>>,
    globals: Vec<Global<'a>>,
    /// The kind, the size, the constant offset and the place in the code of each site.
    sites: Vec<(&'static str, u8, u32, u32)>,
    blocks: &'a [u32],
    /// The file, the line and the function of each site; −1 for what is not known, line 0.
    places: Vec<(i64, u32, i64)>,
    files: &'a [String],
    names: &'a [String],
    #[serde(rename = "hasLines")]
    has_lines: bool,
}

/// Where a program stopped, as far as it is known.
#[derive(Serialize)]
pub(crate) struct TrapPlace {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<u32>,
}

impl From<Stopped> for TrapPlace {
    fn from(Stopped { line, function, at }: Stopped) -> Self {
        Self { line, function, at }
    }
}

/// Addresses are hexadecimal text, as everywhere.
#[derive(Serialize)]
struct Memory {
    stack: (String, String),
    data: String,
    heap: String,
    size: String,
    code: String,
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    start: String,
    end: String,
}

#[derive(Serialize)]
struct Global<'a> {
    #[serde(flatten)]
    named: Named<'a>,
    #[serde(rename = "type")]
    ty: &'a str,
}

fn hex(n: impl Into<u64>) -> String {
    format!("{:#x}", n.into())
}

fn kind(kind: SiteKind) -> &'static str {
    match kind {
        SiteKind::Load => "load",
        SiteKind::Store => "store",
        SiteKind::Modify => "modify",
        SiteKind::Copy => "copy",
        SiteKind::Fill => "fill",
        SiteKind::Init => "init",
        SiteKind::Grow => "grow",
        SiteKind::Call(Allocator::Malloc) => "malloc",
        SiteKind::Call(Allocator::Calloc) => "calloc",
        SiteKind::Call(Allocator::Realloc) => "realloc",
        SiteKind::Call(Allocator::Aligned) => "aligned",
        SiteKind::Call(Allocator::Free) => "free",
        SiteKind::Return(_) => "return",
        SiteKind::Enter => "enter",
        SiteKind::Leave => "leave",
    }
}

/// Returns the JSON about a program.
pub(crate) fn about(made: &Instrumented, source: &Source) -> String {
    let code_start = made.code_start;
    let code_end = source.code.iter().map(|&(.., end)| end).max().unwrap_or(0);
    let named = |name, start: u32, end: u32| Named { name, start: hex(start), end: hex(end) };
    let index = |n: Option<u32>| n.map_or(-1, i64::from);
    let memory = source.memory;
    let about = About {
        memory: Memory {
            stack: (hex(memory.stack.0), hex(memory.stack.1)),
            data: hex(memory.data),
            heap: hex(memory.heap),
            size: hex(memory.pages << 16),
            code: hex(code_end),
        },
        functions: source.code.iter().map(|(name, start, end)| named(name, *start, *end)).collect(),
        globals: source
            .globals
            .iter()
            .map(|each| Global {
                named: named(&each.name, each.start, each.start.saturating_add(each.size)),
                ty: &each.ty,
            })
            .collect(),
        sites: made
            .sites
            .iter()
            .map(|site| {
                (kind(site.kind), site.size, site.offset, site.at.saturating_sub(code_start))
            })
            .collect(),
        blocks: &made.blocks,
        places: source
            .places
            .iter()
            .map(|place| (index(place.file), place.line, index(place.function)))
            .collect(),
        files: &source.files,
        names: &source.functions,
        has_lines: source.has_lines,
    };
    serde_json::to_string(&about).unwrap_or_default()
}
