//! The meaning of events, in the terms of the simulation.

mod raw;
mod vendors;

use super::family::Family;
use raw::raw;
use vendors::{amd, arm, intel};

/// The kinds of accesses that an event counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Fetches,
    Loads,
    Stores,
    /// Loads and stores.
    Data,
    All,
}

impl Of {
    fn words(self) -> &'static str {
        match self {
            Self::Fetches => "instruction fetches",
            of => of.short_words(),
        }
    }

    /// The words where space is short.
    pub(super) fn short_words(self) -> &'static str {
        match self {
            Self::Fetches => "fetches",
            Self::Loads => "loads",
            Self::Stores => "stores",
            Self::Data => "loads and stores",
            Self::All => "all accesses",
        }
    }
}

/// The quantity that an event counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    Cycles,
    Instructions,
    Accesses,
    L1Lookups,
    L1Misses,
    L2Hits,
    WalksStarted,
    Walks,
    /// Cycles with at least one walk under way.
    WalkCycles,
    /// The sum of the busy cycles of all walkers.
    WalkerCycles,
    /// Walk cycles in the host's part of nested walks.
    NestedCycles,
    TableReads,
    Faults,
    MinorFaults,
    MajorFaults,
    Flushes,
}

/// The meaning of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meaning {
    pub(super) quantity: Quantity,
    pub(super) of: Of,
    /// The page size, if the event counts only one.
    pub(super) pages: Option<&'static str>,
    /// A note about the meaning that the name does not show.
    pub(super) note: Option<&'static str>,
}

impl Meaning {
    fn new(quantity: Quantity, of: Of) -> Self {
        Self { quantity, of, pages: None, note: None }
    }

    fn on(self, pages: &'static str) -> Self {
        Self { pages: Some(pages), ..self }
    }

    fn note(self, note: &'static str) -> Self {
        Self { note: Some(note), ..self }
    }

    /// Returns whether the event happens at some of the accesses, so that its rate can be compared.
    pub(super) fn is_rate(&self) -> bool {
        use Quantity as Q;
        matches!(
            self.quantity,
            Q::L1Lookups | Q::L1Misses | Q::L2Hits | Q::WalksStarted | Q::Walks | Q::TableReads
        )
    }

    /// Returns the meaning as text: `page walks of loads, 4K pages`.
    pub(super) fn words(&self) -> String {
        use Quantity as Q;
        let of = self.of.words();
        let words = match self.quantity {
            Q::Cycles => "cycles".to_owned(),
            Q::Instructions => "instructions".to_owned(),
            Q::Accesses => of.to_owned(),
            Q::L1Lookups => format!("level-1 TLB lookups of {of}"),
            Q::L1Misses => format!("level-1 TLB misses of {of}"),
            Q::L2Hits => format!("level-2 TLB hits of {of}"),
            Q::WalksStarted => format!("page walks of {of}, started"),
            Q::Walks => format!("page walks of {of}"),
            Q::WalkCycles => format!("cycles with a page walk of {of} under way"),
            Q::WalkerCycles => format!("cycles of page walkers for {of}, each walker's"),
            Q::NestedCycles => "cycles of page walkers in the host's tables".to_owned(),
            Q::TableReads => format!("page-table reads for {of}"),
            Q::Faults => "page faults".to_owned(),
            Q::MinorFaults => "minor page faults".to_owned(),
            Q::MajorFaults => "major page faults".to_owned(),
            Q::Flushes => "TLB flushes".to_owned(),
        };
        self.pages.map_or(words.clone(), |pages| format!("{words}, {pages} pages"))
    }
}

/// Returns the meaning of `event` on processors of the family. The name comes without unit and modifiers, and
/// its case does not matter. `None` = the simulation has no such quantity.
pub(super) fn meaning(event: &str, family: Family) -> Option<Meaning> {
    let event = event.to_ascii_lowercase();
    let event = raw(&event, family).unwrap_or(&event);
    software(event).or_else(|| generic(event, family)).or_else(|| match family {
        Family::AmdK10 | Family::AmdZen => amd(event),
        Family::Arm => arm(event),
        _ => intel(event, family),
    })
}

fn software(event: &str) -> Option<Meaning> {
    let quantity = match event {
        "page-faults" | "faults" => Quantity::Faults,
        "minor-faults" => Quantity::MinorFaults,
        "major-faults" => Quantity::MajorFaults,
        "cycles" | "cpu-cycles" => Quantity::Cycles,
        "instructions" => Quantity::Instructions,
        _ => return None,
    };
    Some(Meaning::new(quantity, Of::All))
}

/// Returns the meaning of one of perf's own names, which the kernel maps to an event of the processor.
fn generic(event: &str, family: Family) -> Option<Meaning> {
    use Family as F;
    use Quantity as Q;
    let of_walks = |of| match family {
        F::IntelNehalem => Meaning::new(Q::L1Misses, of).note("including hits of level 2"),
        F::IntelSandyBridge => {
            Meaning::new(Q::WalksStarted, of).note("misses of both levels, without hits of level 2")
        }
        F::AmdK10 => Meaning::new(Q::Walks, of).note("misses of both levels"),
        _ => Meaning::new(Q::Walks, of).note("misses of both levels, without hits of level 2"),
    };
    Some(match (event, family) {
        ("dtlb-loads" | "dtlb-load", F::AmdZen) => Meaning::new(Q::L1Misses, Of::Data)
            .note("lookups of level 2, not loads: each is a miss of level 1"),
        ("dtlb-load-misses" | "dtlb-misses", F::AmdZen) => {
            Meaning::new(Q::Walks, Of::Data).note("misses of both levels")
        }
        ("itlb-loads" | "itlb-load", F::AmdZen) => {
            Meaning::new(Q::L2Hits, Of::Fetches).note("misses of level 1, not fetches")
        }
        ("itlb-load-misses" | "itlb-misses", F::AmdZen) => Meaning::new(Q::Walks, Of::Fetches),
        ("dtlb-loads" | "dtlb-load", F::Arm) => {
            Meaning::new(Q::L1Lookups, Of::Data).note("lookups, not loads alone")
        }
        ("dtlb-load-misses" | "dtlb-misses", F::Arm) => Meaning::new(Q::L1Misses, Of::Data)
            .note("refills of level 1, including hits of level 2"),
        ("itlb-loads" | "itlb-load", F::Arm) => Meaning::new(Q::L1Lookups, Of::Fetches),
        ("itlb-load-misses" | "itlb-misses", F::Arm) => Meaning::new(Q::L1Misses, Of::Fetches)
            .note("refills of level 1, including hits of level 2"),
        ("dtlb-loads" | "dtlb-load", F::AmdK10) => Meaning::new(Q::Accesses, Of::Data),
        ("dtlb-load-misses" | "dtlb-misses", F::AmdK10) => of_walks(Of::Data),
        ("dtlb-loads" | "dtlb-load", _) => Meaning::new(Q::Accesses, Of::Loads),
        ("dtlb-load-misses" | "dtlb-misses", _) => of_walks(Of::Loads),
        ("dtlb-stores" | "dtlb-store", F::Arm) => Meaning::new(Q::L1Lookups, Of::Stores),
        ("dtlb-store-misses", F::Arm) => Meaning::new(Q::L1Misses, Of::Stores)
            .note("refills of level 1, including hits of level 2"),
        // The kernel has no event for these names on AMD.
        ("dtlb-stores" | "dtlb-store" | "dtlb-store-misses", F::AmdZen | F::AmdK10) => return None,
        ("dtlb-stores" | "dtlb-store", _) => Meaning::new(Q::Accesses, Of::Stores),
        ("dtlb-store-misses", _) => of_walks(Of::Stores),
        ("itlb-loads" | "itlb-load", F::IntelNehalem | F::IntelAtom) => {
            Meaning::new(Q::Instructions, Of::All)
        }
        (
            "itlb-loads" | "itlb-load",
            F::IntelSandyBridge | F::IntelSkylake | F::IntelGoldenCove,
        ) => Meaning::new(Q::L2Hits, Of::Fetches)
            .note("these are not fetches, so perf's percentage may be above 100"),
        ("itlb-load-misses" | "itlb-misses", F::IntelAtom) => {
            Meaning::new(Q::L1Misses, Of::Fetches)
        }
        ("itlb-load-misses" | "itlb-misses", _) => of_walks(Of::Fetches),
        _ => return None,
    })
}
