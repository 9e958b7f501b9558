//! What can be set in a row: a model, a place in the machine or in the mapping, or the words for it.

use serde_json::{Map, Value};

use pagewalk::config::cpu;
use pagewalk::os::{OsConfig, Virt};
use pagewalk_base::error::{Error, Result};
use pagewalk_base::json::read_tree;

/// What a value is put into. In this order they are set, so that the later change what the earlier made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// A CPU model or a variant in the place of the machine.
    Cpu,
    /// The whole machine.
    Machine,
    /// A place in it.
    InMachine(Vec<Step>),
    /// How memory is mapped, as a whole.
    Os,
    /// What memory outside the regions is mapped with, as `--pages`.
    Pages,
    InOs(Vec<Step>),
    Virt,
    /// The same of the host, as `--host-pages`.
    HostPages,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Name(String),
    Item(usize),
}

impl Field {
    /// When it is set.
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
    /// `bad-config` without a field, where the text is none.
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

    /// Returns whether the value says nothing: null in the place of a word.
    pub(super) fn leaves_out(&self, value: &Value) -> bool {
        value.is_null() && !matches!(self, Self::InMachine(_) | Self::InOs(_))
    }

    /// Checks a value as far as it can be done without the others.
    ///
    /// # Errors
    /// `bad-config` without a field.
    pub(super) fn check(&self, value: &Value) -> Result<()> {
        match self {
            _ if self.leaves_out(value) => Ok(()),
            Self::Cpu => cpu::model(text(value)?).map(|_| ()).map_err(without_place),
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

/// Returns the policy that a word stands for.
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

/// `l2[0].entries`
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

/// Puts a value at a path; objects that are missing on the way are made, items of lists are not.
///
/// # Errors
/// `bad-config` at the step that has no place.
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
