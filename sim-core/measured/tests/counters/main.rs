//! Tests of perf stat: reading its output, and the meaning of counters.

mod support;

mod compare;
mod forms;
mod made;
mod meaning;
mod reading;
mod recorded;
