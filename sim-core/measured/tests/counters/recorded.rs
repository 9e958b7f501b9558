//! Tests with recorded fixtures from several processors, versions of perf and locales.

use expect_test::expect;

use super::support::check_file;

#[test]
#[expect(clippy::too_many_lines, reason = "a list of files, each with what it holds")]
fn what_perf_printed_elsewhere_is_read() {
    check_file(
        "amd-zen.txt",
        expect![[r"
        Text, 7 counters
        13443599 L1-icache-loads running 35.81 # 22.162 M/sec
        7477 L1-icache-load-misses running 35.63 # 0.06 % of all L1-icache accesses
        17107725 dTLB-loads running 35.45 # 28.202 M/sec
        70779 dTLB-load-misses running 35.42 # 0.41 % of all dTLB cache accesses
        104 iTLB-loads running 35.42 # 171.443 /sec
        33 iTLB-load-misses running 35.41 # 31.73 % of all iTLB cache accesses
        1052727464 L1-dcache-prefetches running 35.42 # 1.735 G/sec
    "]],
    );
    check_file(
        "arm64-interval.txt",
        expect![[r"
        Text, 5 counters
        77855 L1-icache-load-misses at 1.00083148 running 70.03 # 0.01 % of all L1-icache accesses
        6112224612 dTLB-loads at 1.00083148 running 70.03
        16222 dTLB-load-misses at 1.00083148 running 69.94 # 0 % of all dTLB cache accesses
        590015996 iTLB-loads at 1.00083148 running 59.95
        505 iTLB-load-misses at 1.00083148 running 59.95 # 0 % of all iTLB cache accesses
    "]],
    );
    check_file(
        "csv-interval-tlb.csv",
        expect![[r"
        Csv, 6 counters
        2104338712 L1-dcache-loads at 1.001054218 running 58.21
        187341228 L1-dcache-load-misses at 1.001054218 running 58.21 # 8.9 of all L1-dcache accesses
        9873214 dTLB-load-misses at 1.001054218 running 58.11
        NotSupported stalled-cycles-frontend at 1.001054218 running 100
        10563019874 cycles at 2.002187431 running 58.24
        6712345120 instructions at 2.002187431 running 58.04 # 0.64 insn per cycle
    "]],
    );
    check_file(
        "intel-hybrid-pinned.txt",
        expect![[r"
        Text, 4 counters, 0.83002528 s
        562632318 dTLB-loads of cpu_atom running 1.32
        869745005 dTLB-loads of cpu_core running 98.68
        35695 dTLB-load-misses of cpu_atom running 1.32 # 0.01 % of all dTLB cache accesses
        40492 dTLB-load-misses of cpu_core running 98.68 # 0 % of all dTLB cache accesses
    "]],
    );
    check_file(
        "intel-hybrid.txt",
        expect![[r"
        Text, 8 counters, 1.005466919 s
        13713090 dTLB-loads of cpu_core running 33.34 # 425.462 K/sec
        9384727 dTLB-loads of cpu_atom running 50.08 # 291.17 K/sec
        157387 dTLB-load-misses of cpu_core running 33.33 # 4.883 K/sec
        108328 dTLB-load-misses of cpu_atom running 50.08 # 3.361 K/sec
        NotSupported iTLB-loads of cpu_core
        NotSupported iTLB-loads of cpu_atom
        37655 iTLB-load-misses of cpu_core running 33.32 # 1.168 K/sec
        61661 iTLB-load-misses of cpu_atom running 50.03 # 1.913 K/sec
    "]],
    );
    check_file(
        "intel-itlb-over-100-percent.txt",
        expect![[r"
        Text, 6 counters, 1.002947355 s
        58017947 dTLB-loads running 30.37 # 7.234 M/sec
        704677 dTLB-load-misses running 30.27 # 1.21 % of all dTLB cache accesses
        234225 iTLB-loads running 30.29 # 29.204 K/sec
        417166 iTLB-load-misses running 30.32 # 178.1 % of all iTLB cache accesses
        NotSupported L1-dcache-prefetches
        NotSupported L1-dcache-prefetch-misses
    "]],
    );
    check_file(
        "intel-kbl-page-walks.txt",
        expect![[r"
        Text, 11 counters, of 'system wide', 1.001966758 s
        1417358 itlb_misses.walk_pending running 30.44 # 0.177 M/sec
        1145481 dtlb_store_misses.walk_pending running 30.85 # 0.143 M/sec
        126098937 cycles running 31.25 # 0.016 GHz
        9069839 dtlb_load_misses.walk_pending running 31.64 # 1.132 M/sec
        0 ept.walk_pending running 31.61 # 0 K/sec
        8009.41 msec cpu-clock # 7.994 CPUs utilized
        300 context-switches # 0.037 K/sec
        8 cpu-migrations # 0.001 K/sec
    "]],
    );
    check_file(
        "intel-not-counted.txt",
        expect![[r"
        Text, 5 counters, of 'system wide', 2.001750514 s
        NotCounted itlb_misses.walk_pending running 0
        NotCounted dtlb_load_misses.walk_pending running 0
        NotCounted dtlb_store_misses.walk_pending running 0
        NotCounted ept.walk_pending running 0
        NotCounted cycles running 0
    "]],
    );
    check_file(
        "json-variants.jsonl",
        expect![[r"
        Json, 4 counters
        85715898 IDQ.MITE_UOPS at 11.127757275 running 100
        NotCounted branch-misses of cpu_atom running 0
        22901873 L1D.REPLACEMENT cgroup ...1cb2de.scope at 5.005113019 running 6
        16045.281449 msec cpu-clock at 1.001089747 running 100 # 16.045281 CPUs utilized
    "]],
    );
    check_file(
        "locale-dots-and-commas.txt",
        expect![[r"
        Text, 7 counters
        198693416 branch-load-misses running 10.74
        41719630940 branch-loads running 14.31
        202385 dTLB-load-misses running 14.31 # 0 % of all dTLB cache hits
        57402106101 dTLB-loads running 14.31
        196 dTLB-store-misses running 14.31
        19903384308 dTLB-stores running 14.3
        2475 iTLB-load-misses running 14.3 # 1.24 % of all iTLB cache hits
    "]],
    );
    check_file(
        "old-2012-square-brackets-wrapped.txt",
        expect![[r"
        Text, 4 counters, 27.364448741 s
        20385476 LLC-load ± 1.64 running 33.34 # 0.746 M/sec
        76754 LLC-misses ± 2.35 running 33.34 # 0.38 % of all LL-cache hits
        3309927290 dTLB-loads ± 0.03 running 33.34 # 121.181 M/sec
        2098967427 dTLB-misses ± 0.03 running 33.34 # 63.41 % of all dTLB cache hits
    "]],
    );
    check_file(
        "repeat-no-thousands.txt",
        expect![[r"
        Text, 7 counters
        11924873 instructions mode u ± 0
        368572143 instructions mode k ± 0.11
        97066903 dTLB-loads ± 0.16
        11911 dTLB-load-misses ± 8.94 # 0.01 % of all dTLB cache hits
        52293345 dTLB-stores ± 0
        317002 dTLB-store-misses ± 0.13
        86109958 L1-dcache-loads ± 2.89 running 42.34
    "]],
    );
    check_file(
        "user-only-modifier.txt",
        expect![[r"
        Text, 7 counters, 0.26790649 s
        NotSupported LLC-load-misses mode u
        NotSupported L1-icache-loads mode u
        12503 L1-icache-load-misses mode u running 28.74
        604154943 dTLB-loads mode u running 21.19 # 706.225 M/sec
        3959 dTLB-load-misses mode u running 20.1 # 0 % of all dTLB cache hits
        504 iTLB-loads mode u running 16.26 # 0.589 K/sec
        301 iTLB-load-misses mode u running 20.95 # 59.72 % of all iTLB cache hits
    "]],
    );
    check_file(
        "walk-active-stores.txt",
        expect![[r"
        Text, 5 counters
        1421575545 dtlb_load_misses.walk_active running 83.36
        11713746064 dtlb_store_misses.walk_active running 83.38
        13414159 dtlb_load_misses.miss_causes_a_walk running 83.32
        368539673 dtlb_store_misses.miss_causes_a_walk running 83.31
        426918087667 cpu_clk_unhalted.thread_any running 66.64
    "]],
    );
}
