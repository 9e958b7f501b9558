//! The selection of a part of a file: processes, threads, events, modes, a window, or every n-th stretch of
//! accesses.
//!
//! ```text
//! accesses of the file ─▶ processes, threads, events, modes, time ─▶ from … to ─▶ every ─▶ limit
//!                                                                 └ numbered from 0 here
//! ```

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::census::{process_text, thread_text};
use super::flow::Stop;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::samples::Mode;

/// The selected part of a file. The default is all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Selection {
    /// Processes, with bit 31 set for a virtual machine that the process runs; empty means all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<u32>>"))]
    pub pids: Vec<u32>,
    /// Threads; empty means all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<u32>>"))]
    pub tids: Vec<u32>,
    /// Events of a sampled recording, by name, or as `#1` by number; empty means all. A `perf.data` file has
    /// the full names at its end. Until then, events are called by what they count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<String>>"))]
    pub events: Vec<String>,
    /// Modes in which a sampled recording ran; empty means all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<Mode>>"))]
    pub modes: Vec<Mode>,
    /// The beginning of the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Bound>,
    /// The end of the window, which is not part of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Bound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<Every>,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Bound {
    /// The number of an access, from 0, among those of the selected processes, threads, events and modes.
    Access(u64),
    /// Nanoseconds after the first time in the file.
    Time(u64),
}

impl<'de> Deserialize<'de> for Bound {
    /// Reads an object with one field. The reader of configurations, which also reads saved traces, does not
    /// support variants with values.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fields {
            access: Option<u64>,
            time: Option<u64>,
        }
        match Fields::deserialize(deserializer)? {
            Fields { access: Some(access), time: None } => Ok(Self::Access(access)),
            Fields { access: None, time: Some(time) } => Ok(Self::Time(time)),
            _ => Err(D::Error::custom("expected either `access` or `time`")),
        }
    }
}

/// The first `keep` accesses of every `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Every {
    pub keep: u64,
    pub of: u64,
}

impl Selection {
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// Checks that the selection can select something.
    ///
    /// # Errors
    /// `bad-config` at the field that selects nothing.
    pub fn check(&self) -> Result<()> {
        if let Some(Every { keep, of }) = self.every
            && (keep == 0 || keep > of)
        {
            let message = format!("cannot keep {keep} of every {of} accesses: keep 1 to {of}");
            return Err(Error::config("select.every", message));
        }
        let is_empty = match (self.from, self.to) {
            (Some(Bound::Access(from)), Some(Bound::Access(to)))
            | (Some(Bound::Time(from)), Some(Bound::Time(to))) => from >= to,
            (_, Some(Bound::Access(to) | Bound::Time(to))) => to == 0,
            _ => false,
        };
        if is_empty {
            return Err(Error::config(
                "select.to",
                "no access is between the two: the end must be after the beginning",
            ));
        }
        Ok(())
    }

    /// Describes the selection in words, or returns nothing if it is the whole file.
    pub fn words(&self) -> Vec<String> {
        let list = |one: &str, several: &str, all: Vec<String>| match all.len() {
            0 => None,
            1 => Some(format!("{one} {}", all[0])),
            _ => Some(format!("{several} {}", all.join(", "))),
        };
        let pids = self.pids.iter().copied().map(process_text).collect();
        let tids = self.tids.iter().copied().map(thread_text).collect();
        let modes = self.modes.iter().map(|mode| mode.name().to_owned()).collect();
        let bound = |word: &str, bound: Option<Bound>| {
            bound.map(|bound| match bound {
                Bound::Access(number) => format!("{word} access {number}"),
                Bound::Time(time) => format!("{word} {} s", seconds(time)),
            })
        };
        let every =
            self.every.map(|every| format!("{} of every {} accesses", every.keep, every.of));
        let parts = [
            list("process", "processes", pids),
            list("thread", "threads", tids),
            list("event", "events", self.events.clone()),
            list("mode", "modes", modes),
            bound("from", self.from),
            bound("to before", self.to),
            every,
        ];
        parts.into_iter().flatten().collect()
    }
}

/// Writes nanoseconds as seconds, without trailing zeros.
fn seconds(time: u64) -> String {
    let text = format!("{}.{:09}", time / 1_000_000_000, time % 1_000_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The process, thread, time, mode and event of an access.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Origin<'a> {
    pub(super) pid: u32,
    pub(super) tid: u32,
    /// The time in nanoseconds.
    pub(super) time: Option<u64>,
    pub(super) mode: Mode,
    /// The index of the event in the list of the recording, and its name until now.
    pub(super) event: Option<(usize, &'a str)>,
}

/// Selects accesses one after the other.
#[derive(Debug)]
pub(super) struct Selector {
    what: Selection,
    /// Whether only the limit decides.
    is_all: bool,
    limit: u64,
    taken: u64,
    left_out: u64,
    /// The number of accesses that every part of the selection except the window includes.
    numbered: u64,
    /// The first time in the file.
    start: Option<u64>,
}

impl Selector {
    pub(super) fn new(what: Selection, limit: u64) -> Result<Self> {
        what.check()?;
        let is_all = what.is_all();
        Ok(Self { what, is_all, limit, taken: 0, left_out: 0, numbered: 0, start: None })
    }

    /// Returns whether the next access is selected. The first access beyond the limit or the window stops the
    /// import. A file with exactly as many accesses is read to its end.
    #[inline]
    pub(super) fn pick(&mut self, origin: &Origin<'_>) -> Result<bool, Stop> {
        if !self.is_all && !self.wants(origin)? {
            self.left_out += 1;
            return Ok(false);
        }
        if self.taken == self.limit {
            return Err(Stop::Full);
        }
        self.taken += 1;
        Ok(true)
    }

    /// Selects the next `n` accesses at once, if the selection and the limit surely include them all.
    #[inline]
    pub(super) fn pick_all(&mut self, n: u64) -> bool {
        let is_picked = self.is_all && n <= self.limit - self.taken;
        if is_picked {
            self.taken += n;
        }
        is_picked
    }

    fn wants(&mut self, origin: &Origin<'_>) -> Result<bool, Stop> {
        if self.start.is_none() {
            self.start = origin.time;
        }
        let Selection { pids, tids, events, modes, from, to, every } = &self.what;
        let has = |list: &[u32], number| list.is_empty() || list.contains(&number);
        let is_event = |(number, name): (usize, &str)| {
            events.iter().any(|event| is_name(event, name) || is_number(event, number))
        };
        let since = origin.time.zip(self.start).map(|(time, start)| time.saturating_sub(start));
        let is_in_time = match (from, to) {
            (Some(Bound::Time(from)), _) if since.is_none_or(|since| since < *from) => false,
            (_, Some(Bound::Time(to))) if since.is_none_or(|since| since >= *to) => false,
            _ => true,
        };
        let wanted = has(pids, origin.pid)
            && has(tids, origin.tid)
            && (events.is_empty() || origin.event.is_some_and(is_event))
            && (modes.is_empty() || modes.contains(&origin.mode))
            && is_in_time;
        if !wanted {
            return Ok(false);
        }
        let number = self.numbered;
        if let Some(Bound::Access(to)) = *to
            && number >= to
        {
            return Err(Stop::Full);
        }
        self.numbered += 1;
        let first = if let Some(Bound::Access(from)) = *from { from } else { 0 };
        let place = number.checked_sub(first);
        Ok(place.is_some_and(|place| every.is_none_or(|every| place % every.of < every.keep)))
    }

    /// Returns whether operations of a process are selected.
    pub(super) fn wants_process(&self, pid: u32) -> bool {
        self.what.pids.is_empty() || self.what.pids.contains(&pid)
    }

    /// Returns whether the next access is within the window, if the rest of the selection includes it.
    pub(super) fn is_in_window(&self) -> bool {
        let Selection { from, to, every, .. } = self.what;
        let first = if let Some(Bound::Access(from)) = from { from } else { 0 };
        let is_before_end = |to| self.numbered < to;
        let place = self.numbered.checked_sub(first);
        !matches!(to, Some(Bound::Access(to)) if !is_before_end(to))
            && place.is_some_and(|place| every.is_none_or(|every| place % every.of < every.keep))
    }

    /// Returns whether the limit is reached.
    pub(super) fn is_full(&self) -> bool {
        self.taken == self.limit
    }

    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    /// Returns the number of selected accesses, and samples without an access.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    pub(super) fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Returns the selection, unless it is the whole file.
    pub(super) fn selection(&self) -> Option<&Selection> {
        (!self.is_all).then_some(&self.what)
    }

    /// Returns whether the selection needs times and the file has none.
    pub(super) fn lacks_time(&self) -> bool {
        let is_time = |bound: Option<Bound>| matches!(bound, Some(Bound::Time(_)));
        (is_time(self.what.from) || is_time(self.what.to)) && self.start.is_none()
    }
}

/// Returns whether `name` names an event, with or without its suffix: `page-faults/period=1/`, `cycles:u`.
fn is_name(event: &str, name: &str) -> bool {
    event == name
        || name.split(['/', ':']).next().is_some_and(|word| !word.is_empty() && event == word)
}

/// Returns whether `#2` names the event with index 1.
fn is_number(event: &str, index: usize) -> bool {
    let number = event.strip_prefix('#').and_then(|number| number.parse::<usize>().ok());
    number.is_some_and(|number| number.checked_sub(1) == Some(index))
}
