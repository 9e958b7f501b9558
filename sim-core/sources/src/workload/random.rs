//! Random numbers that are the same in every run, and permutations that need no memory.

use pagewalk_base::random::{draw, xorshift};

/// xorshift64*: a sequence for each seed.
#[derive(Clone, Debug)]
pub struct Draws(u64);

impl Draws {
    /// Starts a sequence. Seed 0 stands for another number, because the generator would stay at 0.
    pub fn new(seed: u64) -> Self {
        Self(if seed == 0 { 0x9e37_79b9_7f4a_7c15 } else { seed })
    }

    /// Returns the next 53 bits.
    fn next(&mut self) -> u64 {
        self.0 = xorshift(self.0);
        draw(self.0) >> 11
    }

    /// Returns a number below `n`, which is 1 to 2⁴⁸. Probabilities differ by at most n / 2⁵³.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// Returns a number in [0, 1).
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    pub fn unit(&mut self) -> f64 {
        self.next() as f64 / (1u64 << 53) as f64
    }

    /// Returns true in `percent` of 100 cases.
    pub(super) fn chance(&mut self, percent: u64) -> bool {
        match percent {
            0 => false,
            100.. => true,
            _ => self.below(100) < percent,
        }
    }
}

/// Mixes all bits of a number (the finaliser of splitmix64, Steele et al. 2014).
pub(super) fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// A random permutation of 0..n: four Feistel rounds on the smallest even number of bits that holds n. They
/// are repeated while the result is not below n.
#[derive(Clone, Debug)]
pub(super) struct Permutation {
    n: u64,
    half_bits: u32,
    keys: [u64; 4],
}

impl Permutation {
    /// Makes a permutation; `n` is 1 to 2⁶².
    pub(super) fn new(n: u64, seed: u64) -> Self {
        let bits = 64 - (n - 1).leading_zeros();
        let mut key = mix(seed ^ 0x5065_726d_7574_6521);
        let keys = [0; 4].map(|_: u64| {
            key = mix(key.wrapping_add(0x9e37_79b9_7f4a_7c15));
            key
        });
        Self { n, half_bits: bits.div_ceil(2), keys }
    }

    /// Returns the image of `x`, which is below n.
    pub(super) fn of(&self, x: u64) -> u64 {
        let mut y = self.once(x);
        while y >= self.n {
            y = self.once(y);
        }
        y
    }

    fn once(&self, x: u64) -> u64 {
        let mask = (1 << self.half_bits) - 1;
        let (mut left, mut right) = (x >> self.half_bits, x & mask);
        for key in self.keys {
            (left, right) = (right, left ^ mix(right ^ key) & mask);
        }
        left << self.half_bits | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permutation_reaches_every_number_once() {
        for n in [1, 2, 3, 4, 5, 63, 64, 65, 1000, 4096, 5001] {
            let permutation = Permutation::new(n, 7);
            let mut reached: Vec<u64> = (0..n).map(|x| permutation.of(x)).collect();
            reached.sort_unstable();
            assert!(reached.iter().copied().eq(0..n), "{n}");
        }
    }

    /// A random permutation of n has one fixed point and n/2 rises on average; 5 standard deviations.
    #[test]
    fn a_permutation_is_in_no_order() {
        for seed in 0..4 {
            let permutation = Permutation::new(100_000, seed);
            let reached: Vec<u64> = (0..100_000).map(|x| permutation.of(x)).collect();
            let rises = reached.windows(2).filter(|pair| pair[0] < pair[1]).count();
            assert!((49_500..=50_500).contains(&rises), "{rises} rises");
            let fixed = (0..).zip(&reached).filter(|(x, y)| x == *y).count();
            assert!(fixed <= 8, "{fixed} fixed points");
        }
    }

    #[test]
    fn draws_cover_their_range_evenly() {
        let mut draws = Draws::new(0);
        let mut counts = [0; 10];
        for _ in 0..100_000 {
            counts[usize::try_from(draws.below(10)).unwrap()] += 1;
        }
        assert!(counts.iter().all(|n| (9_500..=10_500).contains(n)), "{counts:?}");
        let mean = (0..100_000).map(|_| draws.unit()).sum::<f64>() / 100_000.0;
        assert!((mean - 0.5).abs() < 0.005, "{mean}");
    }
}
