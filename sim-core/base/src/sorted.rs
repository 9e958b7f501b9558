//! Sorts lists by numbers, with one copy of the sorting code for all types.
//!
//! The library's sort has code of its own for each type, some kilobytes, and the site loads it before it shows anything.

use crate::narrow::{index, small};

/// Sorts a list by two numbers. Elements with equal numbers keep their order. A list has fewer than 2³² elements.
pub fn sort_by_numbers<T>(list: &mut Vec<T>, numbers: impl Fn(&T) -> (u64, u64)) {
    let mut order: Vec<(u64, u64, u32)> = Vec::with_capacity(list.len());
    for (at, element) in list.iter().enumerate() {
        let (first, second) = numbers(element);
        order.push((first, second, small(at)));
    }
    sort(&mut order);
    let mut elements: Vec<Option<T>> = std::mem::take(list).into_iter().map(Some).collect();
    for (_, _, at) in order {
        list.extend(elements[index(at.into())].take());
    }
}

#[inline(never)]
fn sort(order: &mut [(u64, u64, u32)]) {
    order.sort_unstable();
}

#[cfg(test)]
mod tests {
    use super::sort_by_numbers;
    use cases::cases;

    #[test]
    fn a_list_is_sorted_as_the_library_does() {
        cases(300).check(|u| {
            let mut list = Vec::new();
            for at in 0..u.int_in_range(0..=40)? {
                list.push((u.int_in_range(0..=5u64)?, u.int_in_range(0..=3u64)?, at));
            }
            let mut expected = list.clone();
            expected.sort_by_key(|(first, second, _)| (*first, *second));
            sort_by_numbers(&mut list, |(first, second, _)| (*first, *second));
            assert_eq!(list, expected);
            Ok(())
        });
    }
}
