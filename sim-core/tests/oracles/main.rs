//! What manuals, closed forms and books say, and what is counted: `docs/oracles.md`.

#[path = "../common/mod.rs"]
mod common;

mod arrays;
mod books;
mod nested;
mod walks;
