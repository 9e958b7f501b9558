//! fork(2): a child process shares the memory of its parent, and the first store to a page copies it.
//!
//! ```text
//!             parent ─┐                 parent ─▶ frame      store by the child:
//!   before            ├─▶ frame   after                      the page is copied, and the last
//!             child  ─┘                 child ──▶ copy       owner keeps the frame
//! ```
//! This follows Linux (mm/memory.c, `copy_page_range`). Entries of anonymous memory and of private copy-on-write
//! mappings are copied, and both sides lose the right to write. Entries of files and of shared memory are not
//! copied: the child's first touch finds the page in memory. The child has its parent's memory map, even if the
//! trace records another one.

use super::areas::Area;
use super::blocks::{BlockId, State};
use super::check::HUGE;
use super::policy::PagePolicy;
use super::{Os, Shootdown};
use crate::page_table::{Frame, PageTables};
use pagewalk_base::addr::Leaf;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::sorted::sort_by_numbers;
use pagewalk_base::trace::RegionKind;

/// A process and the number of its page tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    pub(crate) space: u32,
}

/// A page in the middle of a copy: its mapping is gone, and the next walk maps the copy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Copying {
    pub(super) start: u64,
    pub(super) last: u64,
    /// The frame, if no other process maps it: then the process keeps it.
    pub(super) kept: Option<Frame>,
}

impl Copying {
    pub(super) fn covers(&self, address: u64) -> bool {
        (self.start..=self.last).contains(&address)
    }
}

/// A frame that a page has in memory already.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known {
    /// The last owner of the frame keeps it.
    Kept(Frame),
    /// A parent or child has mapped the same page of a file or of shared memory.
    Relatives(Frame),
}

/// The result of a store to a shared page.
#[derive(Clone, Debug)]
pub(crate) struct Unshared {
    pub(crate) gone: Shootdown,
    /// The last owner keeps the frame.
    pub(crate) is_kept: bool,
    /// Whether all cores need a shootdown. They need none if the page only becomes writable again.
    pub(crate) needs_shootdown: bool,
}

impl Area {
    /// Returns whether a fork leaves out the pages of the area, so that the child finds them in memory at first
    /// touch.
    fn is_left_to_children(&self) -> bool {
        self.kind.is_some_and(RegionKind::is_backed) && !self.copy_on_write
    }
}

impl Os {
    /// Forks the current process. Returns the pages that became read-only in both processes: first address and leaf.
    ///
    /// # Errors
    /// `bad-trace` if the child already has pages; `too-large` if memory is used up.
    pub(crate) fn fork(
        &mut self,
        tables: &mut PageTables,
        parent: Process,
        child: Process,
    ) -> Result<Vec<(u64, Leaf)>> {
        tables.root(child.space, 0)?;
        if !tables.entries_in(child.space, 0, u64::MAX).is_empty() || parent.space == child.space {
            let message =
                format!("process {} already has pages: give the child a new number", child.pid);
            return Err(Error::new(ErrorCode::BadTrace, message));
        }
        self.inherit(parent, child);
        let mut changed = Vec::new();
        for (address, leaf) in tables.pages(parent.space) {
            let (Some((table, index)), false) = (
                tables.leaf(parent.space, address, leaf),
                self.area_of(address).is_left_to_children(),
            ) else {
                continue;
            };
            if !tables.is_shared(table, index) {
                tables.share(parent.space, address, leaf);
                changed.push((address, leaf));
            }
            if let Some(frame) = tables.frame_of(parent.space, address, leaf) {
                self.owners.join(frame, self.paging.size_of(leaf).bytes());
            }
            tables.copy_page((parent.space, child.space), address, leaf)?;
            self.n_mapped[leaf] += 1;
        }
        self.checks_rights = true;
        self.clear_recent();
        Ok(changed)
    }

    /// Copies the parent's memory map and block states to the child.
    fn inherit(&mut self, parent: Process, child: Process) {
        self.heirs.retain(|(pid, _)| *pid != child.pid);
        self.heirs.push((child.pid, self.map_of(parent.pid)));
        self.blocks.copy(parent.space, child.space);
        self.inherit_text(parent.space, child.space);
        self.inherit_rights(parent.space, child.space);
        match self.families.iter_mut().find(|family| family.contains(&parent.space)) {
            Some(family) => family.push(child.space),
            None => self.families.push(vec![parent.space, child.space]),
        }
    }

    /// Returns the frame of a page that is about to be mapped, if the page is already in memory.
    #[inline(never)]
    pub(super) fn known_frame(
        &self,
        tables: &PageTables,
        space: u32,
        address: u64,
        leaf: Leaf,
    ) -> Option<Known> {
        if let Some(copy) = self.copied.iter().find(|copy| copy.covers(address)) {
            return copy.kept.map(Known::Kept);
        }
        let family = self.families.iter().find(|family| family.contains(&space))?;
        if !self.area_of(self.page_around(address, leaf).0).is_left_to_children() {
            return None;
        }
        let mut relatives = family.iter().filter(|relative| **relative != space);
        let frame = relatives.find_map(|relative| {
            let same = tables.leaf_of(*relative, address) == Some(leaf);
            same.then(|| tables.frame_of(*relative, address, leaf)).flatten()
        });
        frame.map(Known::Relatives)
    }

    /// Returns whether `address` lies in a transparent huge page that others own and that this process has not
    /// touched yet. It is split as if it were mapped, because fork(2) has mapped it for both.
    pub(crate) fn shares_huge_page(&self, tables: &PageTables, space: u32, address: u64) -> bool {
        let area = self.area_of(address);
        let id = BlockId { space, number: address >> self.block_shift };
        area.copy_on_write
            && area.resident
            && area.pages == PagePolicy::Thp
            && self.current().pages(address).leaf == HUGE
            && self.blocks.state(id) != State::Small
            && !self.collapsed.contains_key(&id)
            && tables.leaf_of_any_rights(space, address, HUGE).is_none()
            && !self.copied.iter().any(|copy| copy.covers(address))
    }

    /// Maps the shared huge page of `address`, if its block gets one.
    fn map_shared(&mut self, tables: &mut PageTables, space: u32, address: u64) -> Result<()> {
        if self.leaf_of(space, address, true) == HUGE {
            self.map(tables, space, address, HUGE)?;
            self.share_if_copied(tables, space, address, HUGE);
        }
        Ok(())
    }

    /// Unmaps a shared page that is about to be written. The walk that follows maps a copy, or the same frame if no
    /// other process maps it. A transparent huge page is split first, and one small page of it is copied, as
    /// Linux does since 5.8.
    ///
    /// # Errors
    /// `too-large` if memory is used up.
    pub(crate) fn unshare(
        &mut self,
        tables: &mut PageTables,
        space: u32,
        address: u64,
    ) -> Result<Unshared> {
        let was_mapped = !self.shares_huge_page(tables, space, address);
        if !was_mapped {
            self.map_shared(tables, space, address)?;
        }
        let mut leaf = self.leaf_at(space, address);
        let (start, last) = self.page_around(address, leaf);
        let mut gone = Shootdown { space, start, last, freed: Vec::new() };
        let is_others = |os: &Self, tables: &PageTables, leaf: Leaf| {
            let frame = tables.frame_of(space, address, leaf)?;
            Some((frame, os.owners.are_shared(frame, os.paging.size_of(leaf).bytes())))
        };
        let Some((mut frame, mut is_copied)) = is_others(self, tables, leaf) else {
            return Ok(Unshared { gone, is_kept: false, needs_shootdown: false });
        };
        let is_split = is_copied && leaf == HUGE && self.area_of(address).pages == PagePolicy::Thp;
        if is_split {
            self.split(tables, space, address)?;
            leaf = Leaf::SMALLEST;
            if let Some(found) = is_others(self, tables, leaf) {
                (frame, is_copied) = found;
            }
        }
        tables.clear(space, address, leaf);
        self.n_mapped[leaf] -= 1;
        if is_copied {
            self.owners.leave(frame, self.paging.size_of(leaf).bytes());
        }
        let (start, last) = self.page_around(address, leaf);
        if !was_mapped {
            // The page fault concerns this page alone: other pages of the block may have stale entries.
            (gone.start, gone.last) = (start, last);
        }
        self.copied.push(Copying { start, last, kept: (!is_copied).then_some(frame) });
        Ok(Unshared {
            gone,
            is_kept: !is_copied,
            needs_shootdown: was_mapped && (is_copied || is_split),
        })
    }

    /// Returns the first and last address of a page.
    pub(super) fn page_around(&self, address: u64, leaf: Leaf) -> (u64, u64) {
        let bits = (1 << self.paging.shift(leaf)) - 1;
        (address & !bits, address | bits)
    }

    /// Returns the bytes of memory behind all mapped pages. Shared memory counts once.
    pub(crate) fn bytes_in_memory(&self, tables: &PageTables, spaces: &[u32]) -> u64 {
        if self.families.is_empty() {
            return self.mapped_bytes();
        }
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for space in spaces {
            for (address, leaf) in tables.pages(*space) {
                if let Some(frame) = tables.frame_of(*space, address, leaf) {
                    ranges.push((frame.start(), frame.byte(self.paging.size_of(leaf).bytes())));
                }
            }
        }
        sort_by_numbers(&mut ranges, |range| *range);
        let mut end = 0;
        let own = ranges.into_iter().map(|(first, last)| {
            let own = last.saturating_sub(first.max(end));
            end = end.max(last);
            own
        });
        own.sum()
    }
}
