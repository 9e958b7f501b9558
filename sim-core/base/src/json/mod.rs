//! Reads configurations from JSON. Every error names the field or the line.
//!
//! ```text
//! text ─▶ tree ─▶ the type
//! ```
//!
//! The text becomes a tree first, and every type is read from a tree. So each type needs its reading code
//! only once.

mod node;
mod tree;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, ErrorCode, Place, Result};
use node::{Node, Trouble};
use tree::Tree;

/// Reads a configuration from JSON.
///
/// # Errors
/// `bad-config`, with the field that is wrong.
pub fn parse_json<T: DeserializeOwned>(json: &str) -> Result<T> {
    T::deserialize(Node(&tree(json)?)).map_err(|trouble| error_of(trouble, last_line(json)))
}

/// Reads a configuration, or a part of one, from a tree.
///
/// # Errors
/// `bad-config` with the field that is wrong. The path is empty if the whole tree is wrong.
pub fn read_tree<T: DeserializeOwned>(tree: &Value) -> Result<T> {
    T::deserialize(Node(tree)).map_err(|trouble| error_of(trouble, Place::Field(String::new())))
}

/// Returns whether a flag is false. serde calls it to leave out the field.
#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference, which some targets have larger than the flag"
)]
pub fn is_false(flag: &bool) -> bool {
    !flag
}

/// Reads one JSON value. An object with a repeated field is an error.
fn tree(json: &str) -> Result<Value> {
    let wrong = |error: &serde_json::Error, message: &str| {
        let place = Place::Line(error.line() as u64);
        Error::new(ErrorCode::BadConfig, message).at(place)
    };
    let mut reader = serde_json::Deserializer::from_str(json);
    let Tree(tree) = serde::Deserialize::deserialize(&mut reader)
        .map_err(|error| wrong(&error, without_place(&error.to_string())))?;
    reader.end().map_err(|error| wrong(&error, "more text follows the JSON object"))?;
    Ok(tree)
}

/// Makes an error. `whole` is its place if no single field is wrong.
fn error_of(trouble: Trouble, whole: Place) -> Error {
    let Trouble { path, message } = trouble;
    let place = if path.is_empty() { whole } else { Place::Field(path) };
    Error::new(ErrorCode::BadConfig, message).at(place)
}

/// Removes the line and column from the end of a `serde_json` message.
fn without_place(message: &str) -> &str {
    message.rsplit_once(" at line ").map_or(message, |(text, _)| text)
}

/// Returns the line on which the value ends.
fn last_line(json: &str) -> Place {
    Place::Line(json.trim_end().split('\n').count() as u64)
}
