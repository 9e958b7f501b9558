//! The types of TLB blocks in a module that has none.

use serde::{Deserialize, Serialize};

use super::{BlockHit, Content, WayContent};
use crate::caches::memory::CacheConfig;
use crate::caches::tlb::Key;
use pagewalk_base::addr::Leaf;
use pagewalk_base::error::{Error, Result};

/// The configuration of TLB blocks. It has no value, so reading one is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VictimaConfig {}

/// The sets of a cache with TLB blocks. It has no value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BlockSets {}

/// The costs of pages. It has no value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Costs {}

/// The number of a set with TLB blocks. It has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SetNumber {}

impl VictimaConfig {
    pub(crate) fn problems(self, _: &[CacheConfig]) -> Vec<Error> {
        match self {}
    }

    pub(crate) fn after_walks(self) -> bool {
        match self {}
    }

    pub(crate) fn after_evictions(self) -> bool {
        match self {}
    }

    pub(crate) fn is_costly(self, _: (u8, u8)) -> bool {
        match self {}
    }
}

impl SetNumber {
    pub(crate) fn number(self) -> u32 {
        match self {}
    }
}

impl BlockSets {
    pub(crate) fn new(_: &CacheConfig, config: VictimaConfig) -> Result<Self> {
        match config {}
    }

    pub(crate) fn count_dram_read(&mut self) {
        match *self {}
    }

    pub(crate) fn n_from_dram(&self) -> u32 {
        match *self {}
    }

    pub(crate) fn read(&mut self, _: u64) -> bool {
        match *self {}
    }

    pub(crate) fn look_up(&mut self, _: Key, _: bool) -> (SetNumber, Option<BlockHit>) {
        match *self {}
    }

    pub(crate) fn set_number(&self, _: Key) -> SetNumber {
        match *self {}
    }

    pub(crate) fn holds(&self, _: Key) -> bool {
        match *self {}
    }

    pub(crate) fn write(&mut self, _: Key, _: Content) -> (SetNumber, u32) {
        match *self {}
    }

    pub(crate) fn tags(&self) -> std::iter::Empty<u64> {
        match *self {}
    }

    pub(crate) fn counts(&self) -> (usize, usize) {
        match *self {}
    }

    pub(crate) fn ways_of(&self, _: Key) -> std::iter::Empty<WayContent> {
        match *self {}
    }

    pub(crate) fn take_out(&mut self, _: &dyn Fn(u64) -> bool) -> u32 {
        match *self {}
    }

    pub(crate) fn bytes_apart_from(&self, _: Option<&Self>) -> usize {
        match *self {}
    }
}

impl Costs {
    pub(crate) fn new(config: VictimaConfig) -> Self {
        match config {}
    }

    pub(crate) fn count(&mut self, _: (u32, Leaf, u64), _: u32) {
        match *self {}
    }

    pub(crate) fn of(&self, _: (u32, Leaf, u64)) -> (u8, u8) {
        match *self {}
    }

    pub(crate) fn bytes_apart_from(&self, _: Option<&Self>) -> usize {
        match *self {}
    }
}
