//! The distinct instruction pointers of a trace.

use std::collections::BTreeMap;

use pagewalk_base::trace::Trace;

const PAGE_BITS: u32 = 12;
const WORDS: usize = (1 << PAGE_BITS) / 64;

/// A set of addresses: a bit for each byte of the pages that have one.
#[derive(Default)]
struct Set {
    numbers: BTreeMap<u64, usize>,
    pages: Vec<[u64; WORDS]>,
    /// The page of the last address, and its number.
    last: Option<(u64, usize)>,
}

impl Set {
    fn insert(&mut self, address: u64) {
        let page = address >> PAGE_BITS;
        let number = match self.last {
            Some((last, number)) if last == page => number,
            _ => *self.numbers.entry(page).or_insert_with(|| {
                self.pages.push([0; WORDS]);
                self.pages.len() - 1
            }),
        };
        self.last = Some((page, number));
        let byte = usize::try_from(address % (1 << PAGE_BITS)).unwrap_or(0);
        self.pages[number][byte / 64] |= 1 << (byte % 64);
    }

    fn iter(&self) -> impl Iterator<Item = u64> {
        self.numbers.iter().flat_map(|(page, number)| {
            let has = |byte: &u64| {
                let byte = usize::try_from(*byte).unwrap_or(0);
                self.pages[*number][byte / 64] & 1 << (byte % 64) != 0
            };
            (0..1 << PAGE_BITS).filter(has).map(move |byte| page << PAGE_BITS | byte)
        })
    }
}

/// Returns the addresses of all instructions, in order: of those that are fetched, of those that access data, and of those in
/// call paths.
pub(super) fn instructions(trace: &Trace) -> Vec<u64> {
    let mut set = Set::default();
    for access in trace.chunks().iter().flat_map(pagewalk_base::trace::Chunk::accesses) {
        if access.kind.is_fetch() {
            set.insert(access.address);
        }
        if let Some(ip) = access.ip {
            set.insert(ip);
        }
    }
    let tree = trace.call_tree();
    let nodes = 1..=u32::try_from(tree.len()).unwrap_or(0);
    for ip in nodes.map(|node| tree.frame(node).ip).filter(|ip| *ip > 0) {
        set.insert(ip);
    }
    set.iter().collect()
}
