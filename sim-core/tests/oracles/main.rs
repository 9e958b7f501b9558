//! Compares counts with manuals, closed forms and books. `docs/oracles.md` lists the sources.

#[path = "../common/mod.rs"]
mod common;

mod arrays;
mod nested;
mod walks;
