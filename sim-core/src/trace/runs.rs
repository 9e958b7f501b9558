//! Page runs: the trace with repeats on one page counted instead of listed.
//!
//! Fetches are one group, loads and stores the other. An access is a *repeat* if
//! the last access of its kind was on the same page and no access of its group
//! has been on another page since; otherwise it is a *head*. A machine whose
//! level-1 arrays serve fetches apart from data needs to translate heads only.
//!
//! ```text
//! word   kk e ss nnnnn nnnn nnn ddddddddddddddd
//!        │  │ │  │     │    │   └ page − base, signed; 32 more bits in the next word if e
//!        │  │ │  └─────┴────┴ fetches, loads, stores repeated before this head
//!        │  │ └ base: one of the last four pages of the group
//!        └ fetch, load, store; 3 = a note: type (3 bits), payload (27 bits)
//! ```

#[cfg(feature = "fast")]
pub(super) mod slots;

use super::access::{Access, Kind};
use super::op::{OpReader, OpRecord};
use crate::narrow::small;

/// Pages of runs are 4 KiB; larger pages see more heads than they need, never fewer.
pub const RUN_PAGE_BITS: u32 = 12;

const NOTE: u32 = 3;
/// So many repeats, beside those that a head's own word counts.
const NOTE_FETCHES: u32 = 0;
const NOTE_LOADS: u32 = 1;
const NOTE_STORES: u32 = 2;
/// The next word is the process of the accesses that follow.
const NOTE_PROCESS: u32 = 3;
/// The next head ends this many pages further on.
const NOTE_STRADDLE: u32 = 4;
/// The next head is a prefetch.
const NOTE_PREFETCH: u32 = 5;
/// The next two words are a page that becomes a base of the group in the payload.
const NOTE_BASE: u32 = 6;
/// The chunk's next operation happens here.
const NOTE_OP: u32 = 7;
const PAYLOAD_BITS: u32 = 27;
const PAYLOAD_MAX: u32 = (1 << PAYLOAD_BITS) - 1;
/// Bits of the three counts in a head's word.
const COUNT_BITS: [u32; 3] = [5, 4, 3];
const COUNT_AT: [u32; 3] = [5, 10, 14];
const COUNTS: u32 = 0xfff << 5;
const DELTA_AT: u32 = 17;

/// The last four distinct pages of each group.
#[derive(Clone, Copy, Default)]
struct Recent {
    pages: [u64; 4],
    next: usize,
}

impl Recent {
    /// Keeps a page, unless it is the base itself.
    #[cfg_attr(feature = "fast", inline(always))]
    fn note(&mut self, page: u64, base: usize, repeated: bool) {
        // A base that is repeated is written over by itself: that takes no branch.
        let at = if repeated { base } else { self.next };
        self.pages[at % 4] = page;
        self.next = (self.next + usize::from(!repeated)) % 4;
    }

    /// The page of a head, and how many words it has beside the first. `next` is the word after that.
    #[cfg_attr(feature = "fast", inline(always))]
    fn read(&mut self, word: u32, next: u32) -> (u64, usize) {
        let base = (word >> 3 & 3) as usize;
        // Half of all words may have a second one, so there is no branch: the next word is read in any
        // case, and shifted out again with the sign if it is a head's.
        let is_long = word >> 2 & 1;
        let joined = u64::from(next) << 15 | u64::from(word >> DELTA_AT);
        let unused = 49 - 32 * is_long;
        let delta = ((joined << unused).cast_signed() >> unused).cast_unsigned();
        let page = self.pages[base].wrapping_add(delta) & (u64::MAX >> RUN_PAGE_BITS);
        self.note(page, base, delta == 0);
        (page, is_long as usize)
    }

    /// Keeps a page that is none of the four.
    fn add(&mut self, page: u64) {
        self.note(page, 0, false);
    }
}

/// The signed way from one page to another, around the end of the address space if that is shorter.
#[inline]
fn difference(to: u64, from: u64) -> i64 {
    (to.wrapping_sub(from) << RUN_PAGE_BITS).cast_signed() >> RUN_PAGE_BITS
}

/// The group of a kind: 0 for fetches, 1 for data.
#[inline]
pub(crate) fn group(kind: Kind) -> usize {
    usize::from(!kind.is_fetch())
}

/// A head that is a prefetch, or ends on another page than it begins on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) index: u32,
    pub(crate) kind: Kind,
    /// The 4 KiB page of its first byte.
    pub(crate) page: u64,
    /// 4 KiB pages from there to that of its last byte.
    pub(crate) distance: u32,
}

/// What a reader of runs is told, in order.
pub(crate) trait RunVisitor {
    /// So many repeats of fetches, loads and stores.
    fn repeats(&mut self, n: [u32; 3]);
    fn process(&mut self, pid: u32);
    fn op(&mut self, record: &OpRecord);
    /// One access that must be translated: it lies in the 4 KiB page of the given number.
    fn head(&mut self, index: u32, kind: Kind, page: u64);
    /// The same for several accesses of one kind, one after the other.
    fn heads(&mut self, first: u32, kind: Kind, pages: &[u64]) {
        for (index, page) in (first..).zip(pages) {
            self.head(index, kind, *page);
        }
    }
    /// The same for one that may need two translations, or none.
    fn special(&mut self, head: Head);
}

/// Writes the runs of one chunk.
#[derive(Default)]
pub(super) struct RunWriter {
    words: Vec<u32>,
    counts: [u32; 3],
    /// By kind: one more than the page on which an access would be a repeat; 0 where it is none.
    current: [u64; 4],
    recent: [Recent; 2],
    /// The process of the chunk's accesses so far, `None` before the first.
    pid: Option<u32>,
}

impl RunWriter {
    /// Adds an access; true if it is a head.
    #[inline]
    pub(super) fn push(&mut self, access: &Access) -> bool {
        let page = access.address >> RUN_PAGE_BITS;
        let last_page = access.last() >> RUN_PAGE_BITS;
        let at = access.kind.index();
        if self.current[at] == page + 1 && last_page == page && Some(access.pid) == self.pid {
            self.counts[at] += 1;
            return false;
        }
        self.push_head(access.kind, page, last_page, access.pid);
        true
    }

    fn push_head(&mut self, kind: Kind, page: u64, last_page: u64, pid: u32) {
        if Some(pid) != self.pid {
            self.flush_counts([0; 3]);
            self.words.extend([NOTE | NOTE_PROCESS << 2, pid]);
            self.pid = Some(pid);
            self.current = [0; 4];
        }
        if kind == Kind::Prefetch {
            self.words.push(NOTE | NOTE_PREFETCH << 2);
        }
        if last_page != page {
            let distance = u32::try_from(last_page - page).expect("sizes are 32 bits");
            self.words.push(NOTE | NOTE_STRADDLE << 2 | distance.min(PAYLOAD_MAX) << 5);
        }
        self.write_head(kind, page);
        // Another page in the group, or one that may not have been filled, ends the runs of the others.
        let broken = last_page != page || kind == Kind::Prefetch;
        let of_group = if kind.is_fetch() { 0..1 } else { 1..4 };
        for other in &mut self.current[of_group] {
            if broken || *other != page + 1 {
                *other = 0;
            }
        }
        if kind != Kind::Prefetch {
            self.current[kind.index()] = last_page + 1;
        }
    }

    fn write_head(&mut self, kind: Kind, page: u64) {
        let recent = &mut self.recent[group(kind)];
        let deltas = recent.pages.map(|base| difference(page, base));
        let nearest = (0..4).min_by_key(|at| deltas[*at].unsigned_abs());
        let mut base = nearest.expect("four bases");
        let mut delta = deltas[base];
        if !(-(1 << 46)..1 << 46).contains(&delta) {
            let halves =
                [page & 0xffff_ffff, page >> 32].map(|half| u32::try_from(half).expect("32 bits"));
            let note = NOTE | NOTE_BASE << 2 | u32::try_from(group(kind)).expect("two groups") << 5;
            self.words.extend([note, halves[0], halves[1]]);
            base = recent.next;
            recent.add(page);
            delta = 0;
        }
        recent.note(page, base, delta == 0);
        let fits = |n: u32, bits: u32| n < 1 << bits;
        if !(0..3).all(|at| fits(self.counts[at], COUNT_BITS[at])) {
            self.flush_counts(COUNT_BITS);
        }
        let served = if kind == Kind::Prefetch { Kind::Load } else { kind };
        let mut word = u32::try_from(served.index()).expect("three kinds");
        word |= u32::try_from(base).expect("four bases") << 3;
        for (n, at) in self.counts.iter().zip(COUNT_AT) {
            word |= n << at;
        }
        self.counts = [0; 3];
        word |= u32::try_from(delta & 0x7fff).expect("15 bits") << DELTA_AT;
        if (-0x4000..0x4000).contains(&delta) {
            self.words.push(word);
        } else {
            let high = u32::try_from(delta >> 15 & 0xffff_ffff).expect("32 bits");
            self.words.push(word | 1 << 2);
            self.words.push(high);
        }
    }

    /// Writes the counts that do not fit the given bits as notes.
    #[cold]
    fn flush_counts(&mut self, bits: [u32; 3]) {
        for (at, note) in [NOTE_FETCHES, NOTE_LOADS, NOTE_STORES].into_iter().enumerate() {
            while self.counts[at] >= 1 << bits[at] {
                let n = self.counts[at].min(PAYLOAD_MAX);
                self.words.push(NOTE | note << 2 | n << 5);
                self.counts[at] -= n;
            }
        }
    }

    /// An operation ends all runs. It may have changed the process.
    pub(super) fn push_op(&mut self) {
        self.flush_counts([0; 3]);
        self.words.push(NOTE | NOTE_OP << 2);
        self.pid = None;
        self.current = [0; 4];
    }

    /// Ends the chunk; the writer is as new, so that chunks can be read alone.
    pub(super) fn finish(&mut self) -> Box<[u32]> {
        self.flush_counts([0; 3]);
        let words = self.words.as_slice().into();
        self.words.clear();
        *self = Self { words: std::mem::take(&mut self.words), ..Self::default() };
        words
    }
}

/// What notes say of the head that follows; 0 if nothing. The upmost bit: it is a prefetch; the others: 4 KiB
/// pages from its first byte to its last.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Noted(u32);

const PREFETCH: u32 = 1 << 31;

/// Reads the runs of a chunk whose first access has number `first`.
#[inline]
pub(super) fn visit(
    words: &[u32],
    first: u32,
    mut ops: OpReader<'_>,
    visitor: &mut impl RunVisitor,
) {
    let mut index = first;
    let mut recent = [Recent::default(); 2];
    let mut noted = Noted(0);
    let mut at = 0;
    // Heads since the last count or note.
    let mut n_alone = 0;
    let mut pages = [0; MANY];
    while let Some(word) = words.get(at).copied() {
        if cfg!(feature = "fast") && n_alone >= ENOUGH && word & NOTE != NOTE {
            let kind = Kind::ALL[(word & 3) as usize];
            let (n, n_words) = read_heads(&words[at..], &mut recent[group(kind)], &mut pages);
            visitor.heads(index, kind, &pages[..n]);
            index += small(n);
            at += n_words;
            n_alone = if n == MANY { ENOUGH } else { 0 };
            if n > 0 {
                continue;
            }
        }
        at += 1;
        if word & 3 == NOTE {
            match word >> 2 & 7 {
                note @ NOTE_FETCHES..=NOTE_STORES => {
                    let mut n = [0; 3];
                    n[note as usize % 3] = word >> 5;
                    index += word >> 5;
                    visitor.repeats(n);
                }
                NOTE_OP => {
                    if let Some((_, record)) = ops.next() {
                        visitor.op(&record);
                    }
                }
                _ => {
                    let rest = words.get(at..).unwrap_or_default();
                    at += read_note(word, rest, &mut recent, &mut noted, visitor);
                }
            }
            n_alone = 0;
            continue;
        }
        n_alone += 1;
        if word & COUNTS != 0 {
            n_alone = 0;
            let n = |at: usize| word >> COUNT_AT[at] & ((1 << COUNT_BITS[at]) - 1);
            let repeats = [n(0), n(1), n(2)];
            index += repeats[0] + repeats[1] + repeats[2];
            visitor.repeats(repeats);
        }
        let kind = Kind::ALL[(word & 3) as usize];
        let (page, is_long) = recent[group(kind)].read(word, words.get(at).copied().unwrap_or(0));
        at += is_long;
        if noted == Noted(0) {
            visitor.head(index, kind, page);
        } else {
            let kind = if noted.0 & PREFETCH == 0 { kind } else { Kind::Prefetch };
            visitor.special(Head { index, kind, page, distance: noted.0 & !PREFETCH });
            noted = Noted(0);
        }
        index += 1;
    }
}

/// So many heads without a count or note between them, and it is likely that more are coming.
const ENOUGH: u32 = 8;
/// Heads that are read together.
const MANY: usize = 64;

/// Reads the pages of heads of one kind as long as nothing is between them, but not the last of the chunk; returns
/// how many, and of how many words.
#[inline(never)]
fn read_heads(words: &[u32], recent: &mut Recent, pages: &mut [u64; MANY]) -> (usize, usize) {
    let mut rest = words;
    let kind = words.first().map_or(NOTE, |word| word & NOTE);
    let mut n = 0;
    for page in pages {
        let [word, next, ..] = *rest else { break };
        if word & (NOTE | COUNTS) != kind {
            break;
        }
        let (read, n_more) = recent.read(word, next);
        *page = read;
        rest = &rest[1 + n_more..];
        n += 1;
    }
    (n, words.len() - rest.len())
}

/// Does what a note says that is not a count, which is rare; returns how many words after it belong to it.
#[cold]
#[inline(never)]
fn read_note(
    word: u32,
    rest: &[u32],
    recent: &mut [Recent; 2],
    noted: &mut Noted,
    visitor: &mut impl RunVisitor,
) -> usize {
    let payload = word >> 5;
    let next = |at: usize| rest.get(at).copied().unwrap_or(0);
    match word >> 2 & 7 {
        NOTE_PROCESS => {
            visitor.process(next(0));
            1
        }
        NOTE_BASE => {
            recent[payload as usize % 2].add(u64::from(next(1)) << 32 | u64::from(next(0)));
            2
        }
        NOTE_STRADDLE => {
            noted.0 = noted.0 & PREFETCH | payload;
            0
        }
        _ => {
            noted.0 |= PREFETCH;
            0
        }
    }
}
