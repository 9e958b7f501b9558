//! One test for each experiment. Numbers such as O45 and S1.2 refer to published facts.

use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::record::stats::Stats;
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::Completeness;
use pagewalk_experiments::experiment::{
    ExperimentRun, PreTouchCounts, Verdict, list, pre_touch_counts, run,
};
use pagewalk_sources::workload::generator;

use crate::support::{checked, found, near, on_paper, row};

/// O45: the counts are those of the closed form, which `array_misses_are_those_of_lru_lists` compares with lists.
#[test]
fn random_bytes_miss_as_the_closed_form_says() {
    let result = checked("byte-array");
    for bytes in ["1,000,000", "10,000,000", "100,000,000"] {
        for pages in ["4K", "THP", "hugetlbfs"] {
            for quantity in ["L1 dTLB misses", "page walks"] {
                let derived = row(&result, &[bytes, pages], quantity).derived.as_ref();
                let verdict = derived.and_then(|figure| figure.verdict);
                assert_eq!(verdict, Some(Verdict::Agrees), "{bytes} {pages} {quantity}");
            }
        }
    }
    // S0.6: both kinds of huge pages are equal for the TLB.
    for bytes in ["1,000", "10,000", "1,000,000", "10,000,000", "100,000,000"] {
        near(found(&result, &[bytes], "counters that differ"), 0.0, 0.0);
    }
}

/// O46: 1 walk per iteration with 4K pages; 3 L1 misses in 2048 iterations and no walk with 2M pages.
#[test]
fn a_column_walk_misses_at_every_step() {
    let result = checked("matrix");
    let of = |pages, quantity| found(&result, &["intel-core2, LRU", pages, "8208"], quantity);
    near(of("4K", "page walks"), 1.0 + 3.0 / 2048.0, 1e-12);
    near(of("2M", "L1 misses of loads"), 3.0 / 2048.0, 1e-12);
    near(of("2M", "page walks"), 0.0, 0.0);
    // The published 1 in 256 is calculated, so it has no verdict. It is true if DTLB0 keeps no page of b.
    let calculated = row(&result, &["intel-core2, LRU", "2M", "8208"], "L1 misses of loads");
    assert!(calculated.published.as_ref().is_some_and(|it| it.verdict.is_none()));
    near(found(&result, &["4"], "L1 misses of loads"), 1.0 / 256.0, 0.0);
    near(found(&result, &["intel-core2, LRU", "4K", "8192"], "page walks"), 1.000_488, 1e-6);
    near(found(&result, &["intel-haswell, tree PLRU", "4K", "8208"], "page walks"), 1.0, 0.01);
}

/// O47: miss rates such as 1 − 8 / 75. S1.9: the signs of the effects. The best cap is near the number of
/// entries.
#[test]
fn a_code_cache_is_too_large_for_a_few_entries() {
    let result = checked("code-cache");
    let miss = |code, pages, entries| found(&result, &[code, pages, entries], "iTLB misses");
    near(miss("150 MiB", "75", "8"), 0.893, 0.01);
    near(miss("150 MiB", "75", "16"), 0.787, 0.01);
    near(miss("150 MiB", "75", "64"), 0.147, 0.01);
    near(miss("18 MiB", "9", "8"), 0.111, 0.01);
    near(miss("400 MiB", "200", "8"), 0.960, 0.01);
    near(miss("16 MiB", "8", "8"), 0.0, 0.0);
    near(miss("18 MiB, in a cycle", "9", "8"), 1.0, 0.0);
    // A thread of two has half of the iTLB for 4K pages, whose misses become hits of the STLB.
    let stlb = |threads, pages| found(&result, &[threads, pages], "STLB hits");
    assert!(stlb("on", "4K") > 1.1 * stlb("off", "4K"));
    near(stlb("on", "2M"), stlb("off", "2M"), 0.0);
    near(found(&result, &["8"], "cap that costs least"), 8.0, 0.0);
    near(found(&result, &["16"], "cap that costs least"), 16.0, 0.0);
}

/// S1.2: the text has 1 huge page and 308 pages of 4K, or 2 huge pages. S1.3: it has no huge page if the file
/// is not aligned.
#[test]
fn a_padded_text_has_no_tail_of_small_pages() {
    let result = checked("text-padding");
    let pages = |mapping, size| found(&result, &[mapping], &format!("pages of {size}"));
    for (mapping, large, small) in [
        ("4K", 0.0, 820.0),
        ("hugetext, not padded", 1.0, 308.0),
        ("hugetext, padded", 2.0, 0.0),
        ("hugetext, file offset askew", 0.0, 820.0),
    ] {
        near(pages(mapping, "2M"), large, 0.0);
        near(pages(mapping, "4K"), small, 0.0);
    }
    let misses = |cpu, mapping| found(&result, &[cpu, mapping], "iTLB misses");
    near(misses("intel-skylake-sp", "hugetext, not padded"), 180.0 / 820.0, 0.01);
    near(misses("arm-neoverse-n1", "hugetext, not padded"), 261.0 / 820.0, 0.01);
    near(misses("arm-neoverse-n1", "hugetext, padded"), 0.0, 0.0);
}

/// O2: all cells of the table. O6, O49 and S4.8: only huge pages on both sides save walks.
#[test]
fn a_second_dimension_costs_what_the_formula_says() {
    let result = checked("nested");
    let refs = |levels, guest, host| found(&result, &[levels, guest, host], "references");

    for (levels, host, expected) in [
        ("4", "none (native)", [4.0, 3.0, 2.0]),
        ("4 × 4", "4K", [24.0, 19.0, 14.0]),
        ("4 × 4", "2M", [19.0, 15.0, 11.0]),
        ("4 × 4", "1G", [14.0, 11.0, 8.0]),
        ("4 × 5", "4K", [29.0, 23.0, 17.0]),
        ("4 × 5", "2M", [24.0, 19.0, 14.0]),
        ("5 × 4", "1G", [17.0, 14.0, 11.0]),
        ("5 × 5", "4K", [35.0, 29.0, 23.0]),
        ("5 × 5", "1G", [23.0, 19.0, 15.0]),
    ] {
        for (guest, expected) in ["4K", "2M", "1G"].into_iter().zip(expected) {
            near(refs(levels, guest, host), expected, 0.0);
        }
    }
    let walks = |guest, host, held| found(&result, &[guest, host, held], "page walks");
    near(walks("2M", "4K", "4K"), walks("4K", "4K", "4K"), 0.001);
    near(walks("4K", "2M", "4K"), walks("4K", "4K", "4K"), 0.001);
    near(walks("2M", "2M", "2M"), 0.25, 0.01);
    // One huge page saves cycles of each walk on either side.
    let small = found(&result, &["4K", "4K", "4K"], "walk cycles");
    for side in ["the guest alone", "the host alone", "both"] {
        assert!(found(&result, &[side], "walk cycles") < 0.995 * small, "{side}");
    }
    // O37: the PDE cache reaches half of 128 MiB, so that a walk reads 1.5 entries.
    near(found(&result, &["128M", "4K", "none (native)"], "references"), 1.5, 0.01);
    // No size of memory gives both published numbers, as the table of smaller sizes says.
    let agrees = |size, host| {
        row(&result, &[size, "4K", host], "references").verdict() == Some(Verdict::Agrees)
    };
    for size in ["64M", "128M", "256M", "512M"] {
        assert!(!(agrees(size, "none (native)") && agrees(size, "4K")), "{size}");
    }
    // S4.4: a shadow table is walked like a native one, and each write to a guest entry causes a VM exit.
    let shadow = |quantity| found(&result, &["shadow", "4K"], quantity);
    near(shadow("references of a cold walk"), 4.0, 0.0);
    near(shadow("exits at first touches of 64 MiB"), 16_384.0 + 32.0 + 1.0 + 1.0 + 16_384.0, 0.0);
}

/// S1.1: one entry maps 16 contiguous pages. Huge pages have 512M with a granule of 64K.
#[test]
fn the_contiguous_bit_makes_one_entry_of_sixteen() {
    let result = checked("granules");
    let sweep = |granule, pages, sweep| found(&result, &[granule, pages, sweep], "page walks");
    let ratio = |small: f64, large: f64| near(small / large, 16.0, 0.0);
    ratio(sweep("4K", "4K", "64M by 4K"), sweep("4K", "64K", "64M by 4K"));
    ratio(sweep("4K", "2M", "2G by 2M"), sweep("4K", "32M", "2G by 2M"));
    near(sweep("64K", "thp", "1G by 64K"), 2.0, 0.0);
    let misses = |granule, pages| found(&result, &["128M", granule, pages], "L1 dTLB misses");
    // For the TLB, contiguous 4K pages are equal to a granule of 64K.
    near(misses("4K", "64K = 16 × 4K"), misses("64K", "64K"), 0.005);
}

/// S2.2 and S2.5: one of 256 objects begins a page, and one of 1024 references. A prefetch takes the misses of
/// objects, if there is one.
#[test]
fn allocation_meets_a_page_in_256_objects() {
    let result = checked("tlab");
    near(found(&result, &["4K", "65,536"], "page walks"), 256.0 + 64.0, 0.0);
    near(on_paper(&result, &["4K", "50,000,000"], "page walks"), 195_312.5 + 48_828.125, 0.0);
    near(found(&result, &["192 bytes ahead"], "walks of stores"), 1.0 / 1024.0, 0.0);
    // Four ways hold the pages of four threads. The pages of eight threads do not fit into one set.
    near(found(&result, &["256 KB", "4"], "L1 dTLB misses"), 1.0 / 256.0, 1e-12);
    near(found(&result, &["256 KB", "8"], "L1 dTLB misses"), 1.0, 1e-12);
}

/// O48 and O29: the counts of touching 4 TiB are computed, not simulated.
#[test]
fn four_tebibytes_are_touched_without_a_step_for_each_page() {
    let result = checked("pre-touch");
    near(on_paper(&result, &["4K"], "page faults"), 1_073_741_824.0, 0.0);
    near(on_paper(&result, &["2M"], "page faults"), 2_097_152.0, 0.0);
    let tables = |pages| pre_touch_counts(4 << 40, pages).tables;
    assert_eq!(tables(PageSize::K4), 2_097_152 + 4_096 + 8 + 1);
    assert_eq!(tables(PageSize::M2), 4_096 + 8 + 1);
    assert!(ExperimentRun::new("pre-touch").unwrap().total() < 1 << 20);
}

/// O34, O35, O36 and O50: the sizes at which misses jump.
#[test]
fn strides_orders_and_powers_of_two_have_their_cliffs() {
    let result = checked("cliffs");
    let zen2 = |ints, pages| found(&result, &["amd-zen2", ints, pages], "page walks");
    near(zen2("128", "1,024"), 0.0, 0.0);
    near(zen2("512", "4,096"), 0.5, 0.01);
    for pages in ["4K", "2M", "1G"] {
        near(found(&result, &[pages], "L1 dTLB hits"), 1.0 / 6.0, 0.01);
    }
    let refs = |pages| found(&result, &[pages], "references");
    assert!(refs("4K") > 2.9 && refs("2M") > 1.9);
    near(refs("1G"), 1.0, 1e-9);
}

/// The 2M pages of code cost more or less than 4K pages, by the code. The answer says both.
#[test]
fn the_sign_of_huge_code_pages_depends_on_the_code() {
    let result = checked("code-cache");
    let ratio = |hot, bytes| found(&result, &[hot, bytes, "75 %"], "translation cycles, 2M ÷ 4K");
    assert!(ratio("1 %", "16") > 1.0 && ratio("10 %", "8,192") < 1.0);
    // The source counts shares of cycles, and its code is unknown.
    let published =
        result.tables.iter().flat_map(|table| &table.rows).filter_map(|row| row.published.as_ref());
    assert!(published.clone().count() == 3 && published.clone().all(|it| it.verdict.is_none()));
    // Most of this code does not show the published rise of the cost.
    let cost = row(&result, &["on", "2M"], "translation cycles");
    assert_eq!(cost.verdict(), None);
    assert!(
        cost.note
            .as_ref()
            .is_some_and(|it| it
                .contains("6 of 18 kinds of code in the plane below, with Hyper-Threading off")),
        "{cost:?}"
    );
}

/// Code in 2M pages costs more than twice as much as in 4K pages on Skylake-SP, and less than half on four other cores.
/// S1.4: the published order holds for short calls with 1M or 4M of data. With less or more data, or with longer calls,
/// it does not.
#[test]
fn huge_pages_for_code_pay_by_core_and_by_what_misses() {
    let result = checked("code-layout");
    let ratio = |core| found(&result, &[core], "2M ÷ 4K");
    assert!(ratio("intel-skylake-sp") > 2.0);
    for core in ["hygon-dhyana", "amd-zen4", "arm-neoverse-n1", "huawei-kunpeng920"] {
        assert!(ratio(core) < 0.5, "{core}");
    }
    let cost = |call, data, pages| found(&result, &[call, data, pages], "translation cycles");
    let order = |call, data| {
        [["code in 2M", "data in 2M"], ["data in 2M", "all in 4K"]]
            .map(|[less, more]| cost(call, data, less) < 0.99 * cost(call, data, more))
    };
    assert_eq!(order("16", "1M"), [true, true]);
    assert_eq!(order("16", "4M"), [true, true]);
    assert_eq!(order("16", "256K"), [true, false]);
    assert_eq!(order("16", "64M"), [false, true]);
    assert_eq!(order("128", "64M"), [false, true]);
    assert!(result.answer.contains("In 4 of 8 mixes"), "{}", result.answer);
}

/// A store to each 64K of 256 MiB uses 16 MiB, and transparent huge pages map all of it. Khugepaged copies what is
/// used: 32 small pages of each block, unless more than `max_ptes_none` are not mapped.
#[test]
fn transparent_huge_pages_cost_memory_and_copies() {
    let result = checked("thp-cost");
    let unused = |pages| found(&result, &["64K", pages], "mapped and never used");
    near(unused("4K"), 0.0, 0.0);
    near(unused("thp"), 240.0, 0.0);
    near(found(&result, &["4K", "4K ÷ thp"], "page faults"), 512.0, 0.0);
    let copied = |limit| {
        let case = ["64K", &format!("khugepaged, max_ptes_none {limit}")];
        found(&result, &case, "small pages copied")
    };
    near(copied(511), 1024.0, 0.0);
    near(copied(64), 0.0, 0.0);
    let large = |percent| found(&result, &[percent], "pages of 2M");
    assert!(large("25 %") > large("75 %") && large("75 %") > 0.0);
}

/// 1,024 stores use 1,024 pages, of 64K or of 4K. A heap of 128 MiB has no room for a page of 512M.
#[test]
fn a_granule_of_64k_loses_sparse_and_small_memory() {
    let result = checked("granules");
    let of = |memory, granule, quantity| found(&result, &[memory, granule], quantity);
    let sparse = |granule| of("a store to each 64K of 64M", granule, "memory that is mapped");
    near(sparse("64K") / sparse("4K"), 16.0, 0.0);
    let heap = "a heap of 128M, thp";
    near(of(heap, "64K", "pages of 64K"), 2048.0, 0.0);
    near(of(heap, "4K", "pages of 2M"), 64.0, 0.0);
    assert!(of(heap, "64K", "page walks") > 10.0 * of(heap, "4K", "page walks"));
}

/// S4.7: a guest of 16 GiB is 8,192 pages of 2M. The host then needs one page more, for the guest's page tables.
#[test]
fn faults_have_causes_and_memory_in_advance_avoids_them() {
    let result = checked("faults");
    let host = |memory, quantity| found(&result, &[memory], quantity);
    near(host("at first touch", "2M pages of the guest"), 8192.0, 0.0);
    near(host("at first touch", "EPT violations"), 8193.0, 0.0);
    near(host("in advance", "EPT violations"), 0.0, 0.0);
    near(found(&result, &["in a swap area", "4K"], "major: swap-in"), 16_384.0, 0.0);
    near(found(&result, &["touched in advance", "4K"], "minor: first touch"), 0.0, 0.0);
    near(found(&result, &["4K"], "memory that is copied"), 4.0, 0.0);
    near(found(&result, &["2M"], "memory that is copied"), 64.0, 0.0);
}

/// Compares the formula with simulations of heaps of unusual sizes.
#[test]
fn the_counts_of_touching_a_heap_are_those_of_a_simulation() {
    let config = pagewalk::config::cpu::model("intel-skylake-sp").unwrap().machine;
    for (pages, sizes) in [
        (PageSize::K4, [1, 4096, 4097, (2 << 20) - 1, 2 << 20, (2 << 20) + 1, 77_777_777]),
        (PageSize::M2, [1, 2 << 20, (2 << 20) + 1, 1 << 30, (1 << 30) + 1, 7 << 30, 99 << 30]),
    ] {
        for bytes in sizes {
            let mut machine = Machine::new(&config, &OsConfig::of(pages)).unwrap();
            let mut stats = Stats::default();
            let params = [("bytes", bytes.to_string()), ("page", pages.bytes().to_string())];
            let given = params.map(|(name, value)| (name.to_owned(), value));
            for (index, access) in (0..).zip(generator("pre-touch", &given).unwrap()) {
                machine.access(index, &access, &mut stats);
            }
            let report = stats.report(&machine, Completeness::Complete);
            let counted = PreTouchCounts {
                pages: report.faults.minor,
                refs: report.walks.refs,
                tables: report.pages["table_pages"],
            };
            assert_eq!(pre_touch_counts(bytes, pages), counted, "{bytes} in {pages}");
        }
    }
}

#[test]
fn an_experiment_goes_in_slices_of_any_length() {
    let whole = run("pre-touch").unwrap();
    let mut sliced = ExperimentRun::new("pre-touch").unwrap();
    let total = sliced.total();
    let mut n = 0;
    while !sliced.go_on(10_007).unwrap() {
        n += 1;
        assert_eq!(sliced.done(), n * 10_007);
    }
    assert_eq!(sliced.done(), total);
    assert_eq!(sliced.finish().unwrap(), whole);
}

#[test]
fn unknown_and_unfinished_experiments_are_errors() {
    let error = ExperimentRun::new("matrices").err().unwrap().to_string();
    assert!(
        error
            .starts_with("experiment: there is no experiment `matrices`: choose one of byte-array")
    );
    let early = ExperimentRun::new("matrix").unwrap().finish().unwrap_err().to_string();
    assert_eq!(early, "experiment: it is not done yet");
}

/// Each experiment has at most as many accesses as a browser simulates in three seconds.
#[test]
fn no_experiment_is_long_and_no_two_have_one_name() {
    let all = list();
    for (at, info) in all.iter().enumerate() {
        assert!(all[..at].iter().all(|other| other.id != info.id));
        let total = ExperimentRun::new(&info.id).unwrap().total();
        assert!(total < 10_000_000, "{}: {total} accesses", info.id);
    }
}
