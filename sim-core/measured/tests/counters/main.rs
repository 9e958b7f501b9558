//! perf stat: from what it printed to counters, from counters to what they mean.

mod support;

mod beside;
mod forms;
mod made;
mod meaning;
mod reading;
mod recorded;
