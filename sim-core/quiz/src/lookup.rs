//! The lookup of the access in a TLB array, and the parts that the array cuts the page number into.

use pagewalk::machine::exception::PageFaultCode;
use pagewalk::record::event::{MachineView, StructureRole, StructureView};
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::Kind;

use crate::scene::Scene;

/// The lookup in a TLB array.
pub(crate) struct Lookup<'a> {
    /// The number of the array.
    pub(crate) structure: usize,
    pub(crate) array: &'a StructureView,
    pub(crate) set: u32,
    /// The page number that the array looks for, and its lowest address bit.
    pub(crate) page: u64,
    pub(crate) shift: u8,
    /// The way that hits.
    pub(crate) way: Option<u32>,
}

impl Lookup<'_> {
    /// Returns the number of bits that choose the set.
    pub(crate) fn set_bits(&self) -> u32 {
        self.array.sets.trailing_zeros()
    }

    pub(crate) fn tag(&self) -> u64 {
        self.page >> self.set_bits()
    }
}

/// Returns the set of a page number in an array.
pub(crate) fn set_of(array: &StructureView, page: u64) -> u64 {
    array.index.set_of(page, array.sets)
}

/// Returns the TLB array of this name, with its number.
///
/// # Errors
/// `bad-config` at `of` if there is no such array.
pub(crate) fn array_of<'a>(
    machine: &'a MachineView,
    of: &str,
) -> Result<(usize, &'a StructureView)> {
    let is_array = |role| matches!(role, StructureRole::L1 | StructureRole::L2);
    let arrays = machine.structures.iter().enumerate().filter(|(_, array)| is_array(array.role));
    arrays.clone().find(|(_, array)| array.name == of).ok_or_else(|| {
        let names: Vec<&str> = arrays.map(|(_, array)| array.name.as_str()).collect();
        let names = names.join(", ");
        Error::config("of", format!("there is no TLB array `{of}`: choose one of {names}"))
    })
}

impl Scene<'_> {
    /// Returns the TLB array of this name, with its number.
    ///
    /// # Errors
    /// `bad-config` at `of` if there is no such array.
    pub(crate) fn array(&self, of: &str) -> Result<(usize, &StructureView)> {
        array_of(&self.machine, of)
    }

    /// Returns the lookup in the TLB array of this name.
    ///
    /// # Errors
    /// `bad-config` at `of` if there is no such array, or the access does not look in it.
    pub(crate) fn lookup(&self, of: &str) -> Result<Lookup<'_>> {
        let (structure, array) = self.array(of)?;
        let Some(done) = self.step.translations.first() else {
            return self.lookup_before_fault(structure, array);
        };
        let mut looks = done.tlb.iter().filter(|look| look.structure == structure);
        let Some(look) = looks.next() else {
            let names =
                done.tlb.iter().map(|look| self.machine.structures[look.structure].name.as_str());
            let names: Vec<&str> = names.collect();
            let message =
                format!("the access does not look in `{of}`, but in {}", names.join(", "));
            return Err(Error::config("of", message));
        };
        if looks.next().is_some() {
            return Err(Error::config("of", format!("the access looks in `{of}` more than once")));
        }
        let (set, page, shift) = (look.set, look.key.0, look.key_shift);
        Ok(Lookup { structure, array, set, page, shift, way: look.way })
    }

    /// Returns the lookups in the other TLB arrays.
    pub(crate) fn other_lookups(&self, structure: usize) -> impl Iterator<Item = Lookup<'_>> {
        let looks = self.step.translations.first().into_iter().flat_map(|done| &done.tlb);
        let others = looks.filter(move |look| look.structure != structure);
        others.map(|look| Lookup {
            structure: look.structure,
            array: &self.machine.structures[look.structure],
            set: look.set,
            page: look.key.0,
            shift: look.key_shift,
            way: look.way,
        })
    }

    /// Returns the lookup of an access that a page fault ends. The machine finds such a fault without a lookup, but the
    /// processor looks in the arrays first. An array of one page size looks for a page of that size.
    fn lookup_before_fault<'a>(
        &'a self,
        structure: usize,
        array: &'a StructureView,
    ) -> Result<Lookup<'a>> {
        let none =
            |why: &str| Error::config("of", format!("`{}` has no lookup here: {why}", array.name));
        let fault = self.step.exception.as_ref().filter(|exception| exception.name == "#PF");
        let Some(fault) = fault else {
            return Err(none("the access has no translation"));
        };
        let kind = match self.step.access.kind {
            Kind::Prefetch => Kind::Load,
            kind => kind,
        };
        if !array.serves.contains(&kind) {
            return Err(none(&format!("it does not serve the access, which is a {}", kind.name())));
        }
        let is_present =
            fault.code.is_some_and(|code| code.0 & u64::from(PageFaultCode::PRESENT) > 0);
        if is_present && array.role == StructureRole::L2 {
            return Err(none("level 1 may hold the page, whose rights deny the access"));
        }
        let size = self.page_shift().map(PageSize).filter(|size| array.pages.contains(size));
        let only = match array.pages.as_slice() {
            [only] if self.page_shift().is_none() => Some(*only),
            _ => None,
        };
        let Some(PageSize(shift)) = size.or(only) else {
            return Err(none("the page is not mapped, so its size is not known"));
        };
        let page = self.va >> shift;
        let set = u32::try_from(set_of(array, page)).expect("below the number of sets");
        Ok(Lookup { structure, array, set, page, shift, way: None })
    }
}
