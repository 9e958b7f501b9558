//! The upper half of the address space, where all processes share it: one set of tables and pages in
//! each virtual machine, and translations that are global.
//!
//! ```text
//! process 7 ─ lower half ─ its own tables     translations tagged VPID, PCID
//! process 9 ─ lower half ─ its own tables
//!     both ── upper half ─ the kernel's       translations tagged VPID, global; walk caches as ever
//! ```

use crate::machine::{Machine, classes};
use crate::os::KERNEL;
use pagewalk_base::trace::va_bits;

/// What the machine had of the process that runs.
pub(crate) struct User {
    space: u32,
    context_number: u32,
    page_class: [u64; 8],
}

impl Machine {
    /// Lets the kernel's half be translated, if that is where the address is. What it gives back says whose
    /// addresses are to be translated afterwards.
    #[inline]
    pub(crate) fn enter_kernel_for(&mut self, address: u64) -> Option<User> {
        if self.os.shares_kernel() && address >> 63 == 1 {
            self.enter_kernel(address)
        } else {
            None
        }
    }

    #[inline(never)]
    fn enter_kernel(&mut self, address: u64) -> Option<User> {
        if va_bits(address) > self.plan.canonical_bits {
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
        self.page_class = classes(|level| tags.page_class(level, number));
        self.os.enter_kernel(space);
        if self.os.pretouches() && self.tables.existing_root(space).is_none() {
            self.pretouch();
        }
        Some(user)
    }

    #[inline]
    pub(crate) fn leave_kernel(&mut self, user: Option<User>) {
        if let Some(user) = user {
            self.go_back(&user);
        }
    }

    #[inline(never)]
    fn go_back(&mut self, user: &User) {
        let User { space, context_number, page_class } = *user;
        (self.space, self.context_number, self.page_class) = (space, context_number, page_class);
        self.os.enter(self.pid.unwrap_or_default());
    }
}
