//! Tests of machines by short scenarios: lookups, fills, dropped entries, counters, and replays.

#[path = "../common/mod.rs"]
mod common;

mod coalescing;
mod config_errors;
mod core_contents;
mod slots;
mod cpus;
mod ecpt;
mod effects;
mod ended;
mod event_costs;
mod given;
mod global;
mod inclusion;
mod invalidation;
mod knees;
mod latencies;
mod level_2_misses;
mod lockstep;
mod nested_tlb_counts;
mod nested_tlb_in_array;
mod overlap;
mod policies;
mod pom_tlb;
mod prefetching;
mod replay;
mod scenarios;
mod scenarios_walks;
mod site;
mod stale;
mod steps;
mod switch_back;
mod tiny_pages;
mod victima;
mod virtual_machines;
mod window;
