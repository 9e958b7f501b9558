//! JSON text as configurations: every error names the field or the line.
//!
//! ```text
//! text ─▶ tree ─▶ the type
//! ```
//!
//! The text becomes a tree first, and all types are read from trees: the code that reads a type
//! exists once, however it is reached.

mod node;
mod tree;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, ErrorCode, Place, Result};
use node::{Node, Trouble};
use tree::Tree;

/// Reads a configuration from JSON and names the field that does not fit.
///
/// # Errors
/// `bad-config`.
pub fn parse_json<T: DeserializeOwned>(json: &str) -> Result<T> {
    T::deserialize(Node(&tree(json)?)).map_err(|trouble| error_of(trouble, last_line(json)))
}

/// Reads a configuration, or a part of one, from a tree.
///
/// # Errors
/// `bad-config` with the field that does not fit; its path is empty for the whole.
pub fn read_tree<T: DeserializeOwned>(tree: &Value) -> Result<T> {
    T::deserialize(Node(tree)).map_err(|trouble| error_of(trouble, Place::Field(String::new())))
}

/// Whether a field is left out that says only that something is so.
#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference, which some targets have larger than the flag"
)]
pub fn is_false(flag: &bool) -> bool {
    !flag
}

/// Reads one JSON value, whose objects have each field once.
fn tree(json: &str) -> Result<Value> {
    let refused = |error: &serde_json::Error, message: &str| {
        let place = Place::Line(error.line() as u64);
        Error::new(ErrorCode::BadConfig, message).at(place)
    };
    let mut reader = serde_json::Deserializer::from_str(json);
    let Tree(tree) = serde::Deserialize::deserialize(&mut reader)
        .map_err(|error| refused(&error, without_place(&error.to_string())))?;
    reader.end().map_err(|error| refused(&error, "more text follows the JSON object"))?;
    Ok(tree)
}

/// `whole` is the place of what concerns no field.
fn error_of(trouble: Trouble, whole: Place) -> Error {
    let Trouble { path, message } = trouble;
    let place = if path.is_empty() { whole } else { Place::Field(path) };
    Error::new(ErrorCode::BadConfig, message).at(place)
}

/// A message of `serde_json` without the line and column that it ends with.
fn without_place(message: &str) -> &str {
    message.rsplit_once(" at line ").map_or(message, |(text, _)| text)
}

/// Where the value ends that the text is.
fn last_line(json: &str) -> Place {
    Place::Line(json.trim_end().split('\n').count() as u64)
}
