//! Questions about one access of a replay. The simulator knows the answer, and it says which mistake leads to a wrong
//! one.
//!
//! ```text
//! a replay, an access, an Ask ─▶ scene ─▶ solution ─▶ Posed (without the answer)
//!                                            └─ given ─▶ Graded
//! ```
//!
//! A question is about the translation of the first byte of the access; outcome, references and cycles are those of
//! the whole access. A number is that of all accesses until then. Each module uses only the modules above it.

mod mistake;
mod ask;
mod reading;
mod solution;
mod scene;
mod lookup;
mod array;
mod address;
mod walk;
mod outcome;
mod counts;
mod number;
mod question;
pub mod exercise;

pub use ask::{Ask, Form, Graded, Posed};
pub use mistake::Mistake;
pub use question::{Choices, grade, pose};
