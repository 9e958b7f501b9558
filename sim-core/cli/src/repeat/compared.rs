//! Compares the values of two results.

use std::fmt::Display;

use pagewalk_experiments::about::FACTS;
use serde_json::Value;

/// The largest number of differences that are printed.
pub(super) const MAX_SHOWN: usize = 4;

#[derive(Default)]
pub(super) struct Compared {
    /// The number of values compared.
    pub(super) n: u64,
    pub(super) n_different: u64,
    /// The first differences, in words.
    pub(super) different: Vec<String>,
}

impl Compared {
    /// Compares two values and everything in them. `at` is their place.
    pub(super) fn values(&mut self, at: &str, before: Option<&Value>, now: Option<&Value>) {
        match (before, now) {
            (Some(Value::Object(a)), Some(Value::Object(b))) => {
                let added = b.keys().filter(|key| !a.contains_key(*key));
                for key in a.keys().chain(added) {
                    let place = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                    if !is_of_the_program(&place) {
                        self.values(&place, a.get(key), b.get(key));
                    }
                }
            }
            (Some(Value::Array(a)), Some(Value::Array(b))) => {
                for index in 0..a.len().max(b.len()) {
                    self.values(&format!("{at}[{index}]"), a.get(index), b.get(index));
                }
            }
            _ => {
                let text = |it: Option<&Value>| it.map(Value::to_string);
                self.one(at, before == now, || [text(before), text(now)]);
            }
        }
    }

    /// Notes one value, and if it differs, the texts of before and now.
    pub(super) fn one(
        &mut self,
        at: impl Display,
        is_same: bool,
        texts: impl FnOnce() -> [Option<String>; 2],
    ) {
        self.n += 1;
        if is_same {
            return;
        }
        self.n_different += 1;
        if self.different.len() < MAX_SHOWN {
            let [before, now] = texts().map(|it| it.unwrap_or_else(|| "nothing".to_owned()));
            self.different.push(format!("{at} was {before}, is {now}"));
        }
    }

    /// Compares the values of two rows of a sweep.
    pub(super) fn rows(&mut self, number: u64, before: &Value, now: &Value) {
        let mut row = Self::default();
        row.values("", Some(before), Some(now));
        self.n += row.n;
        self.n_different += row.n_different;
        let left = MAX_SHOWN - self.different.len();
        let words = row.different.iter().take(left).map(|words| format!("row {number}: {words}"));
        self.different.extend(words);
    }
}

/// Returns whether a value describes the program and the command, not their result. The id of a sweep also
/// names the version.
pub(super) fn is_of_the_program(place: &str) -> bool {
    let of_program = &FACTS[..4];
    of_program.contains(&place) || ["about.program", "version", "sweep"].contains(&place)
}
