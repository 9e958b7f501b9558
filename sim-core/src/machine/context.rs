//! The owner of a TLB or walk-cache entry: process (PCID), virtual machine and VPID.
//!
//! ```text
//! linear mappings    VPID, PCID                  Intel SDM vol. 3C, 28.3.1
//! combined mappings  VPID, PCID, EPT pointer
//! ```
//! A virtual machine has one EPT, so its number stands for the EPT pointer. AMD's ASID acts as a VPID.
//!
//! A tag has room for one number. In the virtual machine that every core starts with, and without
//! virtual machines, the number is the PCID. Every other context gets its own number, from the highest down.

use crate::caches::tlb::TagLayout;

/// The owner of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Context {
    /// The virtual machine, numbered in order of appearance. 0 = no virtual machine.
    pub(crate) vm: u32,
    /// The VPID. 0 = the host, or no virtual machine.
    pub(crate) vpid: u16,
    pub(crate) pcid: u32,
    /// Whether the entry is global: valid for every PCID. `pcid` is then 0.
    pub(crate) global: bool,
}

impl Context {
    /// Returns the context of global translations in the same virtual machine and VPID.
    pub(crate) fn of_all(self) -> Self {
        Self { pcid: 0, global: true, ..self }
    }
}

/// The numbers of contexts in tags.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contexts {
    /// The VPID of the contexts whose number is their PCID.
    plain: u16,
    /// The number of global entries under the VPID `plain`. The numbers of `others` count down from there.
    global: u32,
    others: Vec<Context>,
    /// The highest PCID that is in use as a number.
    highest: u32,
}

impl Contexts {
    /// Makes the numbers of a machine whose entries have the VPID `plain` until the trace names another VPID.
    pub(crate) fn new(tags: TagLayout, plain: u16) -> Self {
        Self { plain, global: tags.global(), others: Vec::new(), highest: 0 }
    }

    /// Returns the context of a number.
    #[inline]
    pub(crate) fn of(&self, number: u32) -> Context {
        let other = (self.global - 1).checked_sub(number);
        if let Some(other) = other.and_then(|at| self.others.get(at as usize)) {
            return *other;
        }
        let global = number == self.global;
        let pcid = if global { 0 } else { number };
        Context { vm: 0, vpid: self.plain, pcid, global }
    }

    /// Returns the number of a context, and assigns one if needed. Returns `None` if all numbers are used up.
    pub(crate) fn number(&mut self, context: Context) -> Option<u32> {
        let lowest = (self.global - 1).checked_sub(u32::try_from(self.others.len()).ok()?)?;
        if context.vm == 0 && context.vpid == self.plain {
            if context.global {
                return Some(self.global);
            }
            self.highest = self.highest.max(context.pcid);
            return (context.pcid <= lowest).then_some(context.pcid);
        }
        if let Some(at) = self.others.iter().position(|other| *other == context) {
            return Some(self.global - 1 - u32::try_from(at).ok()?);
        }
        if lowest <= self.highest {
            return None;
        }
        self.others.push(context);
        Some(lowest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pagewalk_base::addr::Paging;

    #[test]
    fn numbers_stand_for_owners() {
        let tags = TagLayout::new(&Paging::x86(5));
        let mut contexts = Contexts::new(tags, 1);
        let list = [(0, 1, 0), (0, 1, 7), (1, 2, 7), (1, 2, 8), (0, 3, 7), (1, 2, 0), (0, 1, 0)];
        let mut list = list.map(|(vm, vpid, pcid)| Context { vm, vpid, pcid, global: false });
        for context in &mut list[5..] {
            *context = context.of_all();
        }
        let numbers = list.map(|context| contexts.number(context).unwrap());
        assert_eq!(numbers, [0, 7, 16382, 16381, 16380, 16379, 16383]);
        assert_eq!(numbers.map(|number| contexts.of(number)), list);
        assert_eq!(list.map(|context| contexts.number(context).unwrap()), numbers);
    }

    #[test]
    fn numbers_may_be_used_up() {
        let tags = TagLayout::new(&Paging::x86(5));
        let mut contexts = Contexts::new(tags, 1);
        let own = |pcid| Context { vm: 0, vpid: 1, pcid, global: false };
        assert_eq!(contexts.number(own(16381)), Some(16381));
        let other = |pcid| Context { vm: 1, vpid: 2, pcid, global: false };
        assert_eq!(contexts.number(other(0)), Some(16382));
        assert_eq!(contexts.number(other(1)), None);
        assert_eq!(contexts.number(own(16382)), None);
    }
}
