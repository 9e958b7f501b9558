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

/// Further numbers of pages where only every `stride`-th page is used: a level may then reach no more than its ways.
const FEW: [u32; 6] = [1, 2, 3, 5, 7, 9];

/// The bytes of address space that all steps need with 4K pages.
pub const BACKING: usize = (MOST as usize) << 12;

/// Returns the numbers of pages that fit into `bytes`, if every `stride`-th page of `page` bytes is used.
pub fn steps(bytes: usize, page: usize, stride: usize) -> Vec<u32> {
    let fits = |pages: &u32| {
        let between = page.checked_mul(stride);
        between.and_then(|it| it.checked_mul(*pages as usize)).is_some_and(|it| it <= bytes)
    };
    let few: &[u32] = if stride > 1 { &FEW } else { &[] };
    let mut all: Vec<u32> = few.iter().copied().chain(STEPS).filter(fits).collect();
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_grow_by_at_most_a_fourth_from_8_pages_on() {
        let all = steps(BACKING, 4096, 1);
        assert_eq!(all.len(), STEPS.len());
        for pair in all.windows(2).filter(|pair| pair[0] >= 8) {
            assert!(pair[0] < pair[1] && pair[1] * 4 <= pair[0] * 5, "{pair:?}");
        }
    }

    #[test]
    fn larger_strides_leave_out_the_steps_that_do_not_fit() {
        assert_eq!(steps(BACKING, 4096, 64).last(), Some(&256));
        assert_eq!(steps(0, 4096, 1), [0; 0]);
        assert_eq!(steps(usize::MAX, usize::MAX, 2), [0; 0]);
    }

    #[test]
    fn larger_strides_begin_with_fewer_pages_than_an_array_has_ways() {
        assert_eq!(steps(BACKING, 4096, 2)[..8], [1, 2, 3, 4, 5, 6, 7, 8]);
    }
}
