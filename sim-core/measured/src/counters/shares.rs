//! Shares computed from several counters: walks per access, misses of level 2, cycles per walk, and the largest
//! share of the time that walks may have taken.

use super::compare::{Read, Run, find};
use super::meaning::{Meaning, Of, Quantity};
use super::simulated::{Simulated, ratio};
use super::totals::Total;
use super::{ShareUnit, ShareView};

/// The share of [`super::Measured::walk_time`].
pub(super) const WALK_TIME: &str = "Walk cycles of all cycles";

type Domain<'a> = (&'a str, &'a str, Option<&'a str>);

/// Returns the shares of each domain, in the order of their first counter.
pub(super) fn shares(all: &[Read<'_>], run: Option<Run<'_>>) -> Vec<ShareView> {
    let mut domains: Vec<Domain<'_>> = Vec::new();
    for read in all {
        if !domains.contains(&read.domain()) {
            domains.push(read.domain());
        }
    }
    domains.iter().flat_map(|domain| of_domain(all, *domain, run)).collect()
}

fn of_domain(all: &[Read<'_>], domain: Domain<'_>, run: Option<Run<'_>>) -> Vec<ShareView> {
    let run = run.filter(|run| run.is_of(domain.0, domain.1));
    let shown = Shown { all, domain, simulated: run.map(|run| run.simulated) };
    let mut shares = Vec::new();
    for (of, one) in [(Of::Loads, "load"), (Of::Stores, "store"), (Of::Data, "load or store")] {
        let per = format!("Page walks per {one}");
        shares.extend(shown.part(&per, (shown.walks(of), of), (Quantity::Accesses, of)));
    }
    let kinds = [Of::Loads, Of::Stores, Of::Data, Of::Fetches].map(|of| (of, of.short_words()));
    for (of, kind) in kinds {
        let what = format!("Level-1 misses per lookup, {kind}");
        shares.extend(shown.part(&what, (Quantity::L1Misses, of), (Quantity::L1Lookups, of)));
    }
    for (of, kind) in kinds {
        shares.extend(shown.level_2(of, kind));
    }
    for (of, kind) in kinds {
        shares.extend(shown.cycles_per_walk(of, kind));
    }
    shares.extend(shown.walk_time());
    shares
}

/// The counters of one domain.
struct Shown<'a> {
    all: &'a [Read<'a>],
    domain: Domain<'a>,
    simulated: Option<&'a Simulated>,
}

impl<'a> Shown<'a> {
    fn find(&self, quantity: Quantity, of: Of) -> Option<(f64, &'a Total)> {
        find(self.all, self.domain, quantity, of)
    }

    fn count(&self, quantity: Quantity, of: Of) -> Option<u64> {
        self.simulated?.count(&Meaning { quantity, of, pages: None, note: None })
    }

    /// Returns the quantity that counts walks: completed walks if they were measured, else started walks.
    fn walks(&self, of: Of) -> Quantity {
        let done = self.find(Quantity::Walks, of).is_some();
        if done { Quantity::Walks } else { Quantity::WalksStarted }
    }

    fn view(&self, what: &str, unit: ShareUnit, measured: f64, totals: &[&Total]) -> ShareView {
        let (pmu, mode, cgroup) = self.domain;
        let mode = match mode {
            "u" => "user mode",
            "k" => "kernel mode",
            _ => "",
        };
        let named = [pmu, mode, cgroup.unwrap_or("")];
        let named: Vec<&str> = named.into_iter().filter(|name| !name.is_empty()).collect();
        ShareView {
            what: what.to_owned(),
            of: named.join(", "),
            unit,
            measured,
            simulated: None,
            is_upper_bound: false,
            is_estimate: totals.iter().any(|total| total.is_estimate()),
            events: totals.iter().map(|total| total.name.full.clone()).collect(),
            note: None,
        }
    }

    /// Returns one quantity divided by another.
    fn part(&self, what: &str, part: (Quantity, Of), whole: (Quantity, Of)) -> Option<ShareView> {
        let (measured, one) = self.find(part.0, part.1)?;
        let (of, other) = self.find(whole.0, whole.1).filter(|(of, _)| *of > 0.0)?;
        let mut share = self.view(what, ShareUnit::Share, measured / of, &[one, other]);
        let both = self.count(part.0, part.1).zip(self.count(whole.0, whole.1));
        share.simulated = both.and_then(|(part, whole)| ratio(part, whole));
        Some(share)
    }

    /// Returns the share of level-1 misses that also miss level 2.
    fn level_2(&self, of: Of, kind: &str) -> Option<ShareView> {
        let what = format!("Level-2 misses of the level-1 misses, {kind}");
        let (walks, of_walks) = self.find(self.walks(of), of)?;
        let (whole, other) = match self.find(Quantity::L2Hits, of) {
            Some((hits, total)) => (hits + walks, total),
            None => self.find(Quantity::L1Misses, of)?,
        };
        if whole <= 0.0 {
            return None;
        }
        let mut share = self.view(&what, ShareUnit::Share, walks / whole, &[of_walks, other]);
        let both = self.count(Quantity::Walks, of).zip(self.count(Quantity::L1Misses, of));
        share.simulated = both.and_then(|(walks, misses)| ratio(walks, misses));
        Some(share)
    }

    fn cycles_per_walk(&self, of: Of, kind: &str) -> Option<ShareView> {
        let (walks, of_walks) = self.find(self.walks(of), of).filter(|(walks, _)| *walks > 0.0)?;
        let (cycles, of_cycles) = self
            .find(Quantity::WalkerCycles, of)
            .or_else(|| self.find(Quantity::WalkCycles, of))?;
        let what = format!("Cycles per page walk, {kind}");
        let mut share = self.view(&what, ShareUnit::Cycles, cycles / walks, &[of_cycles, of_walks]);
        share.simulated = self.simulated.and_then(Simulated::cycles_per_walk);
        share.note = share
            .simulated
            .map(|_| "the simulated ones are the model's, over the walks of all kinds".to_owned());
        Some(share)
    }

    /// Returns walk cycles / all cycles. It is an upper bound of the cost of walks, because walks overlap with
    /// each other and with other work of the program.
    fn walk_time(&self) -> Option<ShareView> {
        let (cycles, of_cycles) =
            self.find(Quantity::Cycles, Of::All).filter(|(cycles, _)| *cycles > 0.0)?;
        let of_kind = |of| {
            self.find(Quantity::WalkCycles, of).or_else(|| self.find(Quantity::WalkerCycles, of))
        };
        let all = [of_kind(Of::All)];
        let data = [of_kind(Of::Data), of_kind(Of::Fetches)];
        let kinds = [Of::Loads, Of::Stores, Of::Fetches];
        let each = kinds.map(of_kind);
        let (parts, missing): (Vec<_>, Vec<_>) = if all[0].is_some() {
            (all.to_vec(), Vec::new())
        } else if data[0].is_some() {
            (data.to_vec(), vec![(data[1].is_none(), Of::Fetches.short_words())])
        } else {
            let missing = each.iter().map(Option::is_none).zip(kinds.map(Of::short_words));
            (each.to_vec(), missing.collect())
        };
        let parts: Vec<(f64, &Total)> = parts.into_iter().flatten().collect();
        if parts.is_empty() {
            return None;
        }
        let sum: f64 = parts.iter().map(|(cycles, _)| cycles).sum();
        let mut totals: Vec<&Total> = parts.iter().map(|(_, total)| *total).collect();
        totals.push(of_cycles);
        let mut share = self.view(WALK_TIME, ShareUnit::Share, sum / cycles, &totals);
        share.is_upper_bound = true;
        let left_out: Vec<&str> =
            missing.into_iter().filter(|(missing, _)| *missing).map(|(_, kind)| kind).collect();
        let without = match left_out[..] {
            [] => String::new(),
            _ => format!("; the walks of {} were not measured", left_out.join(" and ")),
        };
        share.note =
            Some(format!("at most: walks overlap with one another and with other work{without}"));
        Some(share)
    }
}
