//! Splits the names of events: `cpu_core/dTLB-loads/u`, `dTLB-loads:u`, `r0108`.

use serde::Serialize;

/// The parts of an event's name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct EventName {
    /// The name as perf prints it.
    pub full: String,
    /// The unit that counts, such as `cpu_core` or `armv8_pmuv3_0`; empty if the name has none.
    pub pmu: String,
    /// The name without the unit and the modifiers.
    pub event: String,
    /// The modifiers, such as `u`, `k` or `ppp`: which mode is counted, and how precisely.
    pub modifiers: String,
}

impl EventName {
    pub fn new(full: &str) -> Self {
        let (pmu, event, modifiers) = match (full.find('/'), full.rfind('/')) {
            (Some(first), Some(last)) if first < last => {
                let modifiers = full[last + 1..].trim_start_matches(':');
                (&full[..first], term(&full[first + 1..last]), modifiers)
            }
            _ => match full.rsplit_once(':') {
                Some((event, modifiers)) if are_modifiers(modifiers) => ("", event, modifiers),
                _ => ("", full, ""),
            },
        };
        Self {
            full: full.to_owned(),
            pmu: pmu.to_owned(),
            event: event.to_owned(),
            modifiers: modifiers.to_owned(),
        }
    }

    /// Returns whether only kernel mode is counted.
    pub fn is_kernel_only(&self) -> bool {
        self.modifiers.contains('k') && !self.modifiers.contains('u')
    }

    /// Returns whether only user mode is counted.
    pub fn is_user_only(&self) -> bool {
        self.modifiers.contains('u') && !self.modifiers.contains('k')
    }

    /// Returns the counted modes. Counters of different modes are not comparable.
    pub fn mode(&self) -> &str {
        if self.is_user_only() {
            "u"
        } else if self.is_kernel_only() {
            "k"
        } else {
            ""
        }
    }
}

/// Returns the term between the slashes. A given name has priority over numbers.
fn term(between: &str) -> &str {
    between.split(',').find_map(|part| part.strip_prefix("name=")).unwrap_or(between)
}

/// Returns whether all letters are modifiers of events (`man perf-list`). Names of tracepoints contain
/// colons, too.
fn are_modifiers(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| b"ukhIGHpPSDWeRbX".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        for (full, expected) in [
            ("dTLB-loads", ["", "dTLB-loads", ""]),
            ("dTLB-loads:u", ["", "dTLB-loads", "u"]),
            ("cycles:ppp", ["", "cycles", "ppp"]),
            ("cpu_core/dTLB-loads/", ["cpu_core", "dTLB-loads", ""]),
            ("cpu_atom/cycles/u", ["cpu_atom", "cycles", "u"]),
            ("cpu/r0108/:u", ["cpu", "r0108", "u"]),
            ("cpu/event=0x8,umask=0x1,name=walks/u", ["cpu", "walks", "u"]),
            ("exceptions:page_fault_user", ["", "exceptions:page_fault_user", ""]),
            ("tlb:tlb_flush:k", ["", "tlb:tlb_flush", "k"]),
            ("a/b", ["", "a/b", ""]),
        ] {
            let EventName { pmu, event, modifiers, .. } = EventName::new(full);
            assert_eq!([pmu, event, modifiers], expected, "{full}");
        }
    }
}
