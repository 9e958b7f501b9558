//! Tests of questions: answers of textbooks, each mistake, and random questions on random machines.

#[path = "../../../tests/common/mod.rs"]
mod common;
#[path = "../../../tests/naive/machines.rs"]
mod machines;

mod mistakes;
mod numbers;
mod posed;
mod random;
mod support;
mod textbooks;
