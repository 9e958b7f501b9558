//! The naive twin of the layout of an address space. It cuts the space, interval by interval, into pieces that are
//! mapped by one rule.

use std::collections::{BTreeMap, BTreeSet};

use pagewalk::os::{Advice, KnownRegion, MapSource, MemoryMap, OsConfig, PagePolicy, ThpEnabled};
use pagewalk_base::trace::RegionKind;

pub(super) const HUGE: u32 = 21;
const TOP: u64 = 1 << 48;

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Way {
    /// The largest page that fits, up to this size.
    Sizes(u32),
    Small,
    Huge,
    /// The size is decided for each block at its first touch.
    Open,
    Code,
}

#[derive(Clone)]
pub(super) struct Piece {
    pub(super) start: u64,
    pub(super) end: u64,
    /// The range that pages must fit into.
    fit: (u64, u64),
    pub(super) kind: Option<RegionKind>,
    pub(super) policy: PagePolicy,
    pub(super) way: Way,
    pub(super) config: Option<usize>,
    file_at: Option<u64>,
    is_gap: bool,
}

#[derive(Clone)]
pub(super) struct Layout {
    pub(super) pieces: Vec<Piece>,
    pub(super) code: BTreeSet<u64>,
}

impl Layout {
    pub(super) fn new(os: &OsConfig, known: &MemoryMap<'_>, pid: u32) -> Self {
        let known_regions = regions_of(os, known, pid);
        let is_fixed = matches!(os.default, PagePolicy::Fixed(_));
        let mut pieces = cut(os, &known_regions);
        if is_fixed {
            // Known regions only name the contents of memory; they do not limit pages.
            let fits = cut(os, &[]);
            for piece in &mut pieces {
                let around = fits.iter().find(|f| f.start <= piece.start && piece.end <= f.end);
                piece.fit = around.unwrap().fit;
            }
        }
        let code = code_blocks(os, known, &pieces);
        pad(&mut pieces, &code);
        Self { pieces, code }
    }

    pub(super) fn piece(&self, va: u64) -> &Piece {
        self.pieces.iter().find(|p| p.start <= va && va < p.end).unwrap()
    }

    /// Returns whether the whole block of `2^shift` bytes around `va` is in its piece.
    pub(super) fn fits(&self, va: u64, shift: u32) -> bool {
        let (start, end) = self.piece(va).fit;
        let first = va >> shift << shift;
        start <= first && first + (1 << shift) <= end
    }
}

/// Returns the known regions of a process, without those of the configuration.
fn regions_of(os: &OsConfig, known: &MemoryMap<'_>, pid: u32) -> Vec<KnownRegion> {
    if matches!(os.map, MapSource::Trace | MapSource::Recorded) && !known.mappings.is_empty() {
        return recorded(known, pid);
    }
    if os.map == MapSource::None || !os.needs_map() {
        return Vec::new();
    }
    let grow = match os.default {
        PagePolicy::Fixed(_) => return known.inferred.clone(),
        PagePolicy::Hugetlb(size) => size.shift(),
        _ => HUGE,
    };
    let mut grown: Vec<KnownRegion> = Vec::new();
    for (at, region) in known.inferred.iter().enumerate() {
        let mut region = region.clone();
        region.start = region.start >> grow << grow;
        if let Some(before) = grown.last() {
            region.start = region.start.max(before.end);
        }
        region.end = region.end.next_multiple_of(1 << grow);
        if let Some(next) = known.inferred.get(at + 1) {
            region.end = region.end.min(next.start);
        }
        grown.push(region);
    }
    if os.default != PagePolicy::Hugetext {
        return grown;
    }
    // For each block: whether every used page is fetched from, or is never read or written.
    let mut blocks: BTreeMap<u64, bool> = BTreeMap::new();
    for page in known.pages.iter() {
        *blocks.entry(page.page.0 >> 9).or_insert(true) &= page.fetches > 0 || page.data == 0;
    }
    let code: BTreeSet<u64> = blocks.iter().filter(|(_, only)| **only).map(|(b, _)| *b).collect();
    let mut all = Vec::new();
    for region in grown {
        // The parts between the blocks of code become separate regions.
        let mut at = region.start;
        while at < region.end {
            let next = ((at >> HUGE) + 1) << HUGE;
            let end = next.min(region.end);
            if !code.contains(&(at >> HUGE)) {
                match all.last_mut() {
                    Some(KnownRegion { end: last, kind, only_code: false, .. })
                        if *last == at && *kind == region.kind && at != region.start =>
                    {
                        *last = end;
                    }
                    _ => all.push(KnownRegion { start: at, end, ..region.clone() }),
                }
            }
            at = end;
        }
    }
    for block in code {
        let start = block << HUGE;
        let whole = KnownRegion {
            start,
            end: start + (1 << HUGE),
            kind: RegionKind::Text,
            offset: None,
            name: String::new(),
            inferred: true,
            only_code: true,
        };
        match all.iter_mut().find(|r| r.only_code && r.end == start) {
            Some(before) => before.end = whole.end,
            None => all.push(whole),
        }
    }
    all
}

/// Returns the regions from records. The last record that covers an address counts. Neighbours of one file or
/// one kind are joined.
fn recorded(known: &MemoryMap<'_>, pid: u32) -> Vec<KnownRegion> {
    let own: Vec<_> = known.mappings.iter().filter(|m| m.pid == pid).collect();
    let cuts: BTreeSet<u64> = own.iter().flat_map(|m| [m.start, m.end]).collect();
    let cuts: Vec<u64> = cuts.into_iter().collect();
    let mut regions: Vec<KnownRegion> = Vec::new();
    for pair in cuts.windows(2) {
        let Some(m) = own.iter().rev().find(|m| m.start <= pair[0] && pair[1] <= m.end) else {
            continue;
        };
        let offset = m.offset + (pair[0] - m.start);
        if let Some(last) = regions.last_mut() {
            let goes_on = last.offset.unwrap() + (last.end - last.start) == offset;
            let alike = last.kind == m.kind && last.name == m.name;
            if last.end == pair[0] && alike && (goes_on || !m.kind.is_backed()) {
                last.end = pair[1];
                continue;
            }
        }
        regions.push(KnownRegion {
            start: pair[0],
            end: pair[1],
            kind: m.kind,
            offset: Some(offset),
            name: m.name.clone(),
            inferred: false,
            only_code: false,
        });
    }
    regions
}

/// Cuts the address space into pieces. An address belongs to a region of the configuration, otherwise to a known
/// region, otherwise to a gap.
fn cut(os: &OsConfig, known: &[KnownRegion]) -> Vec<Piece> {
    let mut cuts: BTreeSet<u64> = BTreeSet::from([0, TOP]);
    cuts.extend(os.regions.iter().flat_map(|r| [r.start.0, r.end.0]));
    cuts.extend(known.iter().flat_map(|r| [r.start, r.end]));
    let cuts: Vec<u64> = cuts.into_iter().collect();
    type Who = (Option<usize>, Option<usize>);
    let mut pieces: Vec<(Piece, Who)> = Vec::new();
    for pair in cuts.windows(2) {
        let (start, end) = (pair[0], pair[1]);
        let config = os.regions.iter().position(|r| r.start.0 <= start && end <= r.end.0);
        let known_at = known.iter().position(|r| r.start <= start && end <= r.end);
        let who = (config, known_at.filter(|_| config.is_none()));
        if let Some((last, same)) = pieces.last_mut()
            && *same == who
        {
            last.end = end;
            last.fit.1 = end;
            continue;
        }
        let piece = match who {
            (Some(at), _) => {
                let region = &os.regions[at];
                Piece {
                    start,
                    end,
                    fit: (start, end),
                    kind: region.kind,
                    policy: region.pages,
                    way: way(os, region.pages, region.advice),
                    config: Some(at),
                    file_at: region.offset.map(|offset| start.wrapping_sub(offset.0)),
                    is_gap: false,
                }
            }
            (None, Some(at)) => {
                let region = &known[at];
                let policy = if applies(os, region) {
                    os.default
                } else {
                    PagePolicy::Fixed(pagewalk_base::addr::PageSize::K4)
                };
                let offset = region.offset.map(|offset| offset + (start - region.start));
                let offset = offset.filter(|_| region.kind.is_backed());
                Piece {
                    start,
                    end,
                    fit: (start, end),
                    kind: Some(region.kind),
                    policy,
                    way: way(os, policy, None),
                    config: None,
                    file_at: offset.map(|offset| start.wrapping_sub(offset)),
                    is_gap: false,
                }
            }
            (None, None) => {
                let way = match way(os, os.default, None) {
                    Way::Code => Way::Small,
                    way => way,
                };
                Piece {
                    start,
                    end,
                    fit: (start, end),
                    kind: None,
                    policy: os.default,
                    way,
                    config: None,
                    file_at: None,
                    is_gap: true,
                }
            }
        };
        pieces.push((piece, who));
    }
    pieces.into_iter().map(|(piece, _)| piece).collect()
}

/// Returns whether the default policy applies to the contents of a known region.
fn applies(os: &OsConfig, region: &KnownRegion) -> bool {
    use RegionKind::*;
    match (os.default, region.kind) {
        (PagePolicy::Fixed(_), _) => true,
        (PagePolicy::Thp, kind) => matches!(kind, Heap | Stack | Anonymous | Jit),
        (PagePolicy::Hugetlb(_), kind) => matches!(kind, Heap | Anonymous | Shared | Jit),
        (PagePolicy::Hugetext, _) if region.inferred && !region.only_code => false,
        (PagePolicy::Hugetext, Text | Library) => matches!(os.hugetext.enabled, 1 | 3),
        (PagePolicy::Hugetext, Jit) => matches!(os.hugetext.enabled, 2 | 3),
        (PagePolicy::Hugetext, _) => false,
    }
}

fn way(os: &OsConfig, policy: PagePolicy, advice: Option<Advice>) -> Way {
    let thp = &os.thp;
    match policy {
        PagePolicy::Fixed(size) | PagePolicy::Hugetlb(size) => Way::Sizes(size.shift()),
        PagePolicy::Hugetext => Way::Code,
        PagePolicy::Thp => {
            let allowed = match thp.enabled {
                ThpEnabled::Always => advice != Some(Advice::Nohugepage),
                ThpEnabled::Madvise => advice == Some(Advice::Hugepage),
                ThpEnabled::Never => false,
            };
            match (allowed, thp.at_fault, thp.fragmentation) {
                (false, _, _) => Way::Small,
                (true, true, 0) => Way::Huge,
                (true, true, _) => Way::Open,
                (true, false, _) if thp.khugepaged.is_some() => Way::Open,
                (true, false, _) => Way::Small,
            }
        }
    }
}

/// Returns the blocks of code that get huge pages.
fn code_blocks(os: &OsConfig, known: &MemoryMap<'_>, pieces: &[Piece]) -> BTreeSet<u64> {
    let size = 1 << HUGE;
    let mut blocks = BTreeSet::new();
    for (at, piece) in pieces.iter().enumerate().filter(|(_, p)| p.way == Way::Code) {
        if piece.file_at.is_some_and(|file| file % size != 0) {
            continue;
        }
        let mut block = piece.start.div_ceil(size);
        while (block + 1) * size <= piece.end {
            blocks.insert(block);
            block += 1;
        }
        // The last block is only partly in the region.
        let last = piece.end / size;
        let tail = piece.end % size;
        let threshold = os.hugetext.pad_threshold;
        let next = pieces[at + 1..].iter().find(|p| !p.is_gap).map_or(TOP, |p| p.start);
        if threshold > 0
            && tail > threshold
            && last * size >= piece.start
            && (last + 1) * size <= next
            && piece.kind != Some(RegionKind::Jit)
        {
            blocks.insert(last);
        }
    }
    if let Some(max) = os.hugetext.max.filter(|_| os.hugetext.adaptive.is_none()) {
        let heat = |block: u64| -> u64 {
            let pages = known.pages.iter().filter(|p| p.page.0 >> 9 == block);
            pages.map(|p| u64::from(p.fetches)).sum()
        };
        let mut hottest: Vec<u64> = blocks.iter().copied().collect();
        hottest.sort_by_key(|block| (std::cmp::Reverse(heat(*block)), *block));
        blocks = hottest.into_iter().take(max as usize).collect();
    }
    blocks
}

/// Extends regions by their padded tails.
fn pad(pieces: &mut [Piece], code: &BTreeSet<u64>) {
    for at in 0..pieces.len() {
        let end = pieces[at].end;
        let is_padded = !end.is_multiple_of(1 << HUGE) && code.contains(&(end >> HUGE));
        if pieces[at].way != Way::Code || !is_padded || pieces[at].start >> HUGE > end >> HUGE {
            continue;
        }
        let last = end >> HUGE << HUGE;
        if last < pieces[at].start {
            continue;
        }
        let end = last + (1 << HUGE);
        let old = std::mem::replace(&mut pieces[at].end, end);
        for next in pieces[at + 1..].iter_mut().filter(|next| next.start < end) {
            assert!(next.is_gap);
            next.start = end;
        }
        pieces[at + 1..].iter_mut().filter(|p| p.fit.0 == old).for_each(|p| p.fit.0 = end);
    }
}
