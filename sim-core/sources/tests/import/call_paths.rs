//! Call paths of samples: of the text of `perf script`, and of files of `perf record`.

use std::fmt::Write as _;

use expect_test::expect;
use pagewalk_base::trace::{CallCursor, Frame, MAX_DEPTH, Trace};

use super::saved::read_plainly;
use super::support::fixture;

/// Returns the functions of each access, the outermost first.
fn paths(trace: &Trace) -> Vec<Vec<String>> {
    let (tree, mut cursor) = (trace.call_tree(), CallCursor::default());
    let path = |index| {
        let mut node = cursor.node(trace, index);
        let mut names = Vec::new();
        while node != 0 {
            let Frame { name, ip } = tree.frame(node);
            names.push(if name.is_empty() { format!("{ip:#x}") } else { name.to_owned() });
            node = tree.parent(node);
        }
        names.reverse();
        names
    };
    (0..trace.len()).map(path).collect()
}

fn text(trace: &Trace) -> String {
    let mut text = String::new();
    for path in paths(trace) {
        writeln!(text, "{}", path.join(";")).unwrap();
    }
    text
}

#[test]
fn a_chain_is_the_path_of_its_sample_by_names() {
    // Offsets in files tell nothing, so equal names are one function. A sample without a chain has no path.
    let (trace, report) = read_plainly(
        b"a 7/7 1.000001: 1 page-faults:  7f6436047110 x (/tmp/a)
\t           114b probe+0x2b (/tmp/a)
\t           1190 join(int, char*)+0x10 (/tmp/a)
\t           11f0 main+0x1 (/tmp/a)
\t          2a1ca [unknown] (/usr/lib/libc.so.6)
\t   7fff00000000 [unknown] ([unknown])

a 7/7 1.000002: 1 page-faults:  7f6436047210 y (/tmp/a)
\tffffffff81000130 entry (inlined)
\t           1150 probe+0x30 (/tmp/a)

a 7/7 1.000003: 1 page-faults:  7f6436047310

a 7/7 1.000004: 1 page-faults:  7f6436047410 z (/tmp/a)
\tffffffff81000140 entry ([kernel.kallsyms])
\t           1155 probe+0x35 (/tmp/a)

",
    );
    expect![[r"
        0x7fff00000000;[libc.so.6];main;join(int, char*);probe
        probe;entry

        probe;entry
    "]]
    .assert_eq(&text(&trace));
    assert_eq!(trace.call_tree().len(), 7);
    let skipped: Vec<_> = report.skipped.iter().map(|skipped| &skipped.reason[..]).collect();
    assert_eq!(skipped, ["blank lines"]);
}

#[test]
fn deep_chains_are_cut_and_a_warning_says_so() {
    let mut text = b"a 7/7 1.000001: 1 page-faults:  7f6436047110 x (/tmp/a)\n".to_vec();
    for n in (0..300).rev() {
        text.extend(format!("\t 55550000{n:04x} f{n}+0x2b (/tmp/a)\n").bytes());
    }
    let (trace, report) = read_plainly(&text);
    let path = &paths(&trace)[0];
    assert_eq!((path.len(), &path[0][..], &path[255][..]), (MAX_DEPTH, "f0", "f255"));
    let warnings: Vec<_> = report.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "The call paths of 1 sample go beyond the limits of 256 functions of a path and of 1,048,576 of all paths: their innermost calls count for the last function that was kept"
        ]
    );
}

/// The file has addresses, and the text names and offsets of the same functions.
#[test]
fn a_file_has_the_paths_that_perf_script_prints() {
    let [data, script] = ["data/pf-callchain.perf.data.gz", "script/pf-callchain.txt.gz"]
        .map(|name| read_plainly(&fixture(&format!("perf/{name}"))).0);
    let [by_address, by_name] = [&data, &script].map(paths);
    assert!(by_address.len() > 100 && by_address.len() == by_name.len());
    for (address, name) in by_address.iter().zip(&by_name) {
        assert_eq!(address.len(), name.len(), "{address:?} {name:?}");
    }
    // The instruction of a sample is the innermost of its addresses.
    for (path, access) in by_address.iter().zip(data.accesses_from(0)) {
        assert_eq!(path.last().unwrap(), &format!("{:#x}", access.ip.unwrap()));
    }
    assert_eq!(
        by_name[1][..3],
        ["0x7f76480f2ad7", "entry_SYSCALL_64_after_hwframe", "do_syscall_64"]
    );
}

#[test]
fn recordings_without_chains_have_no_tree() {
    for name in ["perf/data/pf-matmul.perf.data.gz", "perf/script/pf-callchain.G.txt.gz"] {
        assert!(read_plainly(&fixture(name)).0.call_tree().is_empty(), "{name}");
    }
}
