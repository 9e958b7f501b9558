//! The function from a page number to its set. The small wasm module has no masks (`no_masks`): their type has no
//! value there, so no code of them remains.

#[cfg(any(feature = "fast", feature = "ts"))]
mod masks;
#[cfg(not(any(feature = "fast", feature = "ts")))]
mod no_masks;

#[cfg(not(any(feature = "fast", feature = "ts")))]
use serde::Deserialize;
use serde::Serialize;

#[cfg(any(feature = "fast", feature = "ts"))]
pub use masks::Masks;
#[cfg(not(any(feature = "fast", feature = "ts")))]
pub use no_masks::Masks;

/// The function from a page number n to its set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(not(any(feature = "fast", feature = "ts")), derive(Deserialize))]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Index {
    /// Set = n mod sets.
    #[default]
    LowBits,
    /// Set = (n mod sets) xor ((n / sets) mod sets).
    Xor,
    /// Bit i of the set = the parity of the bits of n under mask i.
    #[cfg_attr(not(any(feature = "fast", feature = "ts")), serde(skip))]
    XorMasks(Masks),
}

impl Index {
    /// Returns the name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::LowBits => "low-bits",
            Self::Xor => "xor",
            Self::XorMasks(_) => "xor-masks",
        }
    }

    /// Returns the set of a page number in an array of this many sets, which are a power of two.
    pub fn set_of(&self, page: u64, n_sets: u32) -> u64 {
        let bits = n_sets.trailing_zeros();
        match self {
            Self::LowBits => page & u64::from(n_sets - 1),
            Self::Xor => (page ^ page >> bits) & u64::from(n_sets - 1),
            Self::XorMasks(masks) => masks.set_of(page),
        }
    }

    /// Returns the masks, if masks define the function.
    pub(crate) fn masks(&self) -> Option<&Masks> {
        match self {
            Self::LowBits | Self::Xor => None,
            Self::XorMasks(masks) => Some(masks),
        }
    }
}
