//! Questions about a count: how many events the accesses have, from the start of the trace up to and including one.

use pagewalk_base::error::{Error, Result};

use crate::ask::Form;
use crate::counts::{Counted, Counts, Tally};
use crate::mistake::Mistake;
use crate::scene::Scene;
use crate::solution::Solution;

/// What is counted. The numbers are those of the report of a run.
#[derive(Clone, Copy)]
pub(crate) enum Count<'a> {
    Walks,
    /// The misses of a TLB array.
    Misses(&'a str),
    Hits(&'a str),
    /// Page faults, whether the operating system serves them or not.
    Faults,
    References,
    /// Different pages, at the size that maps them.
    Pages,
    Cycles,
}

impl<'a> Count<'a> {
    pub(crate) fn parse(text: &'a str) -> Result<Self> {
        match text.split_once(':').unwrap_or((text, "")) {
            ("misses", array) => Ok(Self::Misses(array)),
            ("hits", array) => Ok(Self::Hits(array)),
            ("walks", "") => Ok(Self::Walks),
            ("faults", "") => Ok(Self::Faults),
            ("references", "") => Ok(Self::References),
            ("pages", "") => Ok(Self::Pages),
            ("cycles", "") => Ok(Self::Cycles),
            _ => {
                let message = format!(
                    "`{text}` is not counted: choose walks, faults, references, pages or cycles, or misses:NAME or hits:NAME for a TLB array"
                );
                Err(Error::config("of", message))
            }
        }
    }

    /// Returns the name of the TLB array.
    pub(crate) fn array(self) -> Option<&'a str> {
        match self {
            Self::Misses(array) | Self::Hits(array) => Some(array),
            _ => None,
        }
    }
}

pub(crate) fn number(scene: &Scene<'_>, of: &str, counts: &mut Counts) -> Result<Solution> {
    let count = Count::parse(of)?;
    let array = count.array().map(|name| scene.array(name)).transpose()?;
    let array = array.map_or(usize::MAX, |(number, _)| number);
    let (replay, at) = (scene.replay, scene.step.index);
    let tallies = counts.until(replay, at)?;
    let sum = |of: &dyn Fn(&Tally) -> u64| Counted {
        total: of(&tallies.total),
        here: of(&tallies.here),
        next: tallies.next.as_ref().map(of),
    };
    let mut pages = || counts.pages(replay, at);
    let Counted { total: right, here, next } = match count {
        Count::Walks => sum(&|tally| tally.walks),
        Count::Misses(_) => sum(&|tally| tally.misses[array]),
        Count::Hits(_) => sum(&|tally| tally.hits[array]),
        Count::Faults => sum(&|tally| tally.faults),
        Count::References => sum(&|tally| tally.references),
        Count::Pages => pages(),
        Count::Cycles => sum(&|tally| tally.cycles),
    };
    let solution =
        Solution::new(Form::Decimal, right).mistake(Mistake::OneAccessShort, [right - here]);
    Ok(of_kind(solution, (count, array), &tallies.total, || pages().total)
        .mistake(Mistake::OneAccessMore, next.map(|next| right + next))
        .mistake(Mistake::AccessForTotal, [here])
        .mistake(Mistake::OneOff, right.checked_sub(1).into_iter().chain([right + 1])))
}

/// Adds the mistakes of what is counted.
fn of_kind(
    solution: Solution,
    (count, array): (Count<'_>, usize),
    tally: &Tally,
    pages: impl FnOnce() -> u64,
) -> Solution {
    let others = |of: &[u64]| {
        let others = of.iter().enumerate().filter(|(number, _)| *number != array);
        others.map(|(_, n)| *n).collect::<Vec<_>>()
    };
    match count {
        Count::Walks => solution
            .mistake(Mistake::MissesForWalks, [tally.l1_misses])
            .mistake(Mistake::PagesForMisses, [pages()]),
        Count::Misses(_) => solution
            .mistake(Mistake::HitsForMisses, [tally.hits[array]])
            .mistake(Mistake::PagesForMisses, [pages()])
            .mistake(Mistake::WalksForMisses, [tally.walks])
            .mistake(Mistake::OtherLevel, others(&tally.misses)),
        Count::Hits(_) => solution
            .mistake(Mistake::MissesForHits, [tally.misses[array]])
            .mistake(Mistake::OtherLevel, others(&tally.hits)),
        Count::Faults => solution.mistake(Mistake::WalksForFaults, [tally.walks]),
        Count::References => solution.mistake(Mistake::WalksForReferences, [tally.walks]),
        Count::Pages => solution.mistake(Mistake::AccessesForPages, [tally.accesses]),
        Count::Cycles => solution
            .mistake(Mistake::LookupLost, [tally.cycles_without_lookup])
            .mistake(Mistake::ReferencesForCycles, [tally.references]),
    }
}
