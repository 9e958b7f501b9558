//! Columns of `perf script`: how a single column of addresses is read.

use expect_test::expect;

use super::support::{check, check_as, fixture, import};

#[test]
fn the_user_decides_what_a_lone_column_is() {
    let text = "cat  7 2.000001: cycles:  7f0000001000 main+0x4 (/bin/cat)\ncat  7 2.000002: cycles:  7f0000002000 main+0x8 (/bin/cat)\n";
    check(
        text,
        &expect![[r"
            perf-script: 2 records, 0 accesses
              skipped 2 samples without a data address
              ! In 2 of the samples there is one column of addresses, with a symbol or in its place. It was read as the instruction pointer, which perf script prints by default. If the recording has data addresses, print them with perf script -F +addr. If it is the data address, import with --format perf-script-addr
              ! 2 samples have no data address: they cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was; the first is line 1: `cat  7 2.000001: cycles:  7f0000001000 m…`
        "]],
    );
    check_as(
        "perf-script-addr",
        text,
        &expect![[r"
        perf-script: 2 records, 2 accesses
        load 0x7f0000001000 0 pid 7 tid 7
        load 0x7f0000002000 0 pid 7 tid 7
    "]],
    );
    let text = "cat  7 2.000001: cycles:  7f0000001000\n";
    check(
        text,
        &expect![[r"
            perf-script: 1 records, 1 accesses
              ! In 1 of the samples there is one column of addresses, without a symbol. It was read as the data address. If it is the instruction pointer, import with --format perf-script-ip
            load 0x7f0000001000 0 pid 7 tid 7
        "]],
    );
    check_as(
        "perf-script-ip",
        text,
        &expect![[r"
        perf-script: 1 records, 0 accesses
          skipped 1 samples without a data address
          ! 1 sample has no data address: it cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was; it is line 1: `cat  7 2.000001: cycles:  7f0000001000`
    "]],
    );
    check_as(
        "perf-script",
        "    5570a8200028 ffffffff817554ea\n    5570a8200030 401000\n",
        &expect![[r"
            perf-script: 2 records, 2 accesses
            load 0x5570a8200028 0 ip 0xffffffff817554ea
            load 0x5570a8200030 0 ip 0x401000
        "]],
    );
}

/// One sample of a breakpoint, as `perf script -F` prints it for each selection. Only the widths distinguish some
/// of them.
#[test]
fn single_columns_are_recognised_by_their_place() {
    let mut found = String::new();
    for line in [
        // addr
        "    600000001000",
        // ip
        "           4011d2",
        // ip,sym
        "           4011d2 main",
        // addr,ip
        "    600000001000           4011d2",
        // addr,data_page_size
        "    600000001000 2M",
        // phys_addr
        "       263e01000",
        // tid,addr,ip
        " 9398     60000000100a           4011d2",
        // comm,pid,ip
        "           touch  9398            4011d2",
        // comm,ip,sym
        "           touch            4011d2 [unknown]",
        // comm,tid,addr,phys_addr,data_page_size
        "           touch  9398     600000001000       263e01000 2M",
        // comm,tid,addr,data_src
        "           touch  9398     600000001000      1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A",
        // comm,tid,time,addr,weight
        "           touch  9398  2019.862551:     600000001000               7",
        // event,ip,phys_addr
        "    mem:0x600000001000:            4011d2       263e01000",
        // event,ip,sym,phys_addr,data_page_size
        "    mem:0x600000001000:            4011d2 [unknown]       263e01000 2M",
        // period,event,ip,sym,dso
        "         1     mem:0x600000001000:            4011d2 [unknown] (/tmp/touch)",
        // cpu,event,addr
        "[003]     mem:0x600000001000:     600000001000",
    ] {
        let (report, accesses) = import(format!("{line}\n{line}\n").as_bytes());
        let warnings: Vec<_> = report.unwrap().warnings.iter().map(ToString::to_string).collect();
        let taken = warnings
            .iter()
            .find_map(|w| Some(w.split_once("read as ")?.1.split([',', '.']).next()?.to_owned()));
        let access = accesses.first().map(|access| {
            format!(
                "{:#x} ip {:x?} pid {} cpu {}",
                access.address, access.ip, access.pid, access.cpu
            )
        });
        found += &format!(
            "{line}\n    {} ({})\n",
            access.unwrap_or_default(),
            taken.as_deref().unwrap_or("sure")
        );
    }
    expect![[r"
            600000001000
            0x600000001000 ip None pid 0 cpu 0 (the data address)
                   4011d2
             (the instruction pointer)
                   4011d2 main
             (the instruction pointer)
            600000001000           4011d2
            0x600000001000 ip Some(4011d2) pid 0 cpu 0 (sure)
            600000001000 2M
            0x600000001000 ip None pid 0 cpu 0 (the data address)
               263e01000
             (the physical address)
         9398     60000000100a           4011d2
            0x60000000100a ip Some(4011d2) pid 9398 cpu 0 (sure)
                   touch  9398            4011d2
             (the instruction pointer)
                   touch            4011d2 [unknown]
             (the instruction pointer)
                   touch  9398     600000001000       263e01000 2M
            0x600000001000 ip None pid 9398 cpu 0 (the data address)
                   touch  9398     600000001000      1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A
            0x600000001000 ip None pid 9398 cpu 0 (sure)
                   touch  9398  2019.862551:     600000001000               7
            0x600000001000 ip None pid 9398 cpu 0 (the data address)
            mem:0x600000001000:            4011d2       263e01000
             (the instruction pointer)
            mem:0x600000001000:            4011d2 [unknown]       263e01000 2M
             (the instruction pointer)
                 1     mem:0x600000001000:            4011d2 [unknown] (/tmp/touch)
             (the instruction pointer)
        [003]     mem:0x600000001000:     600000001000
            0x600000001000 ip None pid 0 cpu 3 (the data address)
    "]].assert_eq(&found);
}

#[test]
fn levels_without_addresses_are_something_to_tell() {
    let shows = |file: &str| {
        let (report, _) = import(&fixture(&format!("perf/script/{file}")));
        let report = report.unwrap();
        (report.sampling.as_ref().unwrap().levels_only > 0, report.is_useful_without_addresses())
    };
    assert_eq!(shows("amd-ibs.data_src.txt"), (true, true));
    assert_eq!(shows("phys-page-size.perf-script.txt"), (false, false));
    assert_eq!(shows("cpuclock-sort.txt.gz"), (false, true));
}
