//! A bit vector that counts the bits set from a position on. The counts of neighbours share one word, so a
//! query takes one load at each level, and a change takes one addition.
//!
//! ```text
//! words    64 bits each
//! blocks   8 words: for each word, the bits set in the words after it, in 9 bits (Vigna's rank9, turned around)
//! quads    three levels, of 4, 16 and 64 blocks in 4 parts: for each part, the bits set in the parts after it, in 16 bits
//! supers   64 blocks each: the number of bits set
//! ```

use pagewalk_base::narrow::low32;

const WORDS: usize = 8;
const QUADS: usize = 3;
/// The number of bits in a block.
const BLOCK: usize = 64 * WORDS;
/// The number of bits in a super.
pub(super) const SUPER: usize = BLOCK << (2 * QUADS);
/// A word with 1 in each count of a block. [`LANES`] is such a word for a quad. The last part has no count, because
/// no part follows it.
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
    /// Creates a vector of at least `n` clear bits.
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

    /// Flips a bit, and applies `change` to the counts of the parts before it. No count overflows or becomes
    /// negative, so neighbours in a word do not influence each other.
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

    /// Returns the number of bits set at `at` and after it.
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
