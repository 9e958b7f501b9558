//! Rows with operations, and the errors of wrong ones.

use expect_test::{Expect, expect};
use pagewalk_base::error::Result;
use pagewalk_base::trace::{Completeness, OpRecord, TraceBuilder};
use pagewalk_sources::import::{ImportOptions, Importer};

/// Returns the operations of a list, each with the index of the next access, the processes of the accesses, and
/// the number of operations in the report.
type Ops = (Vec<(u32, OpRecord)>, Vec<u32>, u64);

fn ops(text: &str) -> Result<Ops> {
    let mut builder = TraceBuilder::default();
    let mut importer = Importer::new(ImportOptions::default())?;
    importer.push(text.as_bytes(), &mut builder)?;
    let report = importer.finish(&mut builder)?;
    let trace = builder.finish(Completeness::Complete)?;
    let pids = trace.accesses_from(0).map(|access| access.pid).collect();
    Ok((trace.ops().collect(), pids, report.operations))
}

#[track_caller]
fn check(text: &str, expected: &Expect) {
    let found = match ops(text) {
        Ok((ops, pids, n)) => {
            assert_eq!(ops.len() as u64, n);
            let lines = ops.iter().map(|(before, record)| {
                let OpRecord { pid, tid, cpu, op } = record;
                let mut whose = String::new();
                for (name, number) in [("pid", pid), ("tid", tid), ("cpu", cpu)] {
                    if *number != 0 {
                        whose += &format!(" {name} {number}");
                    }
                }
                format!("{before}: {op}{whose}\n")
            });
            lines.collect::<String>() + &format!("accesses of {pids:?}\n")
        }
        Err(error) => format!("{:?}: {error}\n", error.code),
    };
    expected.assert_eq(&found);
}

#[test]
fn operations_stand_between_accesses_in_columns_with_names() {
    check(
        "kind,address,size,pid,operands\n\
         load,0x1000,8,,\n\
         mov-cr3,,,7,pcid=1 keep\n\
         load,0x1000,8,,\n\
         INVLPG,0x1fff,,,\n\
         munmap,0x1000,8192,,no-flush\n\
         mprotect,0x3000,4096,9,r-- key=3\n\
         load,0x2000,8,9,\n\
         load,0x2000,8,,\n\
         invpcid,,,,type=2\n",
        &expect![[r"
            1: mov-cr3 pcid=1 keep pid 7
            2: invlpg 0x1fff pid 7
            2: munmap 0x1000 8192 no-flush pid 7
            2: mprotect 0x3000 4096 r-- key=3 pid 9
            4: invpcid type=2 pid 7
            accesses of [0, 7, 9, 7]
        "]],
    );
}

#[test]
fn operations_are_found_in_lists_without_names() {
    check(
        "mov-cr3 pid=7\n\
         load 0x1000 8\n\
         invlpg 0x1000\n\
         store 0x1000 8\n\
         munmap 0x1000 8192 no-flush tid=4 cpu=2\n\
         mov-cr4 pge=0\n\
         syscall\n\
         wrpkru 0x55555554\n\
         set-entry 0x1000 level=1 clear=a+d\n\
         load 0x1000 8\n",
        &expect![[r"
            0: mov-cr3 pid 7
            1: invlpg 0x1000 pid 7
            2: munmap 0x1000 8192 no-flush pid 7 tid 4 cpu 2
            2: mov-cr4 pge=0 pid 7
            2: syscall pid 7
            2: wrpkru 0x55555554 pid 7
            2: set-entry 0x1000 level=1 clear=0x60 pid 7
            accesses of [7, 7, 7]
        "]],
    );
}

/// Every operation in every form, as it is displayed.
#[test]
fn what_is_shown_can_be_read() {
    let shown = "mov-cr3 pid=7
        mov-cr3 keep pid=7
        mov-cr3 pcid=5 pid=7
        invlpg 0xffff800000001000 pid=7
        invpcid 0x1000 type=0 pid=7
        invpcid type=1 pcid=4095 pid=7
        invpcid type=3 pid=7
        mov-cr4 pcide=1 pid=7
        mov-cr4 smep=0 pid=7
        mov-cr4 smap=1 pid=7
        mov-cr4 pke=0 pid=7
        mov-cr0 wp=0 pid=7
        mov-cr0 pg pid=7
        wrmsr nxe=0 pid=7
        stac pid=7
        clac pid=7
        syscall pid=7
        sysret pid=7
        mprotect 0x1000 4096 rwx pid=7
        mprotect 0x1000 4096 --- no-flush pid=7
        madvise 0x1000 4096 dontneed pid=7
        madvise 0x1000 4096 dontneed no-flush pid=7
        fork child=8 pid=7
        fork child=8 no-flush pid=7
        set-entry 0x1000 level=4 set=0x80 clear=0x1 pid=7
        invept type=1 eptp=0x1000 pid=7
        invept type=2 pid=7
        invvpid 0x1000 type=0 vpid=1 pid=7
        invvpid type=3 pid=7";
    let text = format!("{shown}\nload 0x1000 8");
    let (ops, ..) = ops(&text).unwrap();
    assert_eq!(ops.len(), shown.lines().count());
    for (line, (_, record)) in shown.lines().zip(ops) {
        assert_eq!(format!("{} pid={}", record.op, record.pid), line.trim());
    }
}

#[test]
fn a_bad_operation_is_an_error_with_its_line() {
    for (row, expected) in [
        ("invlpg,,,,", "invlpg: give an address"),
        ("invpcid,0x1000,,,type=4", "invpcid: type=4: give a number up to 3"),
        ("invpcid,0x1000,,,", "invpcid: give the type: type=0 to 3"),
        ("mov-cr3,,,7,pcid=4096", "mov-cr3: pcid=4096: give a number up to 4095"),
        ("mov-cr3,,,7,kepe", "mov-cr3 has no operand `kepe`"),
        ("mov-cr3,,,x,", "mov-cr3: `x` is not a number"),
        (
            "mov-cr4,,,,",
            "mov-cr4: give the bit and its value, 0 or 1: pge=0, pcide=0, smep=0, smap=0, pke=0",
        ),
        ("munmap,0x1000,,,", "munmap: give a length in bytes"),
        ("munmap,0x1001,4096,,", "munmap: the address 0x1001 is not a multiple of 4096"),
        ("munmap,0xfffffffffffff000,8192,,", "munmap: the range ends beyond the address space"),
        ("mprotect,0x1000,4096,,rwxx", "mprotect: give the rights: r--, rw-, r-x, rwx or none"),
        ("mprotect,0x1000,4096,,r-- key=16", "mprotect: key=16: give a number up to 15"),
        ("madvise,0x1000,4096,,willneed", "madvise: give the advice: dontneed"),
        ("fork,,,,", "fork: give the process: child=7"),
        ("set-entry,0x1000,,,set=a", "set-entry: give the level: level=1 to 5"),
        (
            "set-entry,0x1000,,,level=1",
            "set-entry: give the flags: set=… or clear=…, each flag once",
        ),
        (
            "set-entry,0x1000,,,level=1 set=q",
            "set-entry: there is no flag `q`: give p, w, u, a, d, ps, g, xd, or a number",
        ),
        ("wrpkru,,,,", "wrpkru: give the value of PKRU, at most 32 bits"),
        ("invept,,,,type=0", "invept: give the type: type=1 to 2"),
    ] {
        let text = format!("kind,address,size,pid,operands\nload,0x1000,8,,\n{row}\n");
        let error = ops(&text).unwrap_err();
        assert_eq!(error.to_string(), format!("line 3: {expected}"), "{row}");
    }
}

#[test]
fn operations_alone_are_no_trace() {
    check(
        "kind,address\ninvlpg,0x1000\n",
        &expect![[r"
            BadTrace: no access in this csv trace of 2 lines: check the columns
        "]],
    );
}
