//! The accesses of a row of a table.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::Deserialize;

use super::calls::Inside;
use super::objects::Objects;
use pagewalk_base::addr::{AddressTags, Hex};
use pagewalk_base::trace::Trace;

/// A filter of accesses: those to a range of addresses or to a data structure, or those by a range of instructions, by
/// a line of the source or in a call path.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Filter {
    Address {
        start: Hex,
        end: Hex,
    },
    Instruction {
        start: Hex,
        end: Hex,
    },
    Line {
        file: String,
        line: u32,
    },
    Object {
        name: String,
    },
    /// The functions of a path, the outermost first, and all that it calls.
    Calls {
        path: Vec<String>,
    },
}

/// A filter, with what a trace says about its line or its data structure.
#[derive(Debug)]
pub(crate) enum Kept {
    Address(Range<u64>),
    Instruction(Range<u64>),
    Line(BTreeSet<u64>),
    Object(Box<Objects>, Option<usize>),
    Calls(Inside),
}

impl Kept {
    pub(crate) fn new(filter: &Filter, trace: &Trace, tags: Option<AddressTags>) -> Self {
        match filter {
            Filter::Address { start, end } => Self::Address(start.0..end.0),
            Filter::Instruction { start, end } => Self::Instruction(start.0..end.0),
            Filter::Line { file, line } => {
                let places = trace.places().iter();
                let is_its = |place: &str, of: u32| place == file && of == *line;
                let its = places.filter(|(_, place)| is_its(place.file, place.line));
                Self::Line(its.map(|(ip, _)| ip).collect())
            }
            Filter::Object { name } => {
                let objects = Objects::new(trace, &trace.pages_without(tags));
                let number = objects.number(name);
                Self::Object(Box::new(objects), number)
            }
            Filter::Calls { path } => Self::Calls(Inside::new(trace, path)),
        }
    }

    /// Returns whether the filter keeps access `index` to `address` by the instruction at `ip`, if that is known.
    /// The accesses must come in their order.
    pub(crate) fn fits(
        &mut self,
        trace: &Trace,
        index: u32,
        address: u64,
        ip: Option<u64>,
    ) -> bool {
        match self {
            Self::Address(range) => range.contains(&address),
            Self::Instruction(range) => ip.is_some_and(|ip| range.contains(&ip)),
            Self::Line(ips) => ip.is_some_and(|ip| ips.contains(&ip)),
            Self::Object(objects, number) => {
                objects.advance(trace, index);
                objects.at(address) == *number && number.is_some()
            }
            Self::Calls(inside) => inside.has(trace, index),
        }
    }
}
