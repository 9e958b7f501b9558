//! The fields that a row can set: a CPU model, a path in the machine or in the mapping, or a shorthand for
//! these.

use serde_json::{Map, Value};

use pagewalk::config::cpu;
use pagewalk::os::{OsConfig, Virt};
use pagewalk_base::error::{Error, Result};
use pagewalk_base::json::read_tree;

/// A field. The fields are set in this order, so that later ones change the result of earlier ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// The machine, as the name of a CPU model or of a variant.
    Cpu,
    /// The whole machine.
    Machine,
    /// A path in the machine.
    InMachine(Vec<Step>),
    /// The whole mapping.
    Os,
    /// The policy for memory outside the regions, as `--pages`.
    Pages,
    InOs(Vec<Step>),
    Virt,
    /// The policy of the host, as `--host-pages`.
    HostPages,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Name(String),
    Item(usize),
}

impl Field {
    /// Returns the position of the field in the order in which fields are set.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::Cpu | Self::Machine => 0,
            Self::InMachine(_) => 1,
            Self::Os => 2,
            Self::Pages => 3,
            Self::InOs(_) => 4,
            Self::Virt => 5,
            Self::HostPages => 6,
        }
    }

    /// # Errors
    /// `bad-config` without a field if the text names no field.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let (first, path) = text.split_once('.').unwrap_or((text, ""));
        let found = match (first, path.is_empty()) {
            ("cpu", true) => Some(Self::Cpu),
            ("machine", true) => Some(Self::Machine),
            ("machine", false) => steps(path).map(Self::InMachine),
            ("os", true) => Some(Self::Os),
            ("os", false) => steps(path).map(Self::InOs),
            ("pages", true) => Some(Self::Pages),
            ("virt", true) => Some(Self::Virt),
            ("host_pages", true) => Some(Self::HostPages),
            _ => None,
        };
        found.filter(|_| !text.ends_with('.')).ok_or_else(|| {
            let message = format!(
                "`{text}` is no field: choose cpu, machine, a place in it such as machine.l2[0].entries, pages, os, a place in it such as os.frames, virt or host_pages"
            );
            Error::config("", message)
        })
    }

    /// Returns whether the value means that the field is not set: null for a shorthand.
    pub(super) fn leaves_out(&self, value: &Value) -> bool {
        value.is_null() && !matches!(self, Self::InMachine(_) | Self::InOs(_))
    }

    /// Checks the parts of a value that do not depend on other fields.
    ///
    /// # Errors
    /// `bad-config` without a field.
    pub(super) fn check(&self, value: &Value) -> Result<()> {
        match self {
            _ if self.leaves_out(value) => Ok(()),
            Self::Cpu => cpu::model(text(value)?).map(|_| ()).map_err(without_place),
            Self::Pages if is_recorded(value) => Ok(()),
            Self::Pages | Self::HostPages => pages(value).map(|_| ()),
            Self::Virt => virt(value).map(|_| ()),
            _ => Ok(()),
        }
    }
}

fn without_place(error: Error) -> Error {
    Error { at: None, ..error }
}

fn text(value: &Value) -> Result<&str> {
    value.as_str().ok_or_else(|| Error::config("", format!("{value}: expected a text")))
}

/// Returns whether pages have the sizes that the recording measured.
pub(super) fn is_recorded(value: &Value) -> bool {
    value.as_str() == Some("recorded")
}

/// Returns the policy of a shorthand.
pub(super) fn pages(value: &Value) -> Result<OsConfig> {
    let word = text(value)?;
    OsConfig::shorthand(word).ok_or_else(|| {
        let message = format!(
            "`{word}` is neither a page size, a power of two such as 4K, 2M or 1G, nor a policy such as thp or hugetlb-2M"
        );
        Error::config("", message)
    })
}

pub(super) fn virt(value: &Value) -> Result<Virt> {
    read_tree(value)
}

/// Parses a path such as `l2[0].entries`.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let (name, mut items) = part.split_at(part.find('[').unwrap_or(part.len()));
        if name.is_empty() {
            return None;
        }
        steps.push(Step::Name(name.to_owned()));
        while !items.is_empty() {
            let (number, rest) = items.strip_prefix('[')?.split_once(']')?;
            steps.push(Step::Item(number.parse().ok()?));
            items = rest;
        }
    }
    Some(steps)
}

/// Sets the value at a path. Missing objects on the way are created, but no items of lists.
///
/// # Errors
/// `bad-config` at the step that does not exist.
pub(super) fn put(tree: &mut Value, path: &[Step], value: Value) -> Result<()> {
    let mut place = tree;
    let mut at = String::new();
    for step in path {
        let next = match step {
            Step::Name(name) => {
                if place.is_null() {
                    *place = Value::Object(Map::new());
                }
                at += if at.is_empty() { "" } else { "." };
                at += name;
                place
                    .as_object_mut()
                    .map(|fields| fields.entry(name.as_str()).or_insert(Value::Null))
            }
            Step::Item(number) => {
                at += &format!("[{number}]");
                place.as_array_mut().and_then(|items| items.get_mut(*number))
            }
        };
        place = next.ok_or_else(|| Error::config(&at, "there is no such place"))?;
    }
    *place = value;
    Ok(())
}
