//! State that is given before the first access: physical memory, page tables, and the contents of the TLB.

use std::rc::Rc;

use crate::caches::tlb::{Key, TlbArray};
use crate::config::Inclusion;
use crate::machine::Machine;
use crate::machine::plan::Plan;
use crate::os::given::{Given, GivenEntry, Row, address_of, frame_of, leaf_of};
use crate::os::{Os, OsConfig};
use crate::page_table::{Frame, Memory, PageTables};
use pagewalk_base::addr::Leaf;
use pagewalk_base::error::{Error, Result};

/// An entry that the TLB has when the first process runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TlbRow {
    level: usize,
    array: usize,
    number: u64,
    leaf: Leaf,
}

/// Gives the machine its physical memory and its state before the first access. Returns the contents of the TLB.
///
/// # Errors
/// `bad-config` at the field of the OS that is wrong.
pub(crate) fn give(
    config: &OsConfig,
    plan: &Plan,
    levels: [&[TlbArray]; 2],
    system: &mut Os,
    tables: &mut PageTables,
) -> Result<Rc<[TlbRow]>> {
    let paging = &plan.paging;
    config.check_given(paging)?;
    if paging.physical_bits.is_none() && config.given.is_none() {
        return Ok(Rc::from([]));
    }
    let mut memory = Memory::new(paging);
    let mut cached = Vec::new();
    if let Some(given) = &config.given {
        let mut rows = given.rows(paging, memory.bytes(), system)?;
        cached = Entries { plan, levels, memory: memory.bytes() }.resolve(given, &mut rows)?;
        place_tables(given, plan, &rows, &mut memory)?;
        for (row, frame) in rows.iter().filter_map(|row| Some((row, row.frame?))) {
            memory.reserve(frame.start(), paging.size_of(row.leaf).bytes());
        }
        system.give(rows, given.others);
    }
    tables.memory = Some(memory);
    Ok(cached.into())
}

/// Reserves the frames of given tables.
fn place_tables(given: &Given, plan: &Plan, rows: &[Row], memory: &mut Memory) -> Result<()> {
    let paging = &plan.paging;
    let frame = |number: u64, field: &str| {
        frame_of(number, Leaf::SMALLEST, memory.bytes(), paging, field).map(Frame::start)
    };
    let mut places = Vec::new();
    for (at, number) in given.tables.iter().enumerate() {
        let field = format!("given.tables[{at}]");
        let (start, bytes) = (frame(number.0, &field)?, paging.table_bytes());
        if start + bytes > memory.bytes() {
            let message = format!("a table of {bytes} bytes there ends beyond physical memory");
            return Err(Error::config(field, message));
        }
        let meets = |other: u64, size: u64| start < other + size && other < start + bytes;
        let page = rows.iter().find(|row| {
            row.frame.is_some_and(|f| meets(f.start(), paging.size_of(row.leaf).bytes()))
        });
        let table = places.iter().position(|other| meets(*other, bytes));
        let other = match (page, table) {
            (Some(page), _) => page.field.clone(),
            (None, Some(table)) => format!("given.tables[{table}]"),
            (None, None) => {
                places.push(start);
                continue;
            }
        };
        let message =
            format!("a table of {bytes} bytes there meets the frame of {other}: move one");
        return Err(Error::config(field, message));
    }
    let next = given.next_frame.map(|number| frame(number.0, "given.next_frame")).transpose()?;
    for start in &places {
        memory.reserve(*start, paging.table_bytes());
    }
    memory.place(&places, next.unwrap_or_default());
    Ok(())
}

struct Entries<'a> {
    plan: &'a Plan,
    levels: [&'a [TlbArray]; 2],
    memory: u64,
}

impl Entries<'_> {
    /// Resolves the entries of the TLB. An entry whose page no row lists adds a row. The frame of an entry must be that
    /// of its page.
    fn resolve(&self, given: &Given, rows: &mut Vec<Row>) -> Result<Vec<TlbRow>> {
        let simple = self.plan.inclusion == Inclusion::Nine && !self.plan.special_fills;
        if !given.tlb.is_empty() && !simple {
            let message = "given entries need a TLB with inclusion \"nine\", without coalescing, ways_of, caps, tlb_prefetch and victima: leave them out";
            return Err(Error::config("given.tlb", message));
        }
        let mut found: Vec<(TlbRow, usize)> = Vec::new();
        for (number, entry) in given.tlb.iter().enumerate().filter(|(_, entry)| entry.valid) {
            let field = format!("given.tlb[{number}]");
            let (level, array) = self.array(entry, &field)?;
            let leaf = leaf_of(entry.size, &self.plan.paging, &field)?;
            let tlb = &self.levels[level][array];
            if tlb.held_at(leaf) != Some(leaf) {
                let size = self.plan.paging.size_of(leaf);
                let message = format!("`{}` holds no pages of {size}", self.name(level, array));
                return Err(Error::config(format!("{field}.size"), message));
            }
            let page = Self::page(entry, tlb, &field)?;
            let address = address_of(page, leaf, &self.plan.paging, &field)?;
            let row = TlbRow { level, array, number: page, leaf };
            if let Some((_, other)) = found.iter().find(|(other, _)| *other == row) {
                let message = format!("page {page:#x} is also in given.tlb[{other}]: list it once");
                return Err(Error::config(field, message));
            }
            let set = tlb.entries.set_of(page);
            let is_same_set = |other: &&(TlbRow, usize)| {
                (other.0.level, other.0.array) == (level, array)
                    && tlb.entries.set_of(other.0.number) == set
            };
            let ways = tlb.entries.geometry().n_ways as usize;
            if found.iter().filter(is_same_set).count() >= ways {
                let message = format!("set {set} has {ways} ways, and all are given already");
                return Err(Error::config(field, message));
            }
            self.join(entry, (address, leaf), &field, rows)?;
            found.push((row, number));
        }
        Ok(found.into_iter().map(|(row, _)| row).collect())
    }

    fn name(&self, level: usize, array: usize) -> &str {
        let config = &self.plan.config;
        &[&config.l1, &config.l2][level][array].name
    }

    /// Returns the level and the number of the array of an entry.
    fn array(&self, entry: &GivenEntry, field: &str) -> Result<(usize, usize)> {
        let Some(name) = &entry.array else { return Ok((0, 0)) };
        let config = &self.plan.config;
        let lists = [&config.l1, &config.l2].into_iter().enumerate();
        let mut all = lists.flat_map(|(level, list)| (0..list.len()).map(move |at| (level, at)));
        all.find(|(level, at)| self.name(*level, *at) == name).ok_or_else(|| {
            let arrays = config.l1.iter().chain(&config.l2);
            let known: Vec<&str> = arrays.map(|array| array.name.as_str()).collect();
            let message = format!("there is no array `{name}`: the TLB has {}", known.join(", "));
            Error::config(format!("{field}.array"), message)
        })
    }

    /// Returns the number of the page that an entry translates.
    fn page(entry: &GivenEntry, tlb: &TlbArray, field: &str) -> Result<u64> {
        let wrong =
            |name: &str, message: String| Err(Error::config(format!("{field}.{name}"), message));
        let n_sets = u64::from(tlb.entries.geometry().n_sets);
        let set = match (entry.set, n_sets) {
            (Some(set), _) if set.0 >= n_sets => {
                let message = format!("{set} is no set: there are {n_sets:#x}");
                return wrong("set", message);
            }
            (Some(set), _) => Some(set.0),
            (None, 1) => Some(0),
            (None, _) => None,
        };
        let from_tag = match (entry.tag, set) {
            (Some(tag), Some(set)) => {
                if tlb.entries.is_masked() {
                    let message =
                        "masks choose the set, so tag and set do not name a page: give page";
                    return wrong("tag", message.to_owned());
                }
                let number = tag.0.checked_mul(n_sets).and_then(|high| high.checked_add(set));
                let Some(number) = number else {
                    return wrong("tag", format!("{tag} is too large for a tag"));
                };
                // The index may fold bits of the tag into the set, which the same fold takes out again.
                let page = (tag.0 * n_sets) | tlb.entries.set_of(number) as u64;
                Some(page)
            }
            (Some(_), None) => {
                return wrong("set", "a tag needs the set of the entry: give it".to_owned());
            }
            (None, _) => None,
        };
        match (entry.page, from_tag) {
            (Some(page), Some(number)) if page.0 != number => {
                wrong("page", format!("{page} has another set or tag: leave one of them out"))
            }
            (Some(page), None)
                if entry.set.is_some() && Some(tlb.entries.set_of(page.0) as u64) != set =>
            {
                let is = tlb.entries.set_of(page.0);
                wrong("set", format!("page {page} belongs to set {is:#x}: leave one of them out"))
            }
            (Some(page), _) => Ok(page.0),
            (None, Some(number)) => Ok(number),
            (None, None) => wrong("page", "which page? Give page, or set and tag".to_owned()),
        }
    }

    /// Joins the frame of an entry with the row of its page.
    fn join(
        &self,
        entry: &GivenEntry,
        (address, leaf): (u64, Leaf),
        field: &str,
        rows: &mut Vec<Row>,
    ) -> Result<()> {
        let paging = &self.plan.paging;
        let at = format!("{field}.frame");
        let frame = entry.frame.map(|frame| frame_of(frame.0, leaf, self.memory, paging, &at));
        let frame = frame.transpose()?;
        let Some(row) = rows.iter_mut().find(|row| row.address == address) else {
            rows.push(Row::of_entry(address, leaf, frame, field.to_owned()));
            return Ok(());
        };
        let page = address >> paging.shift(leaf);
        if !row.valid {
            let message = format!(
                "page {page:#x} is in the TLB here and not valid in {}: change one of them",
                row.field
            );
            return Err(Error::config(field, message));
        }
        let number = |frame: Frame| frame.start() >> paging.shift(leaf);
        match (frame, row.frame) {
            (Some(own), Some(other)) if own != other => {
                let message = format!(
                    "page {page:#x} has frame {:#x} here and frame {:#x} in {}: make them equal",
                    number(own),
                    number(other),
                    row.field
                );
                return Err(Error::config(at, message));
            }
            (own, None) => row.frame = own,
            _ => {}
        }
        row.cached = true;
        Ok(())
    }
}

impl Machine {
    /// Fills the TLB with its given entries, when the first process runs.
    #[inline(never)]
    pub(crate) fn fill_given(&mut self) {
        let rows = std::mem::replace(&mut self.given, Rc::from([]));
        for TlbRow { level, array, number, leaf } in rows.iter().copied() {
            let key = Key::new(number, self.page_class[leaf]);
            let arrays = if level == 0 { &mut self.structures.l1 } else { &mut self.structures.l2 };
            arrays[array].entries.fill(key, 0, 0);
        }
    }
}
