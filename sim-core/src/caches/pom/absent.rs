//! The types of a POM-TLB in a module that has none.

use serde::{Deserialize, Serialize};

use crate::caches::tlb::Entry;
use pagewalk_base::addr::Leaf;
use pagewalk_base::error::{Error, Result};

/// The configuration of a POM-TLB. It has no value, so reading one is an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PomConfig {}

/// The contents of a POM-TLB. It has no value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PomTlb {}

/// A set of a POM-TLB. It has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {}

impl PomConfig {
    pub(crate) fn problems(&self) -> Vec<Error> {
        match *self {}
    }
}

impl Place {
    pub(crate) fn set(self) -> u32 {
        match self {}
    }

    pub(crate) fn address(self) -> u64 {
        match self {}
    }
}

impl PomTlb {
    pub(crate) fn new(config: &PomConfig, _: &[Leaf]) -> Result<Self> {
        match *config {}
    }

    pub(crate) fn place(&self, _: Leaf, _: u64) -> Option<Place> {
        match *self {}
    }

    pub(crate) fn dram(&self) -> Option<u64> {
        match *self {}
    }

    pub(crate) fn look_up(&mut self, _: Place, _: u64) -> Option<(u32, &mut Entry)> {
        match *self {}
    }

    pub(crate) fn fill(&mut self, _: Place, _: u64, _: (u32, u32)) -> (u32, Option<u64>) {
        match *self {}
    }

    pub(crate) fn tags(&self) -> std::iter::Empty<u64> {
        match *self {}
    }

    pub(crate) fn take_out(&mut self, _: &dyn Fn(u64) -> bool) -> u32 {
        match *self {}
    }

    pub(crate) fn bytes_apart_from(&self, _: Option<&Self>) -> usize {
        match *self {}
    }
}
