//! The types of hashed page tables in a module that has none.

use serde::{Deserialize, Serialize};

use super::{SizeState, Spot};
use pagewalk_base::addr::Level;
use pagewalk_base::error::{Error, Result};

/// The configuration of hashed page tables. It has no value, so reading one is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EcptConfig {}

/// The hashed tables of all processes. They have no value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Hashed {}

impl EcptConfig {
    pub(crate) fn problems(self) -> Vec<Error> {
        match self {}
    }

    pub(crate) fn cwc_entries(self) -> [u32; 2] {
        match self {}
    }

    pub(crate) fn is_early(self) -> bool {
        match self {}
    }

    pub(crate) fn cycles(self) -> u64 {
        match self {}
    }
}

impl Hashed {
    pub(crate) fn new(config: EcptConfig, _: u64) -> Self {
        match config {}
    }

    pub(crate) fn set(&mut self, _: (u32, u64), _: Level, _: bool) {
        match *self {}
    }

    pub(crate) fn spots(&self, _: (u32, u64), _: [bool; 2]) -> Vec<Spot> {
        match *self {}
    }

    pub(crate) fn line_of(&self, _: (u32, u64), _: Level) -> Option<u64> {
        match *self {}
    }

    pub(crate) fn start_of(&self, _: u32) -> u64 {
        match *self {}
    }

    pub(crate) fn n_ways(&self) -> u32 {
        match *self {}
    }

    pub(crate) fn check(&self) -> Result<()> {
        match *self {}
    }

    pub(crate) fn bytes(&self) -> u64 {
        match *self {}
    }

    pub(crate) fn states(&self) -> [SizeState; 3] {
        match *self {}
    }

    pub(crate) fn moves_and_resizes(&self) -> (u64, u64) {
        match *self {}
    }

    pub(crate) fn bytes_apart_from(&self, _: Option<&Self>) -> usize {
        match *self {}
    }
}
