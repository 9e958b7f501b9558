//! The type of masks in a module that has none.

use pagewalk_base::error::Result;

/// The masks of an index function. They have no value, so reading them is an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Masks {}

impl Masks {
    pub(crate) fn set_of(&self, _: u64) -> u64 {
        match *self {}
    }

    pub(crate) fn check(&self, _: u32, _: Option<u32>) -> Result<()> {
        match *self {}
    }
}
