//! Names that users type for a model: its id, its name, or the name of a processor that the model stands for.

use serde::{Deserialize, Serialize};

use super::CpuModel;

/// The name of a processor that a model also stands for, with its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct CpuAlias {
    /// The name, such as `Cascade Lake`.
    pub name: String,
    /// The variant that the name stands for. Missing = the model itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// A sentence about what the model leaves out of that processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The source that says that the TLBs are those of the model, or else that the core is; then `note` says so.
    pub source: String,
}

impl CpuAlias {
    /// Returns the id of the variant of the model `id`, or `id`.
    pub fn stands_for(&self, id: &str) -> String {
        match &self.variant {
            Some(variant) => format!("{id}:{variant}"),
            None => id.to_owned(),
        }
    }
}

impl CpuModel {
    /// Returns the id of the model or variant, and the alias if `word` is one. Case, spaces and punctuation do not
    /// matter, and the vendor may stand in front. `None` if the word names something else.
    pub(super) fn named(&self, word: &str) -> Option<(String, Option<&CpuAlias>)> {
        let word = letters(word);
        let is = |name: &str| {
            let name = letters(name);
            word == name || word.strip_prefix(&letters(&self.vendor)) == Some(&name)
        };
        if is(&self.id) || is(&self.name) {
            return Some((self.id.clone(), None));
        }
        let alias = self.aliases.iter().find(|alias| is(&alias.name))?;
        Some((alias.stands_for(&self.id), Some(alias)))
    }
}

/// Returns the letters and digits of a name, in lower case. All names are ASCII. Tables of other letters would be a
/// part of the module that the site opens with.
fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
