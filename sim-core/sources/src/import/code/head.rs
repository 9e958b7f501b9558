//! The head of a program trace.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use serde::Deserialize;

use pagewalk_base::addr::Hex;
use pagewalk_base::json::parse_json;
use pagewalk_base::narrow::small;
use pagewalk_base::trace::{Instructions, LoadOrStore, Places, SourcePlace};

use super::layout::{Layout, Memory, TEXT};
use super::site::{Plain, Site, SiteKind, Words};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    memory: Memory,
    /// The functions, with the places of their instructions in the code.
    functions: Vec<Named>,
    /// The global variables, with their addresses in the linear memory.
    globals: Vec<Named>,
    /// The kind, the size, the constant offset and the place of the instruction of each site.
    sites: Vec<(SiteKind, u32, u32, u32)>,
    /// For each block the index of its first site, and at the end the number of sites.
    blocks: Vec<usize>,
    /// The names of heap blocks by the place of the call that allocates them.
    heap: Vec<(u32, String)>,
    /// The names of calls of libraries, by the place of the call.
    #[serde(default)]
    calls: Vec<(u32, String)>,
    /// The paths of the source files, and the names of the functions in the source.
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    names: Vec<String>,
    /// The file, the line and the function of each site: −1 and line 0 for what is not known.
    #[serde(default)]
    places: Vec<(i64, u32, i64)>,
    /// The file, the number and the text of lines.
    #[serde(default)]
    lines: Vec<(i64, u32, String)>,
    /// Whether the trace also gets estimated fetches.
    #[serde(default)]
    fetches: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) start: Hex,
    pub(super) end: Hex,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The number of its first site, and the number of its sites.
    pub(super) first: u32,
    pub(super) n: u32,
    pub(super) words: u32,
    /// Whether all sites are loads and stores.
    pub(super) is_plain: bool,
    /// Whether all sites make accesses.
    pub(super) is_data: bool,
    /// Whether it is in a file that calls libraries: then its accesses are not theirs, even if they called it back.
    pub(super) is_own: bool,
}

/// The head of a program trace.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) layout: Layout,
    pub(super) functions: Vec<Named>,
    pub(super) globals: Vec<Named>,
    pub(super) sites: Vec<Site>,
    /// The load or store of each site.
    pub(super) plain: Vec<Plain>,
    pub(super) instructions: Instructions,
    pub(super) blocks: Vec<Block>,
    pub(super) heap: Vec<(u64, String)>,
    pub(super) calls: Vec<(u64, String)>,
    pub(super) places: Places,
    pub(super) has_fetches: bool,
}

/// The bytes of one access. A vector of WebAssembly has 16; this leaves room for wider ones.
const SIZES: RangeInclusive<u32> = 1..=LoadOrStore::MOST;

impl Head {
    /// Returns the block with the number that a record begins with.
    #[inline]
    pub(super) fn block(&self, number: [u8; 4]) -> Option<Block> {
        self.blocks.get(u32::from_le_bytes(number) as usize).copied()
    }

    /// Returns the sites of a block.
    pub(super) fn sites(&self, block: Block) -> &[Site] {
        let sites = self.sites.get(block.first as usize..).unwrap_or_default();
        sites.get(..block.n as usize).unwrap_or_default()
    }

    /// Reads a head, or says why it cannot be read.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "its head is not text".to_owned())?;
        let raw: Raw = parse_json(text).map_err(|error| format!("its head: {error}"))?;
        let mut sites = Vec::new();
        for (number, &(kind, size, offset, at)) in (0..).zip(&raw.sites) {
            let words = Words::of(kind);
            let is_access = matches!(words, Words::Access | Words::Modify);
            // The records of other sites have their sizes.
            let own_size = if is_access { size } else { 0 };
            let what = LoadOrStore::new(matches!(kind, SiteKind::Store), own_size);
            let what = what.filter(|_| !is_access || SIZES.contains(&size));
            let Some(what) = what else {
                let [least, most] = [SIZES.start(), SIZES.end()];
                return Err(format!(
                    "its head: site {number} accesses {size} bytes: must be {least} to {most}"
                ));
            };
            let plain = Plain { what, offset };
            sites.push(Site { words, plain, ip: TEXT + u64::from(at), number });
        }
        let own = own_files(&raw);
        let is_own = |site: usize| raw.places.get(site).is_some_and(|of| own.contains(&of.0));
        let instructions = Instructions::new(sites.iter().map(|site| site.ip));
        let plain = sites.iter().map(|site| site.plain).collect();
        let mut blocks = Vec::new();
        for pair in raw.blocks.windows(2) {
            let range = pair[0]..pair[1];
            let Some(mine) = sites.get(range.clone()) else {
                return Err(format!("its head: there are no sites {} to {}", pair[0], pair[1]));
            };
            let first = mine.first().map_or(0, |site| site.number);
            let words = mine.iter().map(|site| site.words.count()).sum();
            let is_plain = mine.iter().all(|site| matches!(site.words, Words::Access));
            let is_data = mine.iter().all(|site| site.words.are_data());
            let is_own = range.clone().any(is_own);
            let [n, words] = [mine.len(), words].map(small);
            blocks.push(Block { first, n, words, is_plain, is_data, is_own });
        }
        let places = places(&raw, &sites)?;
        let at_places = |names: Vec<(u32, String)>| {
            names.into_iter().map(|(at, name)| (TEXT + u64::from(at), name)).collect()
        };
        let (heap, calls) = (at_places(raw.heap), at_places(raw.calls));
        let layout = Layout::new(&raw.memory).map_err(|why| format!("its head: {why}"))?;
        let Raw { functions, globals, fetches: has_fetches, .. } = raw;
        Ok(Self {
            layout,
            functions,
            globals,
            sites,
            plain,
            instructions,
            blocks,
            heap,
            calls,
            places,
            has_fetches,
        })
    }
}

/// Returns the numbers of the files that call libraries.
fn own_files(raw: &Raw) -> BTreeSet<i64> {
    let calls = raw.sites.iter().zip(&raw.places).filter(|(site, _)| site.0 == SiteKind::Enter);
    calls.map(|(_, place)| place.0).filter(|file| *file >= 0).collect()
}

/// Returns the places of the sites in the source, or says what is wrong.
fn places(raw: &Raw, sites: &[Site]) -> Result<Places, String> {
    fn text<'a>(all: &'a [String], what: &str, at: i64) -> Result<&'a str, String> {
        if at < 0 {
            return Ok("");
        }
        let found = usize::try_from(at).ok().and_then(|at| all.get(at));
        found.map(String::as_str).ok_or_else(|| format!("its head: there is no {what} {at}"))
    }
    let texts: BTreeMap<(i64, u32), &str> =
        raw.lines.iter().map(|(file, line, text)| ((*file, *line), text.as_str())).collect();
    let mut places = Places::default();
    for (site, &(file, line, name)) in sites.iter().zip(&raw.places) {
        let text_of_line = texts.get(&(file, line)).copied().unwrap_or_default();
        let place = SourcePlace {
            function: text(&raw.names, "name", name)?,
            file: text(&raw.files, "file", file)?,
            line,
            text: text_of_line.trim(),
        };
        if place != SourcePlace::default() {
            places.add(site.ip, &place);
        }
    }
    Ok(places)
}
