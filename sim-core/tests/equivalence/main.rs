//! Compares the machine with the naive simulator on random programs.

#[path = "../common/mod.rs"]
mod common;
#[path = "../naive/mod.rs"]
mod naive;

mod ecpt;
mod pom;
mod victima;
mod addresses;
mod arrays;
mod cores;
mod given;
mod hosts;
mod nested;
mod operations;
mod plain;
mod prefetchers;
mod streams;
