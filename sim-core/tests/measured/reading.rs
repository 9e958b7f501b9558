//! Fixtures in every form, and texts that are none.

use expect_test::{Expect, expect};
use pagewalk::perf_stat::read;

use super::support::{fixture, names, show};

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the many places that call it")]
fn check_file(name: &str, expected: Expect) {
    expected.assert_eq(&show(&fixture(name), 8));
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the many places that call it")]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&show(text, 8));
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of files, each with what it holds")]
fn what_perf_prints_is_read() {
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
        "made-csv-interval.txt",
        expect![[r"
        Csv, 22 counters
        567 page-faults at 0.020260268 running 100 # 28.6 K/sec
        19.83 msec task-clock at 0.020260268 running 100 # 0.991 CPUs utilized
        NotSupported dTLB-load-misses at 0.020260268 running 100
        0 page-faults at 0.040530046 running 100 # 0 /sec
        20.18 msec task-clock at 0.040530046 running 100 # 1.009 CPUs utilized
        NotSupported dTLB-load-misses at 0.040530046 running 100
        0 page-faults at 0.060781475 running 100 # 0 /sec
        20.25 msec task-clock at 0.060781475 running 100 # 1.013 CPUs utilized
    "]],
    );
    check_file(
        "made-csv-noaggr.txt",
        expect![[r"
        Csv, 4 counters
        0 page-faults part CPU0 running 100 # 0 /sec
        405 page-faults part CPU1 running 100 # 133.922 K/sec
        3.01 msec task-clock part CPU0 running 100 # 0.997 CPUs utilized
        3.02 msec task-clock part CPU1 running 100 # 1.002 CPUs utilized
    "]],
    );
    check_file(
        "made-csv-percore.txt",
        expect![[r"
        Csv, 4 counters
        401 page-faults part S0-D0-C0 running 100 # 171.401 K/sec
        2.34 msec task-clock part S0-D0-C0 running 100 # 1.007 CPUs utilized
        2 page-faults part S0-D0-C1 running 100 # 852.743 /sec
        2.35 msec task-clock part S0-D0-C1 running 100 # 1.009 CPUs utilized
    "]],
    );
    check_file(
        "made-csv-repeat.txt",
        expect![[r"
        Csv, 8 counters
        NotSupported dTLB-loads ± 0 running 100
        NotSupported dTLB-load-misses ± 0 running 100
        NotSupported iTLB-load-misses ± 0 running 100
        401 page-faults ± 0.22 running 100 # 267.973 K/sec
        401 minor-faults ± 0.22 running 100 # 267.973 K/sec
        0 major-faults ± 0 running 100 # 0 /sec
        1.42 msec task-clock ± 2.32 running 100 # 1.112 CPUs utilized
        0 context-switches ± 0 running 100 # 0 /sec
    "]],
    );
    check_file(
        "made-csv-semicolon.txt",
        expect![[r"
        Csv, 8 counters
        NotSupported dTLB-loads running 100
        NotSupported dTLB-load-misses running 100
        NotSupported iTLB-load-misses running 100
        402 page-faults running 100 # 253.774 K/sec
        402 minor-faults running 100 # 253.774 K/sec
        0 major-faults running 100 # 0 /sec
        1.58 msec task-clock running 100 # 768.602 CPUs utilized
        0 context-switches running 100 # 0 /sec
    "]],
    );
    check_file(
        "made-csv.txt",
        expect![[r"
        Csv, 8 counters
        NotSupported dTLB-loads running 100
        NotSupported dTLB-load-misses running 100
        NotSupported iTLB-load-misses running 100
        399 page-faults running 100 # 191.03 K/sec
        399 minor-faults running 100 # 191.03 K/sec
        0 major-faults running 100 # 0 /sec
        2.09 msec task-clock running 100 # 0.844 CPUs utilized
        0 context-switches running 100 # 0 /sec
    "]],
    );
    check_file(
        "made-json-interval.txt",
        expect![[r"
        Json, 22 counters
        566 page-faults at 0.024006216 running 100 # 23.804956 K/sec
        23.776561 msec task-clock at 0.024006216 running 100 # 1.188828 CPUs utilized
        NotSupported dTLB-load-misses at 0.024006216 running 100
        0 page-faults at 0.044298271 running 100 # 0 /sec
        20.183258 msec task-clock at 0.044298271 running 100 # 1.009163 CPUs utilized
        NotSupported dTLB-load-misses at 0.044298271 running 100
        0 page-faults at 0.064543199 running 100 # 0 /sec
        20.260234 msec task-clock at 0.064543199 running 100 # 1.013012 CPUs utilized
    "]],
    );
    check_file(
        "made-json-percore.txt",
        expect![[r"
        Json, 4 counters
        402 page-faults part S0-D0-C0 running 100 # 159.077635 K/sec
        2.527068 msec task-clock part S0-D0-C0 running 100 # 1.008715 CPUs utilized
        2 page-faults part S0-D0-C1 running 100 # 791.862504 /sec
        2.525691 msec task-clock part S0-D0-C1 running 100 # 1.008165 CPUs utilized
    "]],
    );
    check_file(
        "made-json.txt",
        expect![[r"
        Json, 8 counters
        NotSupported dTLB-loads running 100
        NotSupported dTLB-load-misses running 100
        NotSupported iTLB-load-misses running 100
        401 page-faults running 100 # 225.029321 K/sec
        401 minor-faults running 100 # 225.029321 K/sec
        0 major-faults running 100 # 0 /sec
        1.78199 msec task-clock running 100 # 0.877247 CPUs utilized
        0 context-switches running 100 # 0 /sec
    "]],
    );
    check_file(
        "made-locale-de_DE.UTF-8.txt",
        expect![[r"
        Text, 2 counters, of 'matmul 96 4096', 0.002200139 s
        402 page-faults # 237.639 K/sec
        1.69 msec task-clock # 0.769 CPUs utilized
    "]],
    );
    check_file(
        "made-text-bigless.txt",
        expect![[r"
        Text, 8 counters, of 'matmul 96 4096', 0.002026713 s
        NotSupported dTLB-loads
        NotSupported dTLB-load-misses
        NotSupported iTLB-load-misses
        399 page-faults # 225.394 K/sec
        399 minor-faults # 225.394 K/sec
        0 major-faults # 0 /sec
        1.77 msec task-clock # 0.873 CPUs utilized
        0 context-switches # 0 /sec
    "]],
    );
    check_file(
        "made-text-detailed.txt",
        expect![[r"
        Text, 19 counters, of 'matmul 96 4096'
        1.75 msec task-clock # 0.77 CPUs utilized
        0 context-switches # 0 /sec
        0 cpu-migrations # 0 /sec
        400 page-faults # 228.267 K/sec
        NotSupported cycles
        NotSupported instructions
        NotSupported branches
        NotSupported branch-misses
    "]],
    );
    check_file(
        "made-text-interval.txt",
        expect![[r"
        Text, 21 counters
        567 page-faults at 0.020101525 # 28.618 K/sec
        19.81 msec task-clock at 0.020101525 # 0.991 CPUs utilized
        NotSupported dTLB-load-misses at 0.020101525
        0 page-faults at 0.040361227 # 0 /sec
        20.24 msec task-clock at 0.040361227 # 1.012 CPUs utilized
        NotSupported dTLB-load-misses at 0.040361227
        0 page-faults at 0.060520885 # 0 /sec
        20.16 msec task-clock at 0.060520885 # 1.008 CPUs utilized
    "]],
    );
    check_file(
        "made-text-repeat.txt",
        expect![[r"
        Text, 8 counters, of 'matmul 96 4096', 4 runs, 0.002246 s
        NotSupported dTLB-loads
        NotSupported dTLB-load-misses
        NotSupported iTLB-load-misses
        400 page-faults ± 0.18 # 240.963 K/sec
        400 minor-faults ± 0.18 # 240.963 K/sec
        0 major-faults # 0 /sec
        1.52 msec task-clock ± 3.53 # 0.679 CPUs utilized
        0 context-switches # 0 /sec
    "]],
    );
    check_file(
        "made-text-user-only.txt",
        expect![[r"
        Text, 3 counters, of 'matmul 96 4096', 0.002286453 s
        396 page-faults mode u # 226.497 K/sec
        1.75 msec task-clock mode u # 0.765 CPUs utilized
        396 minor-faults mode u # 226.497 K/sec
    "]],
    );
    check_file(
        "made-text.txt",
        expect![[r"
        Text, 8 counters, of 'matmul 96 4096', 0.003170061 s
        NotSupported dTLB-loads
        NotSupported dTLB-load-misses
        NotSupported iTLB-load-misses
        402 page-faults # 157.729 K/sec
        402 minor-faults # 157.729 K/sec
        0 major-faults # 0 /sec
        2.55 msec task-clock # 0.804 CPUs utilized
        0 context-switches # 0 /sec
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

#[test]
fn thousands_are_parted_as_the_locale_has_it() {
    // English, German, French (narrow no-break space), Swiss, Polish (no-break space), a plain blank, Indian.
    for (count, clock) in [
        ("12,345,678", "1,234.56"),
        ("12.345.678", "1.234,56"),
        ("12\u{202f}345\u{202f}678", "1\u{202f}234,56"),
        ("12\u{2019}345\u{2019}678", "1\u{2019}234.56"),
        ("12'345'678", "1'234.56"),
        ("12\u{a0}345\u{a0}678", "1\u{a0}234,56"),
        ("12 345 678", "1 234,56"),
        ("1,23,45,678", "1,234.56"),
        ("12345678", "1234.56"),
    ] {
        let text = format!(
            "     {count}      dTLB-loads:u    ( +-  0,16% )  (35.45%)\n     1.000831480   {clock} msec task-clock  #  0.885 CPUs utilized\n"
        );
        let stat = read(&text).unwrap();
        let values = [0, 1].map(|at| stat.counters[at].value);
        assert_eq!(values, [Some(12_345_678.0), Some(1234.56)], "{text}");
        assert_eq!(stat.counters[0].variance, Some(0.16));
        assert_eq!(stat.counters[1].interval, Some(1.000_831_48));
    }
}

#[test]
fn numbers_with_a_decimal_comma_are_read_in_every_form() {
    check(
        "     0,020260268,19,83,msec,task-clock,19825142,100,00,0,991,CPUs utilized\n     0,020260268,567,,page-faults,19825142,66,67,28,600,K/sec\nS0-D0-C0,1,2,34,msec,task-clock,0,22%,2339540,100,00,1,007,CPUs utilized\n",
        expect![[r"
            Csv, 3 counters
            19.83 msec task-clock at 0.020260268 running 100 # 0.991 CPUs utilized
            567 page-faults at 0.020260268 running 66.67 # 28.6 K/sec
            2.34 msec task-clock part S0-D0-C0 ± 0.22 running 100 # 1.007 CPUs utilized
        "]],
    );
    check(
        "1,58;msec;task-clock;2,32%;1420870;99,50;1,112;CPUs utilized\n",
        expect![[r"
            Csv, 1 counters
            1.58 msec task-clock ± 2.32 running 99.5 # 1.112 CPUs utilized
        "]],
    );
    check(
        r#"{"interval" : 0,024006216, "counter-value" : "23,776561", "unit" : "msec", "event" : "task-clock", "event-runtime" : 23776561, "pcnt-running" : 66,67, "metric-value" : 1,188828, "metric-unit" : "CPUs utilized"}"#,
        expect![[r"
            Json, 1 counters
            23.776561 msec task-clock at 0.024006216 running 66.67 # 1.188828 CPUs utilized
        "]],
    );
}

#[test]
fn parts_of_the_machine_and_threads_are_told_apart() {
    check(
        "S0-D0-C0           1             12,345      cycles\nS0-D0-C1           1      <not counted>      cycles   (0.00%)\nCPU0             401      page-faults\nN1     2     7 msec task-clock\na b: 7 [1]-1234       1,000      page-faults\n     1.000831480 S0    4   5   cycles\n",
        expect![[r"
            Text, 6 counters
            12345 cycles part S0-D0-C0
            NotCounted cycles part S0-D0-C1 running 0
            401 page-faults part CPU0
            7 msec task-clock part N1
            1000 page-faults part a b: 7 [1]-1234
            5 cycles part S0 at 1.00083148
        "]],
    );
    check(
        "CPU0,405,,page-faults,3024381,100.00,133.922,K/sec\na b-12,405,,page-faults,3024381,100.00,,\n1.000,S0,2,7,,cycles,3,100.00,,\n",
        expect![[r"
            Csv, 2 counters
            ! 1 unread, line 3: 1.000,S0,2,7,,cycles,3,100.00,,
            405 page-faults part CPU0 running 100 # 133.922 K/sec
            405 page-faults part a b-12 running 100
        "]],
    );
}

#[test]
fn cgroups_and_raw_events_are_read() {
    check(
        "     1,234      cycles  system.slice/a.service   #  0.5 GHz\n     7      r0108\n   8   cpu/event=0x08,umask=0x0e/u\n   9  armv8_pmuv3_0/l1d_tlb_refill/\n  1,234,567 ns duration_time\n  1.77 task-clock (msec)   #  0.9 CPUs utilized\n",
        expect![[r"
            Text, 6 counters
            1234 cycles cgroup system.slice/a.service # 0.5 GHz
            7 r0108
            8 event=0x08,umask=0x0e of cpu mode u
            9 l1d_tlb_refill of armv8_pmuv3_0
            1234567 ns duration_time
            1.77 msec task-clock # 0.9 CPUs utilized
        "]],
    );
    check(
        "12,,cycles,web.slice,3024381,100.00,,\n",
        expect![[r"
        Csv, 1 counters
        12 cycles cgroup web.slice running 100
    "]],
    );
}

#[test]
fn what_stands_around_is_counted_and_told() {
    check(
        "$ perf stat -e dTLB-loads ls\nfile\n\n Performance counter stats for 'ls' (3 runs):\n\n     17      dTLB-loads\n\n   0.1 +- 0.0 seconds time elapsed  ( +- 9.64% )\n",
        expect![[r"
            Text, 1 counters, of 'ls', 3 runs, 0.1 s
            ! 2 unread, line 1: $ perf stat -e dTLB-loads ls
            17 dTLB-loads
        "]],
    );
    check(
        &format!("  7   cycles\n{}\n", "S0 1 ".repeat(100_000)),
        expect![[r"
        Text, 1 counters
        ! 1 unread, line 2: S0 1 S0 1 S0 1 S0 1 S0 1 S0 1 S0 1 S0 1 S0 1 S0 1 S0 1 S0 1 …
        7 cycles
    "]],
    );
}

#[test]
fn a_text_without_a_counter_is_refused_with_its_first_line() {
    check(
        "",
        expect![[r"
        UnknownFormat: there is nothing in it: give what perf stat printed: as text, with -x, or with -j
    "]],
    );
    check(
        "\n\n",
        expect![[r"
        UnknownFormat: there is nothing in it: give what perf stat printed: as text, with -x, or with -j
    "]],
    );
    check(
        "hello\nworld\n",
        expect![[r"
        UnknownFormat: line 1: no counter of perf stat in it, which begins with `hello`: give what perf stat printed: as text, with -x, or with -j
    "]],
    );
    check(
        "kind,address,size\nload,0x1000,8\n",
        expect![[r"
        UnknownFormat: line 1: no counter of perf stat in it, which begins with `kind,address,size`: give what perf stat printed: as text, with -x, or with -j
    "]],
    );
}

#[test]
fn every_beginning_of_a_text_ends() {
    for name in names() {
        let text = fixture(&name);
        for (end, _) in text.char_indices().filter(|(end, _)| *end < 300 || end % 13 == 0) {
            drop(read(&text[..end]));
        }
    }
}

#[test]
fn any_damage_ends() {
    let texts: Vec<String> = names().iter().map(|name| fixture(name)).collect();
    arbtest::arbtest(|u| {
        let mut letters: Vec<char> = u.choose(&texts)?.chars().collect();
        for _ in 0..u.int_in_range(1..=8)? {
            let at = u.choose_index(letters.len())?;
            letters[at] =
                *u.choose(&[' ', ',', '.', '#', '(', '<', '\u{202f}', '0', '"', '\n', '/', 'a'])?;
        }
        drop(read(&letters.into_iter().collect::<String>()));
        Ok(())
    });
}
