//! Generates accesses like those of a program: loops of code, arrays, a stack, pointers.

use pagewalk_base::trace::{Access, Kind};

/// Pseudo-random numbers by xorshift64*, equal in every run.
pub(crate) struct Draws(u64);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.max(1))
    }

    /// Returns a number below `n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }
}

/// Options of a generated program, which by default has fetches, loads and stores of one process.
#[derive(Clone, Copy, Default)]
pub(crate) struct Habits {
    pub(crate) processes: bool,
    pub(crate) prefetches: bool,
}

/// Returns `n` accesses: runs of code with data accesses between them, some across a page border.
pub(crate) fn program(n: usize, seed: u64, habits: Habits) -> Vec<Access> {
    let mut draws = Draws::new(seed);
    let mut accesses = Vec::with_capacity(n);
    let (mut pc, mut pid, mut swept) = (0x40_0000, 0, 0);
    while accesses.len() < n {
        if habits.processes && draws.below(4000) == 0 {
            pid = u32::try_from(draws.below(3)).unwrap();
        }
        if draws.below(60) == 0 {
            pc = 0x40_0000 + draws.below(40) * 4096 + draws.below(256) * 16;
        }
        let mut push =
            |kind, address, size| accesses.push(Access { pid, ..Access::new(kind, address, size) });
        push(Kind::Fetch, pc, 4);
        pc += 4;
        match draws.below(12) {
            0 => push(Kind::Load, 0x7ffd_0000_0000 - draws.below(256) * 8, 8),
            1 => push(Kind::Store, 0x7ffd_0000_0000 - draws.below(256) * 8, 8),
            2 => {
                swept = (swept + 64) % (3 << 20);
                push(Kind::Load, 0x10_0000_0ffc + swept, 8);
            }
            3 if draws.below(8) == 0 => {
                push(Kind::Store, 0x20_0000_0000 + draws.below(1 << 22) * 8, 8);
            }
            4 if habits.prefetches => push(Kind::Prefetch, 0x10_0000_1000 + swept, 1),
            5 if draws.below(50) == 0 => {
                push(Kind::Load, 0x30_0000_0000 + (draws.below(64) << 12) - 4, 8);
            }
            _ => {}
        }
    }
    accesses.truncate(n);
    accesses
}
