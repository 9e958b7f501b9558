//! The part of a program's accesses that a recording keeps.

use pagewalk_base::trace::MAX_ACCESSES;
use pagewalk_sources::import::{Bound, Every, Selection};

use super::hooks::Window;
use crate::args::{RecordArgs, RecordWith};
use crate::table::grouped;

#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The number of first accesses that are left out.
    pub(super) skip: u64,
    pub(super) window: Option<Window>,
    /// The most accesses that are kept.
    pub(super) limit: u64,
}

impl Part {
    pub(super) fn of(args: &RecordArgs) -> Self {
        Self {
            skip: args.skip.unwrap_or(0),
            window: args.window.map(|(keep, of)| Window { keep, of }),
            limit: args.limit.unwrap_or(u64::MAX).min(MAX_ACCESSES.into()),
        }
    }

    /// Returns the selection with which an importer keeps this part.
    pub(super) fn selection(&self) -> Selection {
        Selection {
            from: (self.skip > 0).then_some(Bound::Access(self.skip)),
            every: self.window.map(|Window { keep, of }| Every { keep, of }),
            ..Selection::default()
        }
    }

    /// Says what was left out before the end.
    pub(super) fn left_out(&self, with: RecordWith) -> Vec<String> {
        let skipped = (self.skip > 0).then(|| {
            let n = counted(self.skip);
            format!("--skip left out the first {n} of the program")
        });
        let window = self.window.map(|Window { keep, of }| {
            let of_a_thread = if with == RecordWith::Cc { " of a thread" } else { "" };
            let of = counted(of);
            format!("--window kept the first {} of every {of}{of_a_thread}", grouped(keep))
        });
        skipped.into_iter().chain(window).collect()
    }

    /// Says that the limit ended the recording, and how to get other accesses.
    pub(super) fn reached(&self, with: RecordWith) -> String {
        let n = counted(self.limit);
        let what = match with {
            RecordWith::Lackey | RecordWith::Cc => {
                format!("The recording ended the program after {n}")
            }
            RecordWith::Perf | RecordWith::Drmemtrace => format!("Only the first {n} were kept"),
        };
        if self.limit < u64::from(MAX_ACCESSES) {
            format!(
                "{what}, as --limit asks. A larger --limit keeps more, --skip N keeps later ones"
            )
        } else {
            format!("{what}, the most that a trace holds. --skip N or --window N/M keeps others")
        }
    }
}

/// Writes a number of accesses.
pub(super) fn counted(n: u64) -> String {
    format!("{} {}", grouped(n), if n == 1 { "access" } else { "accesses" })
}
