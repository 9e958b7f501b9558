//! Texts and files of other tools that could pass for a list of addresses. Each error names the file and says
//! what to do.

use expect_test::{Expect, expect};
use pagewalk_sources::import::ImportOptions;

use super::support::{import, import_with, show};

/// The sentence before the list of formats, which is the same in every error.
fn message(outcome: &str) -> &str {
    outcome.split(" The formats are ").next().unwrap_or_default()
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(message(&show(&import(text.as_bytes()))));
}

fn check_named(name: &str, bytes: &[u8], expected: &Expect) {
    let options = ImportOptions { name: name.to_owned(), ..ImportOptions::default() };
    expected.assert_eq(message(&show(&import_with(options, bytes, 4096))));
}

#[test]
fn memory_maps() {
    check(
        "55d4a1c00000-55d4a1c02000 r--p 00000000 fd:01 1234                       /usr/bin/cat\n\
         55d4a1c02000-55d4a1c07000 r-xp 00002000 fd:01 1234                       /usr/bin/cat\n\
         7ffd3a000000-7ffd3a021000 rw-p 00000000 00:00 0                          [stack]\n",
        &expect![
            "MemoryMap: this is the memory map of a process (/proc/PID/maps or smaps), which lists regions and no accesses: open a trace of that process, and then this file; in a shell, give it with --maps or --smaps, next to --trace FILE\n"
        ],
    );
    check(
        "55d4a1c00000-55d4a1c02000 rw-p 00000000 00:00 0 \nSize:                  8 kB\nKernelPageSize:        4 kB\nRss:                   8 kB\nVmFlags: rd wr mr mw me ac\n",
        &expect![
            "MemoryMap: this is the memory map of a process (/proc/PID/maps or smaps), which lists regions and no accesses: open a trace of that process, and then this file; in a shell, give it with --maps or --smaps, next to --trace FILE\n"
        ],
    );
}

#[test]
fn logs_of_instructions() {
    check(
        "core   0: 3 0x0000000000001000 (0x00000297) x5  0x0000000000001000\n\
         core   0: 3 0x0000000000001004 (0x02028593) x11 0x0000000000001020\n\
         core   0: 3 0x000000000000100c (0x0182b283) x5  0x0000000080000000 mem 0x0000000000001018\n",
        &expect![
            "Unsupported: the file looks like an instruction log of the RISC-V simulator spike, which Pagewalk does not read. With --log-commits, it has the address of each access after the word `mem`. Write those as a list with the first line kind,address,size and import that."
        ],
    );
    check(
        "core   0: 0x0000000000001000 (0x00000297) auipc   t0, 0x0\ncore   0: 0x0000000000001004 (0x02028593) addi    a1, t0, 32\n",
        &expect![
            "Unsupported: the file looks like an instruction log of the RISC-V simulator spike, which Pagewalk does not read. With --log-commits, it has the address of each access after the word `mem`. Write those as a list with the first line kind,address,size and import that."
        ],
    );
    check(
        "  77000: system.cpu: A0 T0 : 0x400780 @_start    : xor   ebp, ebp : IntAlu :  D=0x0000000000000000\n\
         \x20 78000: system.cpu: A0 T0 : 0x400782 @_start+2 : mov   r9, rdx : MemRead :  D=0x0 A=0x7fffffffee58\n",
        &expect![
            "Unsupported: the file looks like an Exec log of gem5, which Pagewalk does not read. It has the address of each access after `A=`. Write those as a list with the first line kind,address,size and import that."
        ],
    );
}

#[test]
fn counts_by_page_line_or_region() {
    check(
        "=================================================\n            Trace Event Information\n=================================================\n  Total records                     :     329219\n  Locked Load/Store Operations      :      14654\n",
        &expect![
            "Unsupported: the file looks like a report of perf c2c, which Pagewalk does not read. Print the samples with perf script -F +addr, and import that text."
        ],
    );
    check(
        "Addr, RCPUs, Reads, WCPUs, Writes\n0x00007f3a1c2b5000, 0x0001, 12, 0x0001, 4\n0x00007f3a1c2b6000, 0x0001, 3, 0x0001, 0\n",
        &expect![
            "Unsupported: the file looks like the counts of a QEMU plugin (hotpages or hotblocks), which Pagewalk does not read. It lists no accesses. Record with the plugin execlog instead, and import its log."
        ],
    );
    check(
        "base_time_absolute: 8 m 59.809 s\n\nmonitoring_start:                0 ns\nmonitoring_end:            104.599 ms\ntarget_id: 18446623438842320000\nnr_regions: 3\n563ebaa00000-563ebc99e000(  31.617 MiB): 1\n",
        &expect![
            "Unsupported: the file looks like a report of DAMON, which Pagewalk does not read. It counts the accesses of each region and lists none. Record the accesses of the program with `valgrind --tool=lackey --trace-mem=yes --log-file=trace.lackey PROGRAM` and import those."
        ],
    );
    check(
        "0   addr 16.052 GiB   size 5.985 GiB   access 0 %   age 5.900 s\n1   addr 22.037 GiB   size 6.029 GiB   access 5 %   age 5.300 s\n",
        &expect![
            "Unsupported: the file looks like a report of DAMON, which Pagewalk does not read. It counts the accesses of each region and lists none. Record the accesses of the program with `valgrind --tool=lackey --trace-mem=yes --log-file=trace.lackey PROGRAM` and import those."
        ],
    );
}

#[test]
fn calls_and_allocations() {
    check(
        "# DURATION     TID     FUNCTION\n            [ 28561] | main() {\n   0.753 us [ 28561] |   __monstartup();\n",
        &expect![
            "Unsupported: the file looks like a log of uftrace, which Pagewalk does not read. It holds function calls, not accesses. Record the accesses of the program with `valgrind --tool=lackey --trace-mem=yes --log-file=trace.lackey PROGRAM` and import those."
        ],
    );
    check(
        "            [ 28561] | main() {\n   0.753 us [ 28561] |   __monstartup();\n",
        &expect![
            "Unsupported: the file looks like a log of uftrace, which Pagewalk does not read. It holds function calls, not accesses. Record the accesses of the program with `valgrind --tool=lackey --trace-mem=yes --log-file=trace.lackey PROGRAM` and import those."
        ],
    );
    check(
        "{\"dhatFileVersion\":2\n,\"mode\":\"heap\",\"verb\":\"Allocated\"\n",
        &expect![
            "Unsupported: the file looks like a profile of valgrind's DHAT, which Pagewalk does not read. It holds allocations, not accesses. Record the accesses of the program with `valgrind --tool=lackey --trace-mem=yes --log-file=trace.lackey PROGRAM` and import those."
        ],
    );
}

#[test]
fn archives_and_files_next_to_a_trace() {
    let mut tar = vec![0; 512];
    tar[..12].copy_from_slice(b"trace.lackey");
    tar[257..263].copy_from_slice(b"ustar\0");
    check_named(
        "trace.tar",
        &tar,
        &expect![
            "Unsupported: the file looks like a tar archive, which Pagewalk does not read. Unpack it with `tar -xf FILE`, and choose one of its files."
        ],
    );
    let raw: Vec<u8> = [6_u64 << 61 | 7, 2 << 61 | 0x4d2, 3 << 61 | 0x4d2, 4 << 61 | 0x63]
        .iter()
        .flat_map(|entry| entry.to_le_bytes())
        .collect();
    check_named(
        "app.1234.0000.raw",
        &raw,
        &expect![
            "Unsupported: the file looks like a raw file of DynamoRIO's drmemtrace, which Pagewalk does not read. Convert its directory with `drrun -t drmemtrace -indir DIRECTORY`, and choose a file from the folder trace/."
        ],
    );
    let row: Vec<u8> =
        [1234_u64, 13_330_000_000_000_000, 3, 0].iter().flat_map(|n| n.to_le_bytes()).collect();
    check_named(
        "serial_schedule.bin",
        &row,
        &expect![
            "Unsupported: the file looks like the schedule of a DynamoRIO trace, which Pagewalk does not read. It holds no accesses. Choose a file from the folder trace/."
        ],
    );
}

/// A list stays a list, even with a range, a count or a label of these tools in it.
#[test]
fn lists_are_still_lists() {
    for text in [
        "kind,address,size\nload,0x1000,8\n",
        "addr,size,access,age\n0x1000,8,r,1\n",
        "Addr, Reads\n0x1000, 8\n",
        "0x1000-0x2000,R,0x1000,8\nload,R,0x1008,8\nload,W,0x1010,8\n",
        "core,address\n0,0x1000\n",
    ] {
        assert!(import(text.as_bytes()).0.is_ok(), "{text}");
    }
}
