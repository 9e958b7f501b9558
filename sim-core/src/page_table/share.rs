//! Pages that several address spaces share until one of them writes to it (copy on write).

use super::{Frame, PageTables, Table};
use crate::entry::{ACCESSED, GLOBAL, SHARED, WRITABLE};
use pagewalk_base::addr::Leaf;
use pagewalk_base::error::Result;

impl PageTables {
    /// Marks the page of `address` as shared, and makes it read-only, so that a write copies it.
    pub(crate) fn share(&mut self, space: u32, address: u64, leaf: Leaf) {
        self.change_page(space, address, leaf, (SHARED, WRITABLE));
    }

    /// Sets the global flag of a page: its translation is valid in every address space.
    pub(crate) fn make_global(&mut self, space: u32, address: u64, leaf: Leaf) {
        self.change_page(space, address, leaf, (GLOBAL, 0));
    }

    /// Returns whether a write to the page that an entry maps has to copy it.
    pub(crate) fn is_shared(&self, table: Table, index: usize) -> bool {
        self.read(table, index) & (SHARED | WRITABLE) == SHARED
    }

    /// Returns the frame of the page of `address`, if it is mapped.
    pub(crate) fn frame_of(&self, space: u32, address: u64, leaf: Leaf) -> Option<Frame> {
        let (table, index) = self.leaf_of_any_rights(space, address, leaf)?;
        let first = self.read(table, self.group_of(index, leaf).start);
        (first != 0).then(|| self.frame(first))
    }

    /// Maps the page of `address` in `child` with the frame and flags of `parent`, but without the accessed
    /// flag.
    ///
    /// # Errors
    /// `too-large` if the pool of tables is full.
    pub(crate) fn copy_page(
        &mut self,
        (parent, child): (u32, u32),
        address: u64,
        leaf: Leaf,
    ) -> Result<()> {
        let (Some((from, index)), Some(frame)) =
            (self.leaf(parent, address, leaf), self.frame_of(parent, address, leaf))
        else {
            return Ok(());
        };
        self.map(child, address, leaf, frame)?;
        let Some((to, same)) = self.leaf(child, address, leaf) else { return Ok(()) };
        debug_assert_eq!(index, same, "tables of a level have the same places");
        for at in self.group_of(index, leaf) {
            let entry = self.read(from, at) & !ACCESSED;
            self.put(to, at, entry);
        }
        Ok(())
    }
}
