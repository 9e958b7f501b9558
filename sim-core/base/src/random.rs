//! Pseudo-random numbers: equal seeds give equal sequences on every machine.

/// Returns the next state of xorshift64* (Vigna 2016). A state of 0 stays 0.
pub fn xorshift(mut state: u64) -> u64 {
    state ^= state >> 12;
    state ^= state << 25;
    state ^ state >> 27
}

/// Returns the random number of a state of xorshift64*.
pub fn draw(state: u64) -> u64 {
    state.wrapping_mul(0x2545_f491_4f6c_dd1d)
}
