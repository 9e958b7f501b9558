//! Reads the tracepoint `tlb:tlb_flush`: the kernel flushed translations, with the number of pages and the
//! reason (Linux 6.12, `include/trace/events/tlb.h`).

use crate::import::digits::decimal;
use crate::import::report::TlbFlushes;
use pagewalk_base::sorted::sort_by_numbers;

/// The names of the reasons, by number (`include/linux/mm_types.h`, `enum tlb_flush_reason`).
const REASONS: [&str; 6] = [
    "flush on task switch",
    "remote shootdown",
    "local shootdown",
    "local MM shootdown",
    "remote IPI send",
    "remote wrong CPU",
];
/// The page count of a flush of everything.
const ALL: u64 = u64::MAX;

/// One flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flush {
    reason: u32,
    pages: u64,
}

impl Flush {
    /// Reads the fields of the tracepoint: 8 common bytes, an int, and an aligned long.
    pub(super) fn of_raw(raw: &[u8]) -> Option<Self> {
        let reason = u32::from_le_bytes(*raw.get(8..)?.first_chunk()?);
        let pages = u64::from_le_bytes(*raw.get(16..)?.first_chunk()?);
        Some(Self { reason, pages })
    }

    /// Reads `pages:1 reason:local MM shootdown (3)`.
    pub(super) fn of_text(text: &[u8]) -> Option<Self> {
        let after = |mark: &[u8]| {
            memchr::memmem::find(text, mark).and_then(|at| text.get(at + mark.len()..))
        };
        let pages = after(b"pages:")?.split(u8::is_ascii_whitespace).next()?;
        let pages = if pages == b"-1" { ALL } else { decimal(pages).ok()? };
        let reason = after(b"reason:")?;
        let number =
            reason.split(|byte| *byte == b'(').nth(1)?.split(|byte| *byte == b')').next()?;
        Some(Self { reason: u32::try_from(decimal(number).ok()?).ok()?, pages })
    }
}

/// Counts flushes by reason.
#[derive(Debug, Default)]
pub(super) struct Flushes(Vec<(u32, TlbFlushes)>);

/// The largest number of reasons that are counted separately; a kernel has a handful.
const MAX_REASONS: usize = 64;

impl Flushes {
    pub(super) fn count(&mut self, flush: Flush) {
        let Flush { reason, pages } = flush;
        let at = self.0.iter().position(|(known, _)| *known == reason).unwrap_or_else(|| {
            if self.0.len() < MAX_REASONS {
                let name = usize::try_from(reason).ok().and_then(|reason| REASONS.get(reason));
                let reason_text =
                    name.map_or_else(|| format!("reason {reason}"), ToString::to_string);
                self.0.push((reason, TlbFlushes { reason: reason_text, ..TlbFlushes::default() }));
            }
            self.0.len() - 1
        });
        let Some((_, flushes)) = self.0.get_mut(at) else { return };
        flushes.count += 1;
        if pages == ALL {
            flushes.whole += 1;
        } else {
            flushes.pages = flushes.pages.saturating_add(pages);
        }
    }

    /// Returns the reasons sorted by count, the largest first.
    pub(super) fn report(&self) -> Vec<TlbFlushes> {
        let mut all: Vec<TlbFlushes> = self.0.iter().map(|(_, flushes)| flushes.clone()).collect();
        sort_by_numbers(&mut all, |flushes| (u64::MAX - flushes.count, 0));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_a_flush_are_read_alike() {
        let raw = |reason: u32, pages: i64| {
            let mut raw = vec![7; 8];
            raw.extend(reason.to_le_bytes());
            raw.extend([9; 4]);
            raw.extend(pages.to_le_bytes());
            raw
        };
        for (text, reason, pages) in [
            ("pages:1 reason:local MM shootdown (3)", 3, 1),
            (" pages:-1 reason:flush on task switch (0)", 0, -1),
            ("pages:0 reason:remote IPI send (4) ffffffff81000000", 4, 0),
        ] {
            let read = Flush::of_text(text.as_bytes());
            assert!(read.is_some(), "{text}");
            assert_eq!(read, Flush::of_raw(&raw(reason, pages)), "{text}");
        }
        for text in
            ["", "pages:", "pages:x reason:a (1)", "pages:1 reason:a", "pages:1 reason:a (b)"]
        {
            assert_eq!(Flush::of_text(text.as_bytes()), None, "{text}");
        }
        assert_eq!(Flush::of_raw(&raw(3, 1)[..23]), None);
    }

    #[test]
    fn flushes_are_counted_by_reason() {
        let mut flushes = Flushes::default();
        for (reason, pages) in [(3, 1), (0, ALL), (3, 4), (3, ALL), (77, 2)] {
            flushes.count(Flush { reason, pages });
        }
        let reported = flushes.report().into_iter().map(|f| (f.reason, f.count, f.whole, f.pages));
        let expected = [
            ("local MM shootdown".to_owned(), 3, 1, 5),
            ("flush on task switch".to_owned(), 1, 1, 0),
            ("reason 77".to_owned(), 1, 0, 2),
        ];
        assert_eq!(reported.collect::<Vec<_>>(), expected);
    }
}
