//! Masks of page-number bits that choose a set, and how an index function is read.

use std::fmt;

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::Index;
use pagewalk_base::addr::Hex;
use pagewalk_base::error::{Error, Result};

/// The masks of the bits of a set, the lowest bit first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Masks(pub Vec<Hex>);

impl Masks {
    /// Returns the set whose bits are the parities of the bits of a number under the masks.
    #[cold]
    #[inline(never)]
    pub(crate) fn set_of(&self, number: u64) -> u64 {
        let parity = |mask: &Hex| u64::from((number & mask.0).count_ones() & 1);
        self.0.iter().enumerate().map(|(bit, mask)| parity(mask) << bit).sum()
    }

    /// Checks the masks of an array. `number_bits` is the length of its longest page number, if it is known.
    ///
    /// # Errors
    /// `bad-config` at `index.xor-masks` or at a mask.
    pub(crate) fn check(&self, n_sets: u32, number_bits: Option<u32>) -> Result<()> {
        let (given, wanted) = (self.0.len(), n_sets.trailing_zeros() as usize);
        if wanted == 0 {
            let message = "a fully associative array has one set: leave index out, or give ways";
            return Err(Error::config("index.xor-masks", message));
        }
        if given != wanted {
            let message = format!(
                "{given} masks for {n_sets} sets: give {wanted}, one for each bit of the number of a set"
            );
            return Err(Error::config("index.xor-masks", message));
        }
        // Masks of which none is the xor of others have different highest bits after this reduction.
        let mut reduced: Vec<u64> = Vec::new();
        for (at, mask) in self.0.iter().enumerate() {
            let rest = reduced.iter().fold(mask.0, |rest, known| rest.min(rest ^ known));
            let high = number_bits.is_some_and(|bits| mask.0.checked_shr(bits).unwrap_or(0) != 0);
            let why = if mask.0 == 0 {
                "has no bit: half of the sets would get no page; give a bit".to_owned()
            } else if high {
                let bits = number_bits.unwrap_or(u64::BITS);
                format!("has bits above the {bits} bits of a page number: leave them out")
            } else if rest == 0 {
                "is the xor of earlier masks: half of the sets would get no page; choose another mask"
                    .to_owned()
            } else {
                reduced.push(rest);
                reduced.sort_unstable_by(|a, b| b.cmp(a));
                continue;
            };
            let place = format!("index.xor-masks[{at}]");
            return Err(Error::config(place, format!("{mask} {why}")));
        }
        Ok(())
    }
}

/// The object `{"xor-masks": […]}`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Masked {
    #[serde(rename = "xor-masks")]
    masks: Masks,
}

struct IndexVisitor;

impl<'de> Visitor<'de> for IndexVisitor {
    type Value = Index;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#""low-bits", "xor", or masks such as {"xor-masks": ["0x11", "0x22"]}"#)
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Index, E> {
        match name {
            "low-bits" => Ok(Index::LowBits),
            "xor" => Ok(Index::Xor),
            _ => Err(E::invalid_value(de::Unexpected::Str(name), &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Index, A::Error> {
        let Masked { masks } = Masked::deserialize(de::value::MapAccessDeserializer::new(map))?;
        Ok(Index::XorMasks(masks))
    }
}

impl<'de> Deserialize<'de> for Index {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(IndexVisitor)
    }
}
