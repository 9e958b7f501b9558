//! The address space as segments, each mapped in one way.

use super::policy::PagePolicy;
use pagewalk_base::addr::{Leaf, Paging};
use pagewalk_base::trace::RegionKind;

/// A range of virtual addresses that is mapped in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) start: u64,
    pub(crate) last: u64,
    /// The leaf of the segment's pages: the level of one entry, or a group of entries.
    pub(crate) leaf: Leaf,
    /// Whether each block of a huge page's size is mapped separately: with one page of `leaf`, or with small pages.
    pub(crate) by_block: bool,
    /// The number of the segment's area. The segments of a region share one area; segments outside all regions have
    /// 0.
    pub(crate) area: u32,
}

/// The source of a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum RegionSource {
    /// The configuration lists it.
    #[default]
    Config,
    /// The trace has a record of it.
    Trace,
    /// It was inferred from the pages that the trace touches.
    Inferred,
}

/// The part of a region that all its segments share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) start: u64,
    /// The first address after the region.
    pub(crate) end: u64,
    pub(crate) kind: Option<RegionKind>,
    /// The policy of the region.
    pub(crate) pages: PagePolicy,
    pub(crate) source: RegionSource,
    pub(crate) name: String,
    pub(crate) pretouch: bool,
    pub(crate) copy_on_write: bool,
    pub(crate) resident: bool,
    /// The reason why the region does not get the huge pages of its policy.
    pub(crate) note: Option<&'static str>,
}

impl Area {
    pub(super) fn new(start: u64, end: u64, pages: PagePolicy, source: RegionSource) -> Self {
        Self {
            start,
            end,
            kind: None,
            pages,
            source,
            name: String::new(),
            pretouch: false,
            copy_on_write: false,
            resident: true,
            note: None,
        }
    }
}

/// The memory map of one process: segments by rising address without gaps, and their areas.
#[derive(Debug, PartialEq)]
pub(crate) struct AreaMap {
    segments: Vec<Segment>,
    /// The segments, with neighbours joined if they get the same pages, whatever their areas are.
    joined: Vec<Segment>,
    areas: Vec<Area>,
    /// The last address.
    top: u64,
}

impl AreaMap {
    /// Makes a map without segments. `outside` is the area outside all regions, and `top` the last address.
    pub(super) fn new(outside: Area, top: u64) -> Self {
        Self { segments: Vec::new(), joined: Vec::new(), areas: vec![outside], top }
    }

    /// Returns the segment that holds `address`.
    pub(super) fn segment(&self, address: u64) -> Segment {
        segment_at(&self.segments, address)
    }

    /// Returns the pages that `address` gets, with the range of addresses that get the same pages. The area is not
    /// set.
    pub(super) fn pages(&self, address: u64) -> Segment {
        segment_at(&self.joined, address)
    }

    /// Completes the map, after all segments are added.
    #[must_use]
    pub(super) fn finish(mut self) -> Self {
        for segment in &self.segments {
            match self.joined.last_mut() {
                Some(last) if (last.leaf, last.by_block) == (segment.leaf, segment.by_block) => {
                    last.last = segment.last;
                }
                _ => self.joined.push(*segment),
            }
        }
        self
    }

    /// Returns the area of a segment.
    pub(crate) fn area(&self, segment: &Segment) -> &Area {
        &self.areas[segment.area as usize]
    }

    /// Returns the areas; the first is the area outside all regions.
    pub(crate) fn areas(&self) -> &[Area] {
        &self.areas
    }

    pub(super) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    pub(super) fn add_area(&mut self, area: Area) -> u32 {
        self.areas.push(area);
        u32::try_from(self.areas.len() - 1).expect("a file of regions is shorter")
    }

    pub(super) fn note(&mut self, area: u32, note: &'static str) {
        self.areas[area as usize].note = Some(note);
    }

    /// Adds `start..end` with pages of `leaf` where a whole page fits, and with the next smaller pages at the edges.
    pub(super) fn add_sized(
        &mut self,
        start: u64,
        end: u64,
        leaf: Leaf,
        area: u32,
        paging: &Paging,
    ) {
        match paging.smaller(leaf) {
            None => self.add(start, end, leaf, false, area),
            Some(smaller) => match inside(start, end, paging.shift(leaf)) {
                None => self.add_sized(start, end, smaller, area, paging),
                Some((bottom, top)) => {
                    self.add_sized(start, bottom, smaller, area, paging);
                    self.add(bottom, top, leaf, false, area);
                    self.add_sized(top, end, smaller, area, paging);
                }
            },
        }
    }

    /// Adds `start..end` with pages of `large` where a whole page fits, and with the smallest pages at the edges.
    /// With `by_block`, the system may use a large page, but need not.
    pub(super) fn huge(
        &mut self,
        (start, end): (u64, u64),
        (large, shift): (Leaf, u32),
        by_block: bool,
        area: u32,
    ) {
        let (bottom, top) = inside(start, end, shift).unwrap_or((end, end));
        self.add(start, bottom, Leaf::SMALLEST, false, area);
        self.add(bottom, top, large, by_block, area);
        self.add(top, end, Leaf::SMALLEST, false, area);
    }

    /// Adds `start..end`, unless it is empty. Segments must come in order.
    pub(super) fn add(&mut self, start: u64, end: u64, leaf: Leaf, by_block: bool, area: u32) {
        if start >= end {
            return;
        }
        // Bits above the bits that translation reads do not matter: the last segment has no end.
        let last = if end > self.top { u64::MAX } else { end - 1 };
        match self.segments.last_mut() {
            Some(before)
                if (before.leaf, before.by_block, before.area) == (leaf, by_block, area) =>
            {
                before.last = last;
            }
            _ => self.segments.push(Segment { start, last, leaf, by_block, area }),
        }
    }

    /// Assigns the parts of `start..end` outside all regions to an area, without changing their pages.
    pub(super) fn mark(&mut self, start: u64, end: u64, area: u32) {
        let mut cut = Vec::with_capacity(self.segments.len() + 2);
        for segment in &self.segments {
            if segment.area != 0 || segment.last < start || segment.start >= end {
                cut.push(*segment);
                continue;
            }
            let (first, last) = (segment.start.max(start), segment.last.min(end - 1));
            if segment.start < first {
                cut.push(Segment { last: first - 1, ..*segment });
            }
            cut.push(Segment { start: first, last, area, ..*segment });
            if last < segment.last {
                cut.push(Segment { start: last + 1, ..*segment });
            }
        }
        self.segments = cut;
    }
}

fn segment_at(segments: &[Segment], address: u64) -> Segment {
    let after = segments.partition_point(|segment| segment.start <= address);
    segments[after - 1]
}

/// Returns the part of `start..end` that whole blocks of `2^shift` bytes fill, if there is one.
pub(super) fn inside(start: u64, end: u64, shift: u32) -> Option<(u64, u64)> {
    let bottom = start.checked_next_multiple_of(1 << shift)?;
    let top = end >> shift << shift;
    (bottom < top).then_some((bottom, top))
}
