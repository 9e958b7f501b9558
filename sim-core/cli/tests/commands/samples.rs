//! `pagewalk samples`: the report on the samples of recordings.

use expect_test::{Expect, expect};

use crate::support::{check, json, printed, recorded};

/// The report as text.
fn check_text(file: &str, expected: &Expect) {
    let path = recorded(&format!("perf/data/{file}.gz"));
    let text = printed(&format!("samples {path} --cpu intel-skylake-sp"));
    expected.assert_eq(&text.replace(&path, "FILE"));
}

#[test]
fn a_survey_of_slow_accesses() {
    check_text(
        "quipper-weight_struct",
        &expect![[r"
            FILE: perf.data recording, filtered by latency: it holds only slow accesses, so misses are over-represented

            Samples of MEM_TRANS_RETIRED.LOAD_LATENCY:ldlat=64:precise=2:mh:mg:pinned, one of 10,009       14
            Samples of dummy:HG, one of 10,009                                                              0
            Accesses by the kernel                                                                          9
            Accesses to kernel addresses                                                                    8
            Measured: hits of TLB level 1 or 2                                                             13
            Measured: page walks                                                                            1
            Skipped: perf records that are not samples                                                 12,950
            Samples kept                                                                                   14
            Bytes of memory for the samples                                                           267,459

            Data, filtered by latency: 14 samples of MEM_TRANS_RETIRED.LOAD_LATENCY:ldlat=64:precise=2:mh:mg:pinned
            They touch 14 4K pages in 14 2M ranges.
            Shares are of events, by the samples' periods.

            Region                                                   Samples    Share  L1 or L2 hit      Walk  Mean cycles  4K pages
            kernel                                                         8  57.14 %      100.00 %    0.00 %          102         8
            /usr/local/bin/borglets/borglet-baseline/borglet (file)        1   7.14 %      100.00 %    0.00 %           92         1
            /usr/local/bin/islandserver (file)                             1   7.14 %      100.00 %    0.00 %          225         1
            0x448252400000–0x448254000000 (anonymous)                      1   7.14 %        0.00 %  100.00 %          240         1
            0x460944000000–0x460946000000 (anonymous)                      1   7.14 %      100.00 %    0.00 %          117         1
            0x4a1ca400000–0x4a1cc000000 (anonymous)                        1   7.14 %      100.00 %    0.00 %           70         1
            0x7fc3ada8e000–0x7fc3adab1000 (anonymous)                      1   7.14 %      100.00 %    0.00 %          168         1

            Process               Samples    Share  L1 or L2 hit      Walk  Mean cycles
            17575 (borglet)             3  21.43 %      100.00 %    0.00 %           93
            0                           2  14.29 %      100.00 %    0.00 %           85
            3216 (kstaled)              2  14.29 %      100.00 %    0.00 %          160
            17689 (gsysd)               2  14.29 %      100.00 %    0.00 %           87
            3217 (kreclaimd)            1   7.14 %      100.00 %    0.00 %           81
            17564 (mmanager)            1   7.14 %        0.00 %  100.00 %          240
            17654 (highlanderd)         1   7.14 %      100.00 %    0.00 %          168
            17662 (machdocd)            1   7.14 %      100.00 %    0.00 %           70
            20132 (islandserver)        1   7.14 %      100.00 %    0.00 %          225

            Pages  Of all processes  With 50 %  With 90 %  With 99 %
            4K                   14          7         13         14
            2M                   14          7         13         14

            Huge pages: 2M ranges by their walks; ranges that are already huge pages come last. 14 ranges are touched. Of the walks outside huge pages, 50, 90 and 99 % are in 1, 1 and 1 ranges.
            2M range            Region                                                   Samples    Walked  4K pages of 512  Is  Mapped
            0x448253a00000      0x448252400000–0x448254000000 (anonymous)                      1  100.00 %                1   –   whole
            0x4e00000           /usr/local/bin/borglets/borglet-baseline/borglet (file)        1    0.00 %                1   –   whole
            0x4a1cba00000       0x4a1ca400000–0x4a1cc000000 (anonymous)                        1    0.00 %                1   –   whole
            0x460944000000      0x460944000000–0x460946000000 (anonymous)                      1    0.00 %                1   –   whole
            0x55ffba400000      /usr/local/bin/islandserver (file)                             1    0.00 %                1   –  a part
            0x7fc3ada00000      0x7fc3ada8e000–0x7fc3adab1000 (anonymous)                      1    0.00 %                1   –  a part
            0xffff8b5520400000  kernel                                                         1    0.00 %                1   –       –
            0xffff8b6ce1800000  kernel                                                         1    0.00 %                1   –       –
            0xffff8b6d0d800000  kernel                                                         1    0.00 %                1   –       –
            0xffff8b6d1f200000  kernel                                                         1    0.00 %                1   –       –

            Hit rates of Skylake-SP, estimated and not measured. The model is Che's approximation: independent references, fully associative LRU, one TLB per process. Most programs reuse pages sooner than by chance, so they hit more often.
            Pages  Hit in          Entries   Hit rate       95 % interval  Uncorrected
            4K     L1: L1 dTLB 4K       64  not known  0.00 % to 100.00 %     100.00 %
            4K     L1 or L2: STLB    1,536  not known  0.00 % to 100.00 %     100.00 %
            2M     L1: L1 dTLB 2M       32  not known  0.00 % to 100.00 %     100.00 %
            2M     L1 or L2: STLB    1,536  not known  0.00 % to 100.00 %     100.00 %
            A rate of 100 % means that all sampled pages fit; there may be pages without a sample.
            Too few samples: 100 % are the only sample of their page, so about the same share of accesses goes to pages without a sample. The true rates may lie below the interval.
            Only slow accesses were sampled, and TLB misses are more frequent among slow accesses than among all.
        "]],
    );
}

#[test]
fn a_survey_of_accesses_at_a_breakpoint() {
    check_text(
        "bp-touch.perf.data",
        &expect![[r"
            FILE: perf.data recording, sampled: it holds only some accesses, so its hits and misses are not the program's

            Samples of mem:0x0000000000406000, one of 1     80
            Samples of mem:0x600000001000, one of 1         41
            Samples of mem:0x600000200000, one of 1         40
            Accesses of unknown kind, read as loads        161
            Measured: accesses to pages of 4 KiB            80
            Measured: accesses to pages of 2,048 KiB        81
            Skipped: perf records that are not samples      35
            Samples kept                                   161
            Bytes of memory for the samples              4,981

            Data, sampled: 161 samples of mem:0x0000000000406000, mem:0x600000001000, mem:0x600000200000
            They touch 3 4K pages in 3 2M ranges.
            Shares are of events, by the samples' periods.

            Region                                     Samples    Share  4K pages
            0x600000000000–0x600000400000 (anonymous)       81  50.31 %         2
            0x405000–0x40e000 (anonymous)                   80  49.69 %         1

            Page size  Samples    Share
            2M              81  50.31 %
            4K              80  49.69 %

            Pages  Of all processes  With 50 %  With 90 %  With 99 %
            4K                    3          2          3          3
            2M                    3          2          3          3

            Huge pages: 2M ranges by their samples; ranges that are already huge pages come last. 3 ranges are touched. Of the samples outside huge pages, 50, 90 and 99 % are in 1, 1 and 1 ranges.
            2M range        Region                                     Samples  Walked  4K pages of 512     Is  Mapped
            0x400000        0x405000–0x40e000 (anonymous)                   80       –                1  small  a part
            0x600000000000  0x600000000000–0x600000400000 (anonymous)       41       –                1   huge   whole
            0x600000200000  0x600000000000–0x600000400000 (anonymous)       40       –                1   huge   whole

            Hit rates of Skylake-SP, estimated and not measured. The model is Che's approximation: independent references, fully associative LRU, one TLB per process. Most programs reuse pages sooner than by chance, so they hit more often.
            Pages  Hit in          Entries  Hit rate         95 % interval  Uncorrected
            4K     L1: L1 dTLB 4K       64  100.00 %  100.00 % to 100.00 %     100.00 %
            4K     L1 or L2: STLB    1,536  100.00 %  100.00 % to 100.00 %     100.00 %
            2M     L1: L1 dTLB 2M       32  100.00 %  100.00 % to 100.00 %     100.00 %
            2M     L1 or L2: STLB    1,536  100.00 %  100.00 % to 100.00 %     100.00 %
            A rate of 100 % means that all sampled pages fit; there may be pages without a sample.
        "]],
    );
}

#[test]
fn a_survey_of_places_in_the_program_alone() {
    check_text(
        "cpuclock-sort.perf.data",
        &expect![[r"
            FILE: perf.data recording, sampled: it holds only some accesses, so its hits and misses are not the program's

            Samples of cpu-clock, 5,000 a second         1,550
            Skipped: perf records that are not samples     176
            Skipped: samples without a data address      1,550
            Samples kept                                 1,550
            Bytes of memory for the samples             32,354

            Warning: 1,550 samples have no data address: they cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was; the first is byte 2120: `a sample`

            Code, sampled: 1,550 samples of cpu-clock
            They touch 63 4K pages in 14 2M ranges.
            Shares are of events, by the samples' periods.

            Region                                                    Samples    Share  4K pages
            /usr/bin/sort (text)                                        1,357  87.55 %        10
            /usr/lib/x86_64-linux-gnu/libc.so.6 (library)                 132   8.52 %        16
            kernel                                                         48   3.10 %        25
            /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 (library)       13   0.84 %        12

            Page size  Samples    Share
            4K           1,513  97.61 %
            2M              37   2.39 %

            Process      Samples    Share
            9420 (sort)    1,405  90.65 %
            9421 (sort)      124   8.00 %
            9417 (bash)       11   0.71 %
            9419 (seq)        10   0.65 %

            Pages  Of all processes  With 50 %  With 90 %  With 99 %
            4K                   63          1          9         48
            2M                   14          1          3         10

            Huge pages: 2M ranges by their samples; ranges that are already huge pages come last. 14 ranges are touched. Of the samples outside huge pages, 50, 90 and 99 % are in 1, 3 and 6 ranges.
            2M range            Region                                                    Samples  Walked  4K pages of 512     Is  Mapped
            0x55ecda400000      /usr/bin/sort (text)                                        1,262       –                6  small  a part
            0x564a0ae00000      /usr/bin/sort (text)                                           95       –                4  small  a part
            0x7f5963e00000      /usr/lib/x86_64-linux-gnu/libc.so.6 (library)                  94       –                7  small  a part
            0x7f5963c00000      /usr/lib/x86_64-linux-gnu/libc.so.6 (library)                  26       –                4  small  a part
            0x7ff880800000      /usr/lib/x86_64-linux-gnu/libc.so.6 (library)                  13       –                8  small  a part
            0xffffffff82200000  kernel                                                         11       –                1  small       –
            0x7f6469600000      /usr/lib/x86_64-linux-gnu/libc.so.6 (library)                   7       –                4  small  a part
            0x7f6130c00000      /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 (library)        4       –                4  small  a part
            0x7f6130a00000      /usr/lib/x86_64-linux-gnu/libc.so.6 (library)                   1       –                1  small  a part
            0xffffffff81400000  kernel                                                         11       –                9   huge       –

            Hit rates of Skylake-SP, estimated and not measured. The model is Che's approximation: independent references, fully associative LRU, one TLB per process. Most programs reuse pages sooner than by chance, so they hit more often.
            Pages  Hit in          Entries  Hit rate        95 % interval  Uncorrected
            4K     L1: L1 iTLB 4K      128  100.00 %  97.29 % to 100.00 %     100.00 %
            4K     L1 or L2: STLB    1,536  100.00 %  97.29 % to 100.00 %     100.00 %
            2M     L1: L1 iTLB 2M        8   99.82 %   99.75 % to 99.97 %      99.88 %
            2M     L1 or L2: STLB    1,536  100.00 %  99.68 % to 100.00 %     100.00 %
            A rate of 100 % means that all sampled pages fit; there may be pages without a sample.
        "]],
    );
}

#[test]
fn a_survey_of_page_faults() {
    check_text(
        "pf-matmul.perf.data",
        &expect![[r"
            FILE: perf.data recording, first touches: it holds only page faults, mostly the first access to each page

            Samples of page-faults, one of 1               400
            Accesses by the kernel                           3
            Accesses of unknown kind, read as loads        382
            Skipped: perf records that are not samples      36
            Samples kept                                   400
            Bytes of memory for the samples             10,035

            Page faults, first touches: 400 samples of page-faults
            They touch 397 4K pages in 7 2M ranges.
            Shares are of events, by the samples' periods.

            Region                                                    Samples    Share  4K pages
            0x7f6435cc2000–0x7f6435e1e000 (anonymous)                     340  85.00 %       340
            /usr/lib/x86_64-linux-gnu/libc.so.6 (library)                  28   7.00 %        27
            /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 (library)        9   2.25 %         9
            0x7f6435ff3000–0x7f6436000000 (anonymous)                       6   1.50 %         5
            /tmp/tracebin/matmul (file)                                     5   1.25 %         4
            0x5570e76a1000–0x5570e76c2000 (anonymous)                       2   0.50 %         2
            0x7f6435e1b000–0x7f6435e1e000 (anonymous)                       2   0.50 %         2
            [stack] (stack)                                                 2   0.50 %         2
            /etc/ld.so.cache (library)                                      1   0.25 %         1
            /tmp/tracebin/matmul (text)                                     1   0.25 %         1
            4 more                                                              1.00 %

            Share of time  Page faults  4K pages touched
            25 %                    10                10
            50 %                   136               133
            75 %                   321               318
            100 %                  400               397

            Huge pages: 2M ranges by their samples; ranges that are already huge pages come last. 7 ranges are touched. Of the samples outside huge pages, 50, 90 and 99 % are in 1, 2 and 5 ranges.
            2M range        Region                                     Samples  Walked  4K pages of 512  Is  Mapped
            0x7f6435c00000  0x7f6435cc2000–0x7f6435e1e000 (anonymous)      316       –              316   –  a part
            0x7f6435e00000  0x7f6435cc2000–0x7f6435e1e000 (anonymous)       62       –               60   –  a part
            0x7f6436000000  /etc/ld.so.cache (library)                      12       –               12   –  a part
            0x5570a8000000  /tmp/tracebin/matmul (file)                      5       –                4   –  a part
            0x5570e7600000  0x5570e76a1000–0x5570e76c2000 (anonymous)        2       –                2   –  a part
            0x7fff24800000  [stack] (stack)                                  2       –                2   –  a part
            0x5570a8200000  /tmp/tracebin/matmul (file)                      1       –                1   –  a part
        "]],
    );
}

#[test]
fn a_survey_for_programs() {
    let path = recorded("perf/script/bp-touch.full.txt.gz");
    let report = json(&format!("samples {path} --pages 2M --json"));
    assert_eq!(report["import"]["completeness"], "sampled");
    assert_eq!(report["import"]["sampling"]["events"][0]["period"], 1);
    assert_eq!(report["import"]["pages_4k"]["data"], 3);
    let data = &report["survey"]["data"];
    assert_eq!(data["completeness"], "sampled");
    assert_eq!(data["popularity"][0]["pages"], "2M");
    assert_eq!(data["page_sizes"]["rows"][0]["name"], "2M");
    assert_eq!(data["estimates"], serde_json::json!([]));
    assert!(report["survey"]["faults"].is_null());
}

#[test]
fn what_is_no_recording_is_rejected() {
    check(
        "samples walk.lackey",
        expect![[r"
            exit code 1: pagewalk: walk.lackey: this lackey trace holds accesses, not samples: simulate it with `pagewalk run`
        "]],
    );
    check(
        "samples walk.lackey --cpu none",
        expect![[r"
        exit code 1: pagewalk: there is no CPU `none`: choose one of amd-bulldozer, amd-jaguar, amd-k10, amd-zen1, amd-zen2, amd-zen3, amd-zen4, amd-zen5, apple-avalanche, apple-firestorm, apple-m4, arm-cortex-a55, arm-cortex-a72, arm-neoverse-n1, arm-neoverse-n2, arm-neoverse-v1, arm-neoverse-v2, csapp-14bit, huawei-kunpeng920, hygon-dhyana, ibm-power9, intel-atom-bonnell, intel-broadwell, intel-core2, intel-goldencove, intel-goldmont, intel-gracemont, intel-haswell, intel-ivybridge, intel-lioncove, intel-nehalem, intel-sandybridge, intel-skylake, intel-skylake-sp, intel-sunnycove, intel-westmere, ostep-16-byte, qualcomm-falkor, qualcomm-oryon, riscv-sv39, sifive-u54, toy-4-entry, x86-32, xiangshan-kunminghu
    "]],
    );
    let path = recorded("perf/script/bp-touch.full.txt.gz");
    check(
        &format!("samples {path} --pages 64"),
        expect![[r"
        exit code 1: pagewalk: --pages: samples distinguish pages of 4K, not smaller ones
    "]],
    );
}
