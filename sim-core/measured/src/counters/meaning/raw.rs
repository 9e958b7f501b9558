//! Events that are specified by number.

use crate::counters::family::Family;

/// Returns the name of an event that was given by its number: `r0108`, `event=0x08,umask=0x01`.
pub(super) fn raw(event: &str, family: Family) -> Option<&'static str> {
    let (number, umask) = if let Some(digits) = event.strip_prefix('r') {
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| !digits.is_empty())?;
        // A cycle mask or an inversion makes it a different event.
        (value <= 0xffff).then_some((value & 0xff, value >> 8))?
    } else {
        let (mut number, mut umask) = (None, 0);
        for term in event.split(',') {
            let (name, value) = term.split_once('=')?;
            let value = value.strip_prefix("0x").map_or_else(
                || value.parse().ok(),
                |digits| u32::from_str_radix(digits, 16).ok(),
            )?;
            match name {
                "event" => number = Some(value),
                "umask" => umask = value,
                "period" => {}
                _ => return None,
            }
        }
        (number?, umask)
    };
    let known = events_by_number(family).iter().find(|(n, mask, _)| (*n, *mask) == (number, umask));
    known.map(|(_, _, name)| *name)
}

/// Returns the number, mask and name of the events of a family that can be specified by number.
fn events_by_number(family: Family) -> &'static [(u32, u32, &'static str)] {
    match family {
        Family::IntelSandyBridge => &[
            (0x08, 0x01, "dtlb_load_misses.miss_causes_a_walk"),
            (0x08, 0x0e, "dtlb_load_misses.walk_completed"),
            (0x08, 0x10, "dtlb_load_misses.walk_duration"),
            (0x08, 0x60, "dtlb_load_misses.stlb_hit"),
            (0x49, 0x01, "dtlb_store_misses.miss_causes_a_walk"),
            (0x49, 0x0e, "dtlb_store_misses.walk_completed"),
            (0x49, 0x10, "dtlb_store_misses.walk_duration"),
            (0x85, 0x01, "itlb_misses.miss_causes_a_walk"),
            (0x85, 0x0e, "itlb_misses.walk_completed"),
        ],
        Family::IntelSkylake => &[
            (0x08, 0x01, "dtlb_load_misses.miss_causes_a_walk"),
            (0x08, 0x0e, "dtlb_load_misses.walk_completed"),
            (0x08, 0x10, "dtlb_load_misses.walk_pending"),
            (0x08, 0x20, "dtlb_load_misses.stlb_hit"),
            (0x49, 0x01, "dtlb_store_misses.miss_causes_a_walk"),
            (0x49, 0x0e, "dtlb_store_misses.walk_completed"),
            (0x49, 0x10, "dtlb_store_misses.walk_pending"),
            (0x49, 0x20, "dtlb_store_misses.stlb_hit"),
            (0x85, 0x01, "itlb_misses.miss_causes_a_walk"),
            (0x85, 0x0e, "itlb_misses.walk_completed"),
            (0x85, 0x10, "itlb_misses.walk_pending"),
            (0x85, 0x20, "itlb_misses.stlb_hit"),
        ],
        Family::IntelGoldenCove => &[
            (0x12, 0x0e, "dtlb_load_misses.walk_completed"),
            (0x12, 0x10, "dtlb_load_misses.walk_pending"),
            (0x12, 0x20, "dtlb_load_misses.stlb_hit"),
            (0x13, 0x0e, "dtlb_store_misses.walk_completed"),
            (0x13, 0x10, "dtlb_store_misses.walk_pending"),
            (0x13, 0x20, "dtlb_store_misses.stlb_hit"),
            (0x11, 0x0e, "itlb_misses.walk_completed"),
            (0x11, 0x10, "itlb_misses.walk_pending"),
            (0x11, 0x20, "itlb_misses.stlb_hit"),
        ],
        Family::AmdZen => {
            &[(0x45, 0xff, "ls_l1_d_tlb_miss.all"), (0x45, 0xf0, "ls_l1_d_tlb_miss.all_l2_miss")]
        }
        Family::Arm => &[
            (0x05, 0, "l1d_tlb_refill"),
            (0x25, 0, "l1d_tlb"),
            (0x34, 0, "dtlb_walk"),
            (0x35, 0, "itlb_walk"),
        ],
        _ => &[],
    }
}
