//! The policies by name, and the numbers of ways that each accepts.

use serde::{Deserialize, Serialize};

/// The policies by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Policy {
    /// Evicts the way that was used least recently.
    #[default]
    Lru,
    /// Evicts the way that was filled first.
    Fifo,
    /// Evicts a way drawn by xorshift64*, one draw per eviction.
    Random,
    /// Follows one bit per tree node away from the last use. The number of ways must be a power of two.
    TreePlru,
    /// Keeps one bit per way that says "used lately". Evicts the lowest way whose bit is 0.
    BitPlru,
    /// Three groups of four ways. The victim is in the group after the most recently used one, chosen by tree PLRU.
    /// The Skylake STLB has this policy (TLB;DR, USENIX Security 2022). The set must have 12 ways.
    #[serde(rename = "mru3-plru4")]
    Mru3Plru4,
}

/// The most ways of a set. A fully associative array has one set.
pub const MAX_WAYS: u32 = 65_536;

/// A policy as a form shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct PolicyInfo {
    pub id: Policy,
    /// The numbers of ways that the policy accepts. Missing = any number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ways: Option<Vec<u32>>,
    /// The accepted numbers of ways in words, after "needs".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<&'static str>,
}

/// The numbers of ways that a policy accepts: a predicate, and a description in words.
struct Ways {
    accepts: fn(u32) -> bool,
    words: &'static str,
}

impl Policy {
    /// All policies, in the order in which a form lists them.
    pub const ALL: &[Self] =
        &[Self::Lru, Self::TreePlru, Self::BitPlru, Self::Mru3Plru4, Self::Fifo, Self::Random];

    /// Returns the name of the policy in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lru => "lru",
            Self::Fifo => "fifo",
            Self::Random => "random",
            Self::TreePlru => "tree-plru",
            Self::BitPlru => "bit-plru",
            Self::Mru3Plru4 => "mru3-plru4",
        }
    }

    /// Returns the numbers of ways that the policy accepts, or `None` if it accepts any.
    fn needs(self) -> Option<Ways> {
        match self {
            Self::TreePlru => {
                Some(Ways { accepts: u32::is_power_of_two, words: "a power of two of ways" })
            }
            Self::Mru3Plru4 => {
                Some(Ways { accepts: |ways| ways == 12, words: "12 ways (three groups of four)" })
            }
            _ => None,
        }
    }

    /// Returns a message if the policy does not work with `n_ways` ways, otherwise `None`.
    pub fn ways_error(self, n_ways: u32) -> Option<String> {
        let Ways { accepts, words } = self.needs().filter(|needs| !(needs.accepts)(n_ways))?;
        let above = (n_ways..=MAX_WAYS).find(|n| accepts(*n));
        let nearest = above.or_else(|| (1..n_ways).rev().find(|n| accepts(*n)));
        let instead = nearest.map(|n| format!("{n} or ")).unwrap_or_default();
        Some(format!("{} needs {words}, not {n_ways}: choose {instead}lru", self.name()))
    }

    /// Lists every policy with the ways that it accepts.
    pub fn list() -> Vec<PolicyInfo> {
        let info = |id: &Self| {
            let needs = id.needs();
            let listed =
                |Ways { accepts, .. }: &Ways| (1..=MAX_WAYS).filter(|n| accepts(*n)).collect();
            PolicyInfo {
                id: *id,
                ways: needs.as_ref().map(listed),
                needs: needs.map(|needs| needs.words),
            }
        };
        Self::ALL.iter().map(info).collect()
    }
}

impl Policy {
    /// Returns a message if the policy cannot choose among a part of the ways, otherwise `None`.
    pub fn groups_error(self) -> Option<String> {
        matches!(self, Self::BitPlru | Self::Mru3Plru4).then(|| {
            format!("{} cannot choose among some of the ways: choose lru or tree-plru", self.name())
        })
    }
}
