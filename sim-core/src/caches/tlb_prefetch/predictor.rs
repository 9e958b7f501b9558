//! Predicts the pages that a core accesses next.
//!
//! ```text
//! next-page   page 0x7, lines … 62 63 ──────────────▶ page 0x8
//! stride      instruction 0x401000 missed 0x10, 0x14, 0x18 ─▶ 0x1c
//! distance    misses 0x10 +1 0x11 +5 0x16 +1 0x17 ──▶ after +1 came +5: 0x1c
//! ```
//!
//! `stride` is the reference prediction table of Baer and Chen (1991) on the misses of the TLB. `distance` is that of
//! Kandiraju and Sivasubramaniam (ISCA 2002): a row for each distance, with the distances that came after it.

use super::{PrefetchMethod, TlbPrefetchConfig};

/// log2 of the bytes of a line.
const LINE_BITS: u32 = 6;

/// The state of a prefetcher on one core.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Predictor {
    table: Table,
    n_rows: usize,
    n_distances: usize,
}

/// Rows in the order of their use, the latest one last.
#[derive(Clone, Debug, PartialEq)]
enum Table {
    /// For each page, by its first address: the line that was accessed last.
    NextPage(Vec<(u64, u64)>),
    /// By instruction.
    Stride(Vec<(u64, Misses)>),
    /// By distance: the distances that followed it, the latest one last.
    Distance { rows: Vec<(i64, Vec<i64>)>, last: Option<u64>, distance: Option<i64> },
}

/// The last misses of one instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Misses {
    page: u64,
    stride: Option<i64>,
}

/// What a core did: one access, or one miss of level 2. `page` is the first address of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seen {
    Access { page: u64, page_bits: u32, address: u64 },
    Miss { page: u64, ip: Option<u64> },
}

impl Predictor {
    pub(crate) fn new(config: &TlbPrefetchConfig) -> Self {
        let table = match config.method {
            PrefetchMethod::NextPage => Table::NextPage(Vec::new()),
            PrefetchMethod::Stride => Table::Stride(Vec::new()),
            PrefetchMethod::Distance => {
                Table::Distance { rows: Vec::new(), last: None, distance: None }
            }
        };
        let (n_rows, n_distances) = config.table();
        Self { table, n_rows, n_distances }
    }

    /// Returns whether the predictor needs the instruction of a miss.
    pub(crate) fn needs_ip(&self) -> bool {
        matches!(self.table, Table::Stride(_))
    }

    /// Learns from an access or a miss. Returns an address in each page to prefetch, the likeliest first.
    pub(crate) fn learn(&mut self, seen: Seen) -> Vec<u64> {
        let n_rows = self.n_rows;
        match (&mut self.table, seen) {
            (Table::NextPage(rows), Seen::Access { page, page_bits, address }) => {
                let (line, n_lines) = ((address - page) >> LINE_BITS, 1 << (page_bits - LINE_BITS));
                let (before, is_new) = used(rows, page, n_rows, || line);
                let from = if is_new { line } else { std::mem::replace(before, line) };
                let neighbour = if line == n_lines - 1 && from + 1 == line {
                    page.checked_add(1 << page_bits)
                } else if line == 0 && from == 1 {
                    page.checked_sub(1 << page_bits)
                } else {
                    None
                };
                Vec::from_iter(neighbour)
            }
            (Table::Stride(rows), Seen::Miss { page, ip: Some(ip) }) => {
                let (row, is_new) = used(rows, ip, n_rows, || Misses { page, stride: None });
                if is_new {
                    return Vec::new();
                }
                let stride = distance(row.page, page);
                let is_steady = row.stride == Some(stride) && stride != 0;
                *row = Misses { page, stride: Some(stride) };
                Vec::from_iter(page.checked_add_signed(stride).filter(|_| is_steady))
            }
            (Table::Distance { rows, last, distance: before }, Seen::Miss { page, .. }) => {
                let Some(last) = last.replace(page) else { return Vec::new() };
                let now = distance(last, page);
                let (follow, _) = used(rows, now, n_rows, Vec::new);
                let predicted = follow.iter().rev();
                let pages = predicted.filter_map(|step| page.checked_add_signed(*step)).collect();
                if let Some(before) = before.replace(now)
                    && let Some((_, follow)) = rows.iter_mut().find(|(key, _)| *key == before)
                {
                    follow.retain(|known| *known != now);
                    follow.push(now);
                    if follow.len() > self.n_distances {
                        follow.remove(0);
                    }
                }
                pages
            }
            _ => Vec::new(),
        }
    }
}

/// Returns the bytes from one page to another. Both are addresses below 2^64, so the difference may wrap.
fn distance(from: u64, to: u64) -> i64 {
    to.wrapping_sub(from).cast_signed()
}

/// Makes the row of a key the latest one, and returns it and whether it is new. The least recently used of `n_rows`
/// rows makes room.
fn used<K: PartialEq, V>(
    rows: &mut Vec<(K, V)>,
    key: K,
    n_rows: usize,
    new: impl FnOnce() -> V,
) -> (&mut V, bool) {
    let found = rows.iter().position(|(known, _)| *known == key);
    let row = if let Some(at) = found {
        rows.remove(at)
    } else {
        if rows.len() == n_rows {
            rows.remove(0);
        }
        (key, new())
    };
    rows.push(row);
    let (_, row) = rows.last_mut().expect("a row was added");
    (row, found.is_none())
}
