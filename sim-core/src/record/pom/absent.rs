//! The counters and the view of a POM-TLB in a module that has none.

#![allow(clippy::unused_self, reason = "the functions have the form of those in `present`")]

use serde::Serialize;

use crate::machine::Machine;
use crate::machine::probe::{PomFact, PomFillFact};

/// The report of a POM-TLB. It has no value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum PomReport {}

/// The view of a lookup in a POM-TLB. It has no value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum PomView {}

/// Counts nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PomCounts;

impl PomCounts {
    pub(crate) fn look_up(&mut self, _: &PomFact) {}

    pub(crate) fn fill(&mut self, _: &PomFillFact) {}

    pub(crate) fn left(&mut self, _: u32) {}

    pub(crate) fn miss_cycles(&self) -> u64 {
        0
    }

    pub(crate) fn report(&self, _: &Machine) -> Option<PomReport> {
        None
    }
}

pub(crate) fn view(_: &Machine, _: Option<PomFact>, _: Option<PomFillFact>) -> Option<PomView> {
    None
}
