//! Bits, and how many are set from one on: the counts of neighbours stand in one word, so that a question takes
//! one load at each level, and a change one addition.
//!
//! ```text
//! words    64 bits each
//! blocks   8 words: for each, the bits set in those after it, in 9 bits (Vigna's rank9, turned around)
//! quads    4 blocks, 4 of those, 4 of those: the same in 16 bits
//! supers   4 of the last: bits set
//! ```

use pagewalk_base::narrow::low32;

const WORDS: usize = 8;
const QUADS: usize = 3;
/// Bits of a block.
const BLOCK: usize = 64 * WORDS;
/// Bits of a super.
pub(super) const SUPER: usize = BLOCK << (2 * QUADS);
/// A one in each count of a block, and of a quad, but for the last part, which has nothing after it.
const NINES: u64 = 0x0040_2010_0804_0201;
const LANES: u64 = 0x0001_0001_0001;

#[derive(Default)]
pub(super) struct Rank {
    words: Vec<u64>,
    blocks: Vec<u64>,
    quads: [Vec<u64>; QUADS],
    supers: Vec<u32>,
}

impl Rank {
    /// Clear bits, `n` or some more.
    pub(super) fn new(n: usize) -> Self {
        let n_blocks = n.div_ceil(BLOCK);
        let quads = [4, 16, 64].map(|blocks| vec![0; n_blocks.div_ceil(blocks)]);
        let supers = vec![0; n.div_ceil(SUPER)];
        Self { words: vec![0; n_blocks * WORDS], blocks: vec![0; n_blocks], quads, supers }
    }

    pub(super) fn len(&self) -> usize {
        64 * self.words.len()
    }

    pub(super) fn is_set(&self, at: usize) -> bool {
        self.words[at / 64] >> (at % 64) & 1 == 1
    }

    #[inline]
    pub(super) fn set(&mut self, at: usize) {
        self.flip(at, u64::wrapping_add);
        self.supers[at / SUPER] += 1;
    }

    #[inline]
    pub(super) fn clear(&mut self, at: usize) {
        self.flip(at, u64::wrapping_sub);
        self.supers[at / SUPER] -= 1;
    }

    /// Counts of a part are those of the parts before it that change with it. None of them overflows
    /// or falls below 0, so that neighbours in a word keep apart.
    #[inline(always)]
    fn flip(&mut self, at: usize, change: impl Fn(u64, u64) -> u64) {
        let word = at / 64;
        self.words[word] ^= 1 << (at % 64);
        let block = &mut self.blocks[word / WORDS];
        *block = change(*block, NINES & ((1 << (9 * (word % WORDS))) - 1));
        let mut part = word / WORDS;
        for quads in &mut self.quads {
            let quad = &mut quads[part / 4];
            *quad = change(*quad, LANES & ((1 << (16 * (part % 4))) - 1));
            part /= 4;
        }
    }

    /// Bits set at a position and after.
    #[inline]
    pub(super) fn n_since(&self, at: usize) -> u32 {
        let word = at / 64;
        let mut part = word / WORDS;
        let mut n = u64::from((self.words[word] >> (at % 64)).count_ones());
        n += self.blocks[part] >> (9 * (word % WORDS)) & 0x1ff;
        for quads in &self.quads {
            n += quads[part / 4] >> (16 * (part % 4)) & 0xffff;
            part /= 4;
        }
        low32(n) + self.supers[part + 1..].iter().sum::<u32>()
    }
}
