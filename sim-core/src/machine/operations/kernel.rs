//! The kernel's upper half of the address space, if all processes share it. Each virtual machine has one set of
//! tables and pages for the upper half, and global translations.
//!
//! ```text
//! process 7 ─ lower half ─ its own tables     translations tagged VPID, PCID
//! process 9 ─ lower half ─ its own tables
//!     both ── upper half ─ the kernel's       translations tagged VPID, global; walk caches by PCID
//! ```

use crate::machine::Machine;
use crate::os::KERNEL;
use pagewalk_base::addr::PerLeaf;

/// The address space of the current process while the machine translates a kernel address.
pub(crate) struct User {
    space: u32,
    context_number: u32,
    page_class: PerLeaf<u64>,
}

impl Machine {
    /// Switches to the kernel's tables if the address is in the upper half. Returns the address space to restore
    /// with [`Self::leave_kernel`].
    #[inline]
    pub(crate) fn enter_kernel_for(&mut self, address: u64) -> Option<User> {
        if self.os.shares_kernel() && self.is_upper(address) {
            self.enter_kernel(address)
        } else {
            None
        }
    }

    /// Returns whether an address is in the upper half of the address space.
    #[inline]
    pub(crate) fn is_upper(&self, address: u64) -> bool {
        address & self.plan.va_mask > self.plan.va_mask >> 1
    }

    #[inline(never)]
    fn enter_kernel(&mut self, address: u64) -> Option<User> {
        if !self.plan.rule.accepts(address) {
            return None;
        }
        let space = self.space_of(KERNEL);
        let number = if self.os.has_global() {
            self.number_of(self.context(0).of_all())?
        } else {
            self.context_number
        };
        let user = User {
            space: self.space,
            context_number: self.context_number,
            page_class: self.page_class,
        };
        let tags = self.plan.tags;
        (self.space, self.context_number) = (space, number);
        self.page_class = PerLeaf::new(|leaf| tags.page_class(leaf, number));
        self.os.enter_kernel(space);
        if self.os.pretouches() && self.tables.is_new(space) {
            self.pretouch();
        }
        Some(user)
    }

    #[inline]
    /// Restores the address space of the current process.
    pub(crate) fn leave_kernel(&mut self, user: Option<User>) {
        if let Some(user) = user {
            self.restore_user(&user);
        }
    }

    #[inline(never)]
    fn restore_user(&mut self, user: &User) {
        let User { space, context_number, page_class } = *user;
        (self.space, self.context_number, self.page_class) = (space, context_number, page_class);
        self.os.enter(self.pid.unwrap_or_default());
    }
}
