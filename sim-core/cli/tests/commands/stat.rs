//! `pagewalk stat`: counters, their meaning, and the same counts of a simulation.

use expect_test::{Expect, expect};

use crate::support::{check, check_with_file, check_with_input, counted, json, printed, recorded};

#[expect(clippy::needless_pass_by_value, reason = "reads better at the many places that call it")]
fn check_stat(file: &str, options: &str, expected: Expect) {
    let path = counted(file);
    expected.assert_eq(&printed(&format!("stat {path} {options}")).replace(&path, file));
}

#[test]
fn counters_are_printed_with_their_meaning() {
    check_stat(
        "intel-kbl-page-walks.txt",
        "",
        expect![[r"
            intel-kbl-page-walks.txt: perf stat of 'system wide', 1.00 s
            Events as on Intel, Skylake to Ice Lake, from the names of the events

            Event                           Counts                                                                Value  Counted for
            itlb_misses.walk_pending        cycles of page walkers for instruction fetches, each walker's    ~1,417,358      30.44 %
            dtlb_store_misses.walk_pending  cycles of page walkers for stores, each walker's                 ~1,145,481      30.85 %
            cycles                          cycles                                                         ~126,098,937      31.25 %
            dtlb_load_misses.walk_pending   cycles of page walkers for loads, each walker's                  ~9,069,839      31.64 %
            ept.walk_pending                cycles of page walkers in the host's tables                              ~0      31.61 %
            cpu-clock                       –                                                              8009.41 msec
            context-switches                –                                                                       300
            cpu-migrations                  –                                                                         8
            page-faults                     page faults                                                               3
            cycles                          cycles                                                         ~124,456,362      31.20 %
            instructions                    instructions                                                    ~23,924,628      38.79 %

                                                                                                      Measured
            Walk cycles of all cycles (at most: walks overlap with one another and with other work)  ≤ ~9.23 %

            Note: 7 of 11 counters shared the processor's hardware counters: perf extrapolated their values from the part of the time shown, so they are estimates. Measure fewer events at once for exact values.
        "]],
    );
    check_stat(
        "amd-zen.txt",
        "",
        expect![[r"
            amd-zen.txt: perf stat
            Events as on AMD Zen, from the names of the events

            Event                  Counts                                                                                                      Value  Counted for
            L1-icache-loads        –                                                                                                     ~13,443,599      35.81 %
            L1-icache-load-misses  –                                                                                                          ~7,477      35.63 %
            dTLB-loads             level-1 TLB misses of loads and stores (lookups of level 2, not loads: each is a miss of level 1)     ~17,107,725      35.45 %
            dTLB-load-misses       page walks of loads and stores (misses of both levels)                                                    ~70,779      35.42 %
            iTLB-loads             level-2 TLB hits of instruction fetches (misses of level 1, not fetches)                                     ~104      35.42 %
            iTLB-load-misses       page walks of instruction fetches                                                                             ~33      35.41 %
            L1-dcache-prefetches   –                                                                                                  ~1,052,727,464      35.42 %

                                                                    Measured
            Level-2 misses of the level-1 misses, loads and stores  ~0.414 %
            Level-2 misses of the level-1 misses, fetches            ~24.1 %

            Note: 7 of 7 counters shared the processor's hardware counters: perf extrapolated their values from the part of the time shown, so they are estimates. Measure fewer events at once for exact values.
        "]],
    );
    check_stat(
        "arm64-interval.txt",
        "--vendor arm",
        expect![[r"
            arm64-interval.txt: perf stat, sum of 1 interval
            Events as on Arm, as --vendor says

            Event                  Counts                                                                                              Value  Counted for
            L1-icache-load-misses  –                                                                                                 ~77,855      70.03 %
            dTLB-loads             level-1 TLB lookups of loads and stores (lookups, not loads alone)                         ~6,112,224,612      70.03 %
            dTLB-load-misses       level-1 TLB misses of loads and stores (refills of level 1, including hits of level 2)            ~16,222      69.94 %
            iTLB-loads             level-1 TLB lookups of instruction fetches                                                   ~590,015,996      59.95 %
            iTLB-load-misses       level-1 TLB misses of instruction fetches (refills of level 1, including hits of level 2)            ~505      59.95 %

                                                          Measured
            Level-1 misses per lookup, loads and stores  ~2.7e-4 %
            Level-1 misses per lookup, fetches           ~8.6e-5 %

            Note: 5 of 5 counters shared the processor's hardware counters: perf extrapolated their values from the part of the time shown, so they are estimates. Measure fewer events at once for exact values.
        "]],
    );
    check_stat(
        "made-csv-repeat.txt",
        "",
        expect![[r"
            made-csv-repeat.txt: perf stat, -x
            The vendor of these events is unknown: give --vendor or --cpu

            Event             Counts                         Value       ±  Counted for
            dTLB-loads        depends on the vendor  not supported
            dTLB-load-misses  depends on the vendor  not supported
            iTLB-load-misses  depends on the vendor  not supported
            page-faults       page faults                      401  0.22 %     100.00 %
            minor-faults      minor page faults                401  0.22 %     100.00 %
            major-faults      major page faults                  0  0.00 %     100.00 %
            task-clock        –                          1.42 msec  2.32 %     100.00 %
            context-switches  –                                  0  0.00 %     100.00 %

            Note: dTLB-loads, dTLB-load-misses and iTLB-load-misses are not supported there: the processor, its kernel or the virtual machine does not have them.
            Note: The names do not show the vendor of the processor, and dTLB-load-misses counts different things on Intel, AMD and Arm: choose the processor.
        "]],
    );
    check_stat(
        "made-json-percore.txt",
        "--cpu intel-skylake",
        expect![[r"
            made-json-percore.txt: perf stat, -j
            Events as on Intel, Skylake to Ice Lake, as --cpu says

            Event        Counts           Value  Counted for
            page-faults  page faults        404     100.00 %
            task-clock   –            5.05 msec     100.00 %
        "]],
    );
}

#[test]
fn a_simulation_is_printed_next_to_the_counters() {
    let input = " Performance counter stats for './sort':\n\n  1,000,000  instructions:u\n  300,000  dTLB-loads:u\n  90  dTLB-load-misses:u   (50.00%)\n  12  page-faults:u\n";
    check_with_input(
        "stat - --cpu intel-skylake --trace walk.lackey",
        input,
        &expect![[r"
            standard input: perf stat of './sort'
            Events as on Intel, Skylake to Ice Lake, as --cpu says

            Event               Counts                                                                    Value  Counted for
            instructions:u      instructions                                                          1,000,000
            dTLB-loads:u        loads                                                                   300,000
            dTLB-load-misses:u  page walks of loads (misses of both levels, without hits of level 2)        ~90      50.00 %
            page-faults:u       page faults                                                                  12

                                             Measured  Simulated
            Page walks per load, user mode  ~0.0300 %     50.0 %

            Measured, compared with walk.lackey on Skylake, 4K pages

            Event               For each             Measured  Simulated     Ratio
            instructions:u      whole run           1,000,000          3
            dTLB-loads:u        1,000 instructions        300       1333    ×0.225
            dTLB-load-misses:u  1,000 instructions    ~0.0900        667  ~×1.4e-4
            page-faults:u       whole run                  12          6

            Note: 1 of 4 counters shared the processor's hardware counters: perf extrapolated their values from the part of the time shown, so they are estimates. Measure fewer events at once for exact values.
            Note: Processors also walk for speculative and prefetched accesses, which are in no trace: expect a ratio somewhat above 1.
        "]],
    );
    check_with_input(
        "stat - --cpu amd-zen4 --workload strided --param accesses=1000 --param bytes=1G --param stride=4K",
        "  100 ls_dispatch.ld_dispatch\n  90 ls_l1_d_tlb_miss.all\n",
        &expect![[r"
            standard input: perf stat
            Events as on AMD Zen, as --cpu says

            Event                    Counts                                          Value
            ls_dispatch.ld_dispatch  loads (dispatched, some of them speculatively)    100
            ls_l1_d_tlb_miss.all     level-1 TLB misses of loads and stores             90

            Measured, compared with strided accesses=1000 bytes=1G stride=4K on Zen 4, 4K pages

            Event                    For each   Measured  Simulated  Ratio
            ls_dispatch.ld_dispatch  whole run       100      1,000
            ls_l1_d_tlb_miss.all     whole run        90      1,000

            Note: Some counts have no base that both sides have counted: also measure loads and stores (on Intel mem_inst_retired.all_loads and all_stores) to compare rates.
            Note: Events without :u also count the kernel, which is not in traces of valgrind, Pin, DynamoRIO and QEMU: measure with :u to compare with such a trace.
            Note: Processors also walk for speculative and prefetched accesses, which are in no trace: expect a ratio somewhat above 1.
        "]],
    );
}

#[test]
fn programs_get_the_same_numbers() {
    let file = counted("intel-kbl-page-walks.txt");
    let all = json(&format!("stat {file} --json"));
    let share = &all["shares"][0];
    let cycles = [1_417_358.0, 1_145_481.0, 9_069_839.0].iter().sum::<f64>() / 126_098_937.0;
    assert_eq!(share["what"], "Walk cycles of all cycles");
    assert_eq!(share["is_upper_bound"], true);
    assert!((share["measured"].as_f64().unwrap() - cycles).abs() < 1e-12);
    assert_eq!(all["counters"][0]["name"]["event"], "itlb_misses.walk_pending");
    assert_eq!(all["counters"][0]["running"], 30.44);
    assert_eq!(all["family"]["id"], "intel-skylake");

    let trace = recorded("sort20k.mid.txt.xz");
    let file = counted("user-only-modifier.txt");
    let all = json(&format!("stat {file} --cpu intel-skylake --trace {trace} --json"));
    let run = json(&format!("run --cpu intel-skylake --trace {trace} --json"));
    let misses = &all["counters"][4];
    assert_eq!(misses["name"]["full"], "dTLB-load-misses:u");
    assert_eq!(misses["beside"]["simulated"], run["kinds"]["load"]["walks"]);
    let per_1000 = |walks: &serde_json::Value, loads: &serde_json::Value| {
        1000.0 * walks.as_f64().unwrap() / loads.as_f64().unwrap()
    };
    let simulated = per_1000(&run["kinds"]["load"]["walks"], &run["trace"]["load"]);
    assert_eq!(misses["beside"]["simulated_per"], simulated);
    assert_eq!(misses["beside"]["base"], "1,000 loads");
}

#[test]
fn what_is_no_output_of_perf_stat_is_rejected() {
    check(
        "stat walk.lackey",
        expect![[r"
            exit code 1: pagewalk: walk.lackey: line 1: there is no perf stat counter in this text, which begins with `==7== Lackey, an example Valgrind tool`: give the output of perf stat: as text, with -x, or with -j
        "]],
    );
    check(
        "stat nothing.txt",
        expect![[r"
        exit code 1: pagewalk: nothing.txt: there is no such file
    "]],
    );
    check_with_file(
        "stat",
        b"PERFILE2\0\0\0",
        &expect![[r"
            exit code 1: pagewalk: FILE: the file is not text: give the output of perf stat, or of perf stat report after perf stat record
        "]],
    );
    check(
        "stat walk.lackey --trace walk.lackey",
        expect![[r"
            exit code 1: pagewalk: --trace and --workload need a machine: give --cpu or --machine
        "]],
    );
    check(
        "stat walk.lackey --machine m.json",
        expect![[r"
            exit code 1: pagewalk: --machine: it has nothing to simulate: give --trace or --workload
        "]],
    );
    check(
        "stat walk.lackey --param bytes=1G",
        expect![[r"
            exit code 1: pagewalk: the following required arguments were not provided: --workload <ID> (see `pagewalk stat --help`)
        "]],
    );
}

#[test]
fn an_import_of_it_says_what_to_do() {
    for file in [
        "made-text.txt",
        "made-csv.txt",
        "made-json.txt",
        "made-csv-semicolon.txt",
        "amd-zen.txt",
        "csv-interval-tlb.csv",
        "locale-dots-and-commas.txt",
    ] {
        let path = counted(file);
        let output = crate::support::pagewalk(["import", &path]).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("`pagewalk stat FILE`"), "{file}: {message}");
    }
}
