//! The numbers of pages that are measured.

/// The most pages of a chase.
const MOST: u32 = 16_384;

/// Numbers of pages. Both sides of sizes that processors have are measured, and two pages less, which a browser's loop may
/// need itself. The steps are at most a fourth.
const STEPS: [u32; 99] = [
    4, 6, 8, 10, 12, 14, 15, 16, 17, 18, 20, 24, 28, 30, 31, 32, 33, 36, 40, 44, 46, 47, 48, 49,
    52, 56, 60, 62, 63, 64, 65, 68, 70, 71, 72, 73, 76, 80, 88, 94, 95, 96, 97, 100, 104, 112, 120,
    126, 127, 128, 129, 144, 158, 159, 160, 161, 176, 192, 193, 208, 224, 225, 240, 256, 257, 272,
    320, 384, 448, 512, 576, 640, 768, 896, 1024, 1152, 1280, 1408, 1536, 1664, 1792, 2048, 2304,
    2560, 2816, 3072, 3328, 3584, 4096, 4608, 5120, 6144, 7168, 8192, 9216, 10_240, 12_288, 14_336,
    MOST,
];

/// The bytes of address space that all steps need with 4K pages.
pub const BACKING: usize = (MOST as usize) << 12;

/// Returns the numbers of pages that fit into `bytes`, if the first bytes of two pages are `stride` bytes apart.
pub fn steps(bytes: usize, stride: usize) -> Vec<u32> {
    let fits = |pages: &u32| (*pages as usize).checked_mul(stride).is_some_and(|it| it <= bytes);
    STEPS.into_iter().filter(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_grow_by_at_most_a_fourth_from_8_pages_on() {
        let all = steps(BACKING, 4096);
        assert_eq!(all.len(), STEPS.len());
        for pair in all.windows(2).filter(|pair| pair[0] >= 8) {
            assert!(pair[0] < pair[1] && pair[1] * 4 <= pair[0] * 5, "{pair:?}");
        }
    }

    #[test]
    fn larger_strides_leave_out_the_steps_that_do_not_fit() {
        assert_eq!(steps(BACKING, 64 << 12).last(), Some(&256));
        assert_eq!(steps(0, 4096), [0; 0]);
        assert_eq!(steps(usize::MAX, usize::MAX), [0; 0]);
    }
}
