//! The line and the function of each site.

use std::collections::BTreeMap;
use std::sync::Arc;

use addr2line::{Context, Frame, LookupResult};
use gimli::Dwarf;

use super::entries::name;
use super::{Place, Slice, Source};
use crate::Instrumented;
use crate::module::Module;

/// Indices of texts, each of which is kept once.
#[derive(Default)]
struct Texts(BTreeMap<String, u32>);

impl Texts {
    fn index(&mut self, text: &str) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        if let Some(&index) = self.0.get(text) {
            return index;
        }
        self.0.insert(text.to_owned(), next);
        next
    }

    fn into_list(self) -> Vec<String> {
        let mut list: Vec<_> = self.0.into_iter().collect();
        list.sort_by_key(|&(_, index)| index);
        list.into_iter().map(|(text, _)| text).collect()
    }
}

/// Finds the places of all sites.
pub(super) fn find<'a>(
    module: &Module<'a>,
    dwarf: &Arc<Dwarf<Slice<'a>>>,
    made: &Instrumented,
    source: &mut Source,
) {
    let context = Context::from_arc_dwarf(Arc::clone(dwarf)).ok();
    // The names of the section come after those of exports, which are for other programs.
    let names: BTreeMap<u32, &str> = module.names.iter().copied().collect();
    let (mut files, mut functions) = (Texts::default(), Texts::default());
    for site in &made.sites {
        let mut place = Place::default();
        let address = u64::from(site.at.saturating_sub(made.code_start));
        if let Some(found) = context.as_ref().and_then(|context| frame(context, address)) {
            // Line 0 is code that the compiler made for several lines.
            place.line = found.line;
            place.file = found.file.filter(|_| found.line > 0).map(|file| files.index(&file));
            place.function = found.function.map(|function| functions.index(&function));
        }
        source.has_lines |= place.line > 0;
        if place.function.is_none() {
            place.function = module
                .function_at(site.at)
                .and_then(|number| Some(functions.index(names.get(&number)?)));
        }
        source.places.push(place);
    }
    for (number, range) in module.code() {
        let place =
            |at: usize| u32::try_from(at).unwrap_or(u32::MAX).saturating_sub(made.code_start);
        let name =
            names.get(&number).map_or_else(|| format!("function {number}"), |&name| name.into());
        source.code.push((name, place(range.start), place(range.end)));
    }
    source.files = files.into_list();
    source.functions = functions.into_list();
}

pub(crate) struct Found {
    pub(crate) file: Option<String>,
    pub(crate) line: u32,
    pub(crate) function: Option<String>,
}

/// Returns the innermost frame of an address that is in a file of the program's own. Code of a system's header belongs to the
/// line that it was inlined into.
pub(crate) fn frame(context: &Context<Slice<'_>>, address: u64) -> Option<Found> {
    let LookupResult::Output(Ok(mut frames)) = context.find_frames(address) else { return None };
    let mut first = None;
    while let Ok(Some(frame)) = frames.next() {
        let is_own = !frame.location.as_ref().and_then(|at| at.file).is_some_and(is_system);
        if is_own {
            return Some(read(context, address, &frame));
        }
        first = first.or_else(|| Some(read(context, address, &frame)));
    }
    first
}

pub(crate) fn is_system(file: &str) -> bool {
    file.starts_with("/usr/") || file.starts_with("/rustc/")
}

fn read<'a>(context: &Context<Slice<'a>>, address: u64, frame: &Frame<'_, Slice<'a>>) -> Found {
    let location = frame.location.as_ref();
    Found {
        file: location.and_then(|at| at.file).map(str::to_owned),
        line: location.and_then(|at| at.line).unwrap_or(0),
        function: function(context, address, frame),
    }
}

/// Returns the name of a function as its source writes it.
fn function<'a>(
    context: &Context<Slice<'a>>,
    address: u64,
    frame: &Frame<'_, Slice<'a>>,
) -> Option<String> {
    let LookupResult::Output(unit) = context.find_dwarf_and_unit(address) else { return None };
    let unit = unit?;
    name(unit, &unit.entry(frame.dw_die_offset?).ok()?)
}
