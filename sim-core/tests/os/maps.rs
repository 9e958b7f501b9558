//! Tests of the sources of the memory map, and of their effect on page sizes.

use crate::support::check;
use expect_test::expect;

/// A recorded map: code of 3.2 MB in one file, a library at an unaligned file offset, a heap, and JIT code.
const RECORDED: &str = "
    map 0x400000-0x733000 0x0 x /usr/bin/a
    map 0x7f0000000000-0x7f0000400000 0x1000 x /lib/libc.so.6
    map 0x1000000-0x1500000 0x0 - [heap]
    map 0x2000000-0x2400000 0x0 x //anon
    fetch 0x400000
    fetch 0x601000
    fetch 0x7f0000200000
    fetch 0x2000000
    load 0x1000000
    store 0x1400000
    load 0x7ffc00000000";

#[test]
fn recorded_regions_decide_for_each_policy() {
    for os in ["4K", "thp", "hugetlb-2M", "hugetext"] {
        let expected = match os {
            "4K" => expect![[r"
                pages: 4K 7, table_pages 14
                KiB: mapped 28, tables 56
                faults: first touch 4, shared 3
                process 0 0x400000..0x733000 text /usr/bin/a [trace] 4K: 2 × 4K
                process 0 0x1000000..0x1500000 heap [heap] [trace] 4K: 2 × 4K
                process 0 0x2000000..0x2400000 jit //anon [trace] 4K: 1 × 4K
                process 0 0x7f0000000000..0x7f0000400000 library /lib/libc.so.6 [trace] 4K: 1 × 4K
            "]],
            "thp" => expect![[r"
                pages: 2M 3, 4K 4, table_pages 11
                KiB: mapped 6160, waste 6132, tables 44
                faults: first touch 4, shared 3
                process 0 0x400000..0x733000 text /usr/bin/a [trace] 4K: 2 × 4K
                process 0 0x1000000..0x1500000 heap [heap] [trace] thp: 1 × 2M + 1 × 4K
                process 0 0x2000000..0x2400000 jit //anon [trace] thp: 1 × 2M
                process 0 0x7f0000000000..0x7f0000400000 library /lib/libc.so.6 [trace] 4K: 1 × 4K
            "]],
            "hugetlb-2M" => expect![[r"
                pages: 2M 3, 4K 4, table_pages 11
                KiB: mapped 6160, waste 6132, tables 44
                faults: first touch 4, shared 3
                process 0 0x400000..0x733000 text /usr/bin/a [trace] 4K: 2 × 4K
                process 0 0x1000000..0x1500000 heap [heap] [trace] hugetlb-2M: 1 × 2M + 1 × 4K
                process 0 0x2000000..0x2400000 jit //anon [trace] hugetlb-2M: 1 × 2M
                process 0 0x7f0000000000..0x7f0000400000 library /lib/libc.so.6 [trace] 4K: 1 × 4K
            "]],
            _ => expect![[r"
                pages: 2M 2, 4K 5, table_pages 12
                KiB: mapped 4116, waste 4088, tables 48
                faults: first touch 4, shared 3
                process 0 0x400000..0x733000 text /usr/bin/a [trace] hugetext: 1 × 2M + 1 × 4K
                process 0 0x1000000..0x1500000 heap [heap] [trace] 4K: 2 × 4K
                process 0 0x2000000..0x2400000 jit //anon [trace] hugetext: 1 × 2M
                process 0 0x7f0000000000..0x7f0000400000 library /lib/libc.so.6 [trace] hugetext: 1 × 4K (no huge pages: the address is not congruent to the file offset modulo their size)
            "]],
        };
        check(&format!(r#"{{"default": "{os}"}}"#), RECORDED, &expected);
    }
}

/// A trace without a map: code with data next to it, more code, distant data, and a stack.
const UNRECORDED: &str = "
    fetch 0x400000
    fetch 0x5ff000
    fetch 0x600000
    load 0x601000
    fetch 0x7f0000000000
    store 0x10000000
    store 0x10201000
    load 0x7ffc00000000";

#[test]
fn regions_are_inferred_where_the_trace_has_no_records() {
    for os in [
        r#"{"default": "4K"}"#,
        r#"{"default": "4K", "map": "inferred"}"#,
        r#"{"default": "thp"}"#,
        r#"{"default": "hugetlb-2M"}"#,
        r#"{"default": "hugetext"}"#,
        r#"{"default": "thp", "map": "none"}"#,
    ] {
        let expected = match os {
            r#"{"default": "4K"}"# => expect![[r"
                pages: 4K 8, table_pages 13
                KiB: mapped 32, tables 52
                faults: first touch 8
            "]],
            r#"{"default": "4K", "map": "inferred"}"# => expect![[r"
                pages: 4K 8, table_pages 13
                KiB: mapped 32, tables 52
                faults: first touch 3, shared 5
                0x400000..0x602000 text [inferred] 4K: 4 × 4K
                0x10000000..0x10001000 anonymous [inferred] 4K: 1 × 4K
                0x10201000..0x10202000 anonymous [inferred] 4K: 1 × 4K
                0x7f0000000000..0x7f0000001000 library [inferred] 4K: 1 × 4K
                0x7ffc00000000..0x7ffc00001000 stack [inferred] 4K: 1 × 4K
            "]],
            r#"{"default": "thp"}"# => expect![[r"
                pages: 2M 3, 4K 5, table_pages 10
                KiB: mapped 6164, waste 6132, tables 40
                faults: first touch 3, shared 5
                0x400000..0x800000 text [inferred] 4K: 4 × 4K
                0x10000000..0x10200000 anonymous [inferred] thp: 1 × 2M
                0x10200000..0x10400000 anonymous [inferred] thp: 1 × 2M
                0x7f0000000000..0x7f0000200000 library [inferred] 4K: 1 × 4K
                0x7ffc00000000..0x7ffc00200000 stack [inferred] thp: 1 × 2M
            "]],
            r#"{"default": "hugetlb-2M"}"# => expect![[r"
                pages: 2M 2, 4K 6, table_pages 11
                KiB: mapped 4120, waste 4088, tables 44
                faults: first touch 3, shared 5
                0x400000..0x800000 text [inferred] 4K: 4 × 4K
                0x10000000..0x10200000 anonymous [inferred] hugetlb-2M: 1 × 2M
                0x10200000..0x10400000 anonymous [inferred] hugetlb-2M: 1 × 2M
                0x7f0000000000..0x7f0000200000 library [inferred] 4K: 1 × 4K
                0x7ffc00000000..0x7ffc00200000 stack [inferred] 4K: 1 × 4K
            "]],
            r#"{"default": "hugetext"}"# => expect![[r"
                pages: 2M 2, 4K 5, table_pages 11
                KiB: mapped 4116, waste 4084, tables 44
                faults: first touch 3, shared 4
                0x400000..0x600000 text [inferred] hugetext: 1 × 2M
                0x600000..0x800000 text [inferred] 4K: 2 × 4K
                0x10000000..0x10200000 anonymous [inferred] 4K: 1 × 4K
                0x10200000..0x10400000 anonymous [inferred] 4K: 1 × 4K
                0x7f0000000000..0x7f0000200000 text [inferred] hugetext: 1 × 2M
                0x7ffc00000000..0x7ffc00200000 stack [inferred] 4K: 1 × 4K
            "]],
            _ => expect![[r"
                pages: 2M 6, table_pages 7
                KiB: mapped 12288, waste 12256, tables 28
                faults: first touch 6
            "]],
        };
        check(os, UNRECORDED, &expected);
    }
}

/// Fact S1.11: three blocks of code. The second one is the hottest.
#[test]
fn a_cap_gives_huge_text_pages_to_the_hottest_code() {
    let text = "
        fetch 0x400000
        fetch 0x600000
        load 0x10000000
        fetch 0x600000
        load 0x10000000
        fetch 0x601000
        fetch 0x800000
        fetch 0x801000";
    for max in 0..3 {
        let expected = match max {
            0 => expect![[r"
                pages: 4K 6, table_pages 7
                KiB: mapped 24, tables 28
                faults: first touch 1, shared 5
                0x400000..0xa00000 text [inferred] hugetext: 5 × 4K
                0x10000000..0x10200000 anonymous [inferred] 4K: 1 × 4K
            "]],
            1 => expect![[r"
                pages: 2M 1, 4K 4, table_pages 6
                KiB: mapped 2064, waste 2040, tables 24
                faults: first touch 1, shared 4
                0x400000..0xa00000 text [inferred] hugetext: 1 × 2M + 3 × 4K
                0x10000000..0x10200000 anonymous [inferred] 4K: 1 × 4K
            "]],
            _ => expect![[r"
                pages: 2M 2, 4K 2, table_pages 5
                KiB: mapped 4104, waste 4080, tables 20
                faults: first touch 1, shared 3
                0x400000..0xa00000 text [inferred] hugetext: 2 × 2M + 1 × 4K
                0x10000000..0x10200000 anonymous [inferred] 4K: 1 × 4K
            "]],
        };
        check(
            &format!(r#"{{"default": "hugetext", "hugetext": {{"max": {max}}}}}"#),
            text,
            &expected,
        );
    }
}

#[test]
fn each_process_has_the_map_of_its_records() {
    check(
        r#"{"default": "thp"}"#,
        "map 0x400000-0x800000 0x0 x /bin/a pid 7
        map 0x400000-0x800000 0x0 - //anon pid 9
        fetch 0x400000 pid 7
        load 0x400000 pid 9
        load 0x400000 pid 11",
        &expect![[r"
            pages: 2M 2, 4K 1, table_pages 10
            KiB: mapped 4100, waste 4088, tables 40
            faults: first touch 2, shared 1
            process 7 0x400000..0x800000 text /bin/a [trace] 4K: 1 × 4K
            process 9 0x400000..0x800000 anonymous //anon [trace] thp: 1 × 2M
        "]],
    );
}
