//! The sizes of a machine's TLB arrays, for estimates.

use pagewalk::caches::tlb::ArrayConfig;
use pagewalk::config::MachineConfig;
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::Kind;

/// The arrays that hold the translations of one kind of access to pages of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    pub(super) level: u8,
    pub(super) names: Vec<String>,
    /// The sum of the entries of all named arrays, which share the pages.
    pub(super) entries: u32,
}

/// Returns the reach of level 1 and of level 2, without levels that have no such array. At level 1 the first
/// array that serves the pages counts, at level 2 all of them.
pub(super) fn reaches(machine: &MachineConfig, kind: Kind, pages: PageSize) -> Vec<Reach> {
    let serves = |array: &&ArrayConfig| {
        array.serves.as_ref().is_none_or(|kinds| kinds.contains(&kind)) && holds(array, pages)
    };
    let first: Vec<&ArrayConfig> = machine.l1.iter().filter(serves).take(1).collect();
    let second: Vec<&ArrayConfig> = machine.l2.iter().filter(serves).collect();
    let reach = |(level, arrays): (u8, Vec<&ArrayConfig>)| {
        let entries = arrays.iter().map(|array| array.entries).sum();
        let names = arrays.iter().map(|array| array.name.clone()).collect();
        (!arrays.is_empty()).then_some(Reach { level, names, entries })
    };
    [(1, first), (2, second)].into_iter().filter_map(reach).collect()
}

/// Returns whether an array holds pages of a size, not only as pieces.
fn holds(array: &ArrayConfig, pages: PageSize) -> bool {
    array.pages.as_ref().is_none_or(|sizes| sizes.contains(&pages))
}

/// Returns the page sizes for estimates: the two smallest sizes from 4K on that the machine's arrays hold.
pub(super) fn page_sizes(machine: Option<&MachineConfig>) -> Vec<PageSize> {
    const USUAL: [PageSize; 2] = [PageSize::K4, PageSize::M2];
    let Some(machine) = machine else { return USUAL.to_vec() };
    let sizes = machine.geometry().map_or(USUAL.to_vec(), |geometry| geometry.sizes());
    let is_held = |size: &PageSize| {
        *size >= PageSize::K4 && machine.l1.iter().chain(&machine.l2).any(|a| holds(a, *size))
    };
    sizes.into_iter().filter(is_held).take(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(cpu: &str, kind: Kind, pages: PageSize) -> String {
        let machine = pagewalk::config::cpu::model(cpu).unwrap().machine;
        let reaches = reaches(&machine, kind, pages);
        let show =
            |reach: &Reach| format!("{} {} {}", reach.level, reach.names.join("+"), reach.entries);
        reaches.iter().map(show).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn arrays_are_those_that_hold_the_page() {
        let shown = [
            show("intel-skylake-sp", Kind::Load, PageSize::K4),
            show("intel-skylake-sp", Kind::Load, PageSize::M2),
            show("intel-skylake-sp", Kind::Fetch, PageSize::M2),
            show("intel-core2", Kind::Load, PageSize::M2),
        ];
        expect_test::expect![[r"
            1 L1 dTLB 4K 64, 2 STLB 1536
            1 L1 dTLB 2M 32, 2 STLB 1536
            1 L1 iTLB 2M 8, 2 STLB 1536
            1 DTLB0 2M 16, 2 DTLB1 2M 32"]]
        .assert_eq(&shown.join("\n"));
        let sizes = |cpu| page_sizes(Some(&pagewalk::config::cpu::model(cpu).unwrap().machine));
        assert_eq!(sizes("intel-skylake-sp"), [PageSize::K4, PageSize::M2]);
        assert_eq!(sizes("apple-firestorm"), [PageSize(14)]);
        assert_eq!(page_sizes(None), [PageSize::K4, PageSize::M2]);
    }
}
