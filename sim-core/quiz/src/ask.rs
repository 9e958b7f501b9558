//! The types of a question: what is asked, what a learner sees, and the verdict.

use pagewalk_base::addr::{Hex, Level, PageSize};
use pagewalk_base::trace::Kind;
use serde::{Deserialize, Serialize};

use crate::mistake::Mistake;

/// A question about one access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Ask {
    /// `hit` in any level of the TLB, `miss` if a walk finds the page, or `fault`: a page fault or an exception.
    Outcome,
    /// The set in which the access looks in the TLB array `of`.
    Set {
        of: String,
    },
    /// The way of the TLB array `of` that hits, or otherwise the way that the access fills.
    Way {
        of: String,
    },
    /// The page number that the access evicts from the TLB array `of`, or `none`.
    Victim {
        of: String,
    },
    /// A part of the address: `page-number`, `offset`, `index-N` for level N, and with the name of a TLB array
    /// `set:NAME` and `tag:NAME`.
    Field {
        of: String,
    },
    /// The number of page-table entries that the walk reads.
    References,
    /// The physical address of the entry in the table of this level.
    EntryAddress {
        level: Level,
    },
    PageSize,
    /// The error code of the page fault.
    FaultCode,
    Physical,
    Cycles,
    /// How many there are from the start of the trace up to and including the access: `walks`, `faults`,
    /// `references`, `pages` or `cycles`, and with the name of a TLB array `misses:NAME` and `hits:NAME`.
    Number {
        of: String,
    },
}

/// How an answer is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Form {
    /// One of `choices`.
    Choice,
    Decimal,
    /// A hexadecimal number, with or without `0x`.
    Hexadecimal,
}

/// A question with the facts that it may show. It does not contain the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Posed {
    pub ask: Ask,
    /// The number of the access.
    pub at: u32,
    pub address: Hex,
    /// The kind of the access.
    pub access: Kind,
    /// The number of the page. Missing if the answer follows from it, or if no page is mapped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<Hex>,
    /// The size of the page, under the same condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<PageSize>,
    /// The TLB array that the question is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array: Option<String>,
    pub form: Form,
    /// The texts to choose from, of which one is right. Empty unless the form is `choice`.
    pub choices: Vec<String>,
}

/// The verdict on an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Graded {
    pub right: bool,
    /// The right answer.
    pub answer: String,
    /// The mistake that leads to the answer that was given. Missing if the answer is right, or no mistake explains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistake: Option<Mistake>,
}
