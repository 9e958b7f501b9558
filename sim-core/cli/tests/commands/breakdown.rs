//! `pagewalk run --by`: where the misses are.

use expect_test::expect;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{check, json, printed, recorded};

#[test]
fn regions_pages_and_instructions_are_tables() {
    check(
        "run -m tiny.json -t walk.lackey --by region",
        expect![[r"
            walk.lackey on Tiny, 4K pages
            Trace complete: the file reports no missing accesses

            Region                                        Accesses  L1 misses  Walks  Faults  Translation cycles
            text    0x4001000 to 0x4003000, inferred             3          2      2       2                 424   61.36 %
            data    0x1ff000000 to 0x1ff004000, inferred         6          5      4       4                 267   38.64 %
            all                                                  9          7      6       6                 691  100.00 %
        "]],
    );
    check(
        "run -m tiny.json -t walk.lackey --by page",
        expect![[r"
            walk.lackey on Tiny, 4K pages
            Trace complete: the file reports no missing accesses

            Page               Accesses  L1 misses  Walks  Faults  Translation cycles
            0x4001000    text         2          1      1       1                 410   59.33 %
            0x1ff000000  data         4          2      1       1                 225   32.56 %
            0x4002000    text         1          1      1       1                  14    2.03 %
            0x1ff001000  data         1          1      1       1                  14    2.03 %
            0x1ff003000  data         1          1      1       1                  14    2.03 %
            0x1ff002000  data         0          1      1       1                  14    2.03 %
            all                       9          7      6       6                 691  100.00 %
        "]],
    );
    check(
        "run -m tiny.json -t walk.lackey --by instruction --skip 2",
        expect![[r"
            walk.lackey on Tiny, 4K pages
            Trace partial

            Instruction        Accesses  L1 misses  Walks  Faults  Translation cycles
            0x4001003    text         4          4      4       4                 656   95.91 %
            0x4002000    text         3          2      2       2                  28    4.09 %
            all                       7          6      6       6                 684  100.00 %
        "]],
    );
    check(
        "run -m tiny.json -t walk.lackey --by symbol",
        expect![[r"
        walk.lackey on Tiny, 4K pages
        Trace complete: the file reports no missing accesses

        The trace names no symbols: `pagewalk record` and the samples of a perf recording can.
    "]],
    );
}

/// A program trace: two nodes of a list, a global variable, and the line of each access.
fn program() -> TempDir {
    let head = r#"{"memory":{"stack":["0x0","0x1000"],"heap":"0x3000","size":"0x10000","code":"0x200"},
"functions":[{"name":"main","start":"0x10","end":"0x80"}],
"globals":[{"name":"table","start":"0x2000","end":"0x2100"}],
"sites":[["malloc",0,0,56],["return",0,0,56],["load",8,0,32],["store",4,0,36]],
"blocks":[0,2,3,4],"heap":[[56,"node (malloc, line 5)"]],
"files":["/src/list.c"],"names":["main"],
"places":[[0,5,0],[0,5,0],[0,9,0],[-1,0,0]],"lines":[[0,9,"  sum += node->key;"]]}"#;
    let words = [0, 24, 0x6000, 0, 24, 0x6020, 1, 0x6000, 1, 0x6020, 1, 0x2010, 2, 0xff8_u32];
    let mut bytes = b"PWCODE1\n".to_vec();
    bytes.extend(u32::try_from(head.len()).unwrap().to_le_bytes());
    bytes.extend(head.as_bytes());
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("list.code"), bytes).unwrap();
    folder
}

#[test]
fn lines_symbols_and_objects_are_tables() {
    let folder = program();
    let path = folder.path().join("list.code");
    let tables = ["line", "symbol", "object"].map(|by| {
        let text = printed(&format!("run -m tiny.json -t {} --by {by}", path.display()));
        text.split_once("\n\n").unwrap().1.to_owned()
    });
    expect![[r"
        Line                                       Accesses  L1 misses  Walks  Faults  Translation cycles
        list.c:9  main in code: sum += node->key;         3          2      2       2                 820   66.67 %
        unknown                                           1          1      1       1                 410   33.33 %
        all                                               4          3      3       3               1,230  100.00 %

        Symbol        Accesses  L1 misses  Walks  Faults  Translation cycles
        main    code         4          3      3       3               1,230  100.00 %
        all                  4          3      3       3               1,230  100.00 %

        Object                                                             Accesses  L1 misses  Walks  Faults  Translation cycles
        node (malloc, line 5)  2 blocks, 0x555500006000 to 0x555500006070         2          1      1       1                 410   33.33 %
        table                  0x100002000 to 0x100002100                         1          1      1       1                 410   33.33 %
        [stack]                0x7ffc00000000 to 0x7ffc00001000                   1          1      1       1                 410   33.33 %
        all                                                                       4          3      3       3               1,230  100.00 %
    "]]
    .assert_eq(&tables.join("\n"));
}

#[test]
fn what_a_program_trace_says_about_its_source_is_kept() {
    let folder = program();
    let [from, to] = ["list.code", "list.pagewalk"].map(|name| folder.path().join(name));
    printed(&format!("convert {} --to pagewalk --out {}", from.display(), to.display()));
    for by in ["line", "symbol", "object"] {
        let [one, other] = [&from, &to].map(|path| {
            let path = path.display();
            json(&format!("run -m tiny.json -t {path} --by {by} --json"))["breakdown"].clone()
        });
        assert_eq!(one, other, "{by}");
    }
}

#[test]
fn rows_that_are_not_printed_are_summed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pages.csv");
    // Loads before the first fetch have no known instruction.
    let line = |page: u32| match page {
        0..600 => format!("load,{:#x}\n", (0x8000 + page) << 12),
        _ => format!("fetch,{:#x}\n", page << 12),
    };
    let lines = (0..1200).map(line).collect::<String>();
    std::fs::write(&path, format!("kind,address\n{lines}")).unwrap();
    for (by, n_unknown) in [("page", 0), ("instruction", 600)] {
        let run = format!("run -m tiny.json -t {} --by {by}", path.display());
        let text = printed(&run);
        let n_rows = 1200 - n_unknown;
        let others = format!("{} others", if n_rows == 1200 { "1,176" } else { "576" });
        // The accesses of a row stand in the column below their title.
        let (_, table) = text.split_once("\n\n").unwrap();
        let end = table.find("Accesses").unwrap() + "Accesses".len();
        let rows: Vec<(&str, u64)> = table
            .lines()
            .skip(1)
            .filter(|line| !line.starts_with("--json"))
            .map(|line| {
                let word = line[..end].split_whitespace().next_back().unwrap();
                (line, word.replace(',', "").parse().unwrap())
            })
            .collect();
        let (all, rows) = rows.split_last().unwrap();
        assert_eq!(all.1, 1200, "{text}");
        assert_eq!(rows.iter().map(|(_, n)| n).sum::<u64>(), 1200, "{text}");
        assert!(rows.iter().any(|(line, _)| line.starts_with(&others)), "{text}");
        assert_eq!(
            rows.iter().any(|(line, _)| line.starts_with("unknown")),
            n_unknown > 0,
            "{text}"
        );
        let last = text.lines().last().unwrap();
        let n = if n_rows == 1200 { "1,200" } else { "600" };
        assert_eq!(last, format!("--json lists 500 of {n} rows"));
        let breakdown = &json(&format!("{run} --json"))["breakdown"];
        assert_eq!(breakdown["rows"].as_array().unwrap().len(), 500);
    }
}

#[test]
fn a_trace_without_fetches_has_an_unknown_instruction() {
    check(
        "run -m tiny.json -t threads.csv --by instruction",
        expect![[r"
            threads.csv on Tiny, 4K pages
            Trace complete: the file reports no missing accesses

            Instruction    Accesses  L1 misses  Walks  Faults  Translation cycles
            unknown               4          1      1       1                 410  100.00 %
            all                   4          1      1       1                 410  100.00 %
        "]],
    );
}

#[test]
fn symbols_are_those_of_the_samples() {
    let path = recorded("perf/script/bp-touch.full.txt.gz");
    let line = format!("run -c intel-skylake -t {path} --by symbol");
    let rows = json(&format!("{line} --json"))["breakdown"]["rows"].clone();
    let first: Vec<&Value> =
        ["name", "region", "accesses"].iter().map(|key| &rows[0][key]).collect();
    assert_eq!(json!(first), json!(["main", "", 161]));
}

#[test]
fn the_rows_add_up_to_the_counters_of_the_run() {
    let path = recorded("chase.lackey.xz");
    for by in ["region", "page", "object", "instruction", "line", "symbol"] {
        for window in ["", "--skip 1k --warmup 10k --limit 20k"] {
            let result = json(&format!("run -c intel-skylake -t {path} --by {by} {window} --json"));
            let breakdown = &result["breakdown"];
            let of = |counts: &Value, key: &str| counts[key].as_u64().unwrap();
            let rows = breakdown["rows"].as_array().unwrap();
            let parts = rows.iter().chain([&breakdown["others"], &breakdown["unknown"]]);
            for (key, counter) in [
                ("accesses", &result["trace"]["accesses"]),
                ("walks", &result["walks"]["walks"]),
                ("faults", &result["faults"]["minor"]),
                ("walk_cycles", &result["cycles"]["walk"]),
                ("l2_hit_cycles", &result["cycles"]["l2_hit"]),
                ("l2_miss_cycles", &result["cycles"]["l2_miss"]),
            ] {
                let sum: u64 = parts.clone().map(|part| of(part, key)).sum();
                assert_eq!(Some(sum), counter.as_u64(), "{by} {window} {key}");
                assert_eq!(sum, of(&breakdown["total"], key), "{by} {window} {key}");
            }
        }
    }
}

#[test]
fn a_breakdown_is_a_csv_with_the_rest() {
    let text = printed("run -m tiny.json -t threads.csv --by instruction --csv -");
    // The columns after these describe the result.
    let lines =
        text.lines().map(|line| line.split(',').take(17).collect::<Vec<_>>().join(",") + "\n");
    expect![[r"
        name,region,inferred,start,end,accesses,l1_misses,walks,faults,exceptions,l2_hit_cycles,l2_miss_cycles,walk_cycles,file,line,text,blocks
        unknown,,,,,4,1,1,1,0,0,7,403,,,,
    "]].assert_eq(&lines.collect::<String>());
}

#[test]
fn call_paths_are_a_table_and_lines_that_other_tools_draw() {
    let path = recorded("perf/script/pf-callchain.txt.gz");
    let line = format!("run -m tiny.json -t {path} --limit 12 --by stack");
    let text = printed(&line);
    let text = text.split_once("\n\n").unwrap().1;
    let text = text.split_once("\n\nWarning").map_or(text, |(table, _)| table);
    expect![[r"
        Call path                                                         Accesses  L1 misses  Walks  Faults  Translation cycles            With calls
        …;do_execveat_common.isra.0;bprm_execve;load_elf_binary;elf_load         2          2      2       2                 820   50.25 %         820   50.25 %
        _dl_start_user;_dl_start                                                 4          4      4       4                 152    9.31 %         152    9.31 %
        0x4f4c4300382d4654;[stack];__GI___tunables_init                          1          1      1       1                 110    6.74 %         110    6.74 %
        0x7fffb720832000;intel_check_word.constprop.0                            1          1      1       1                 110    6.74 %         110    6.74 %
        _dl_start_user;_dl_setup_hash                                            1          1      1       1                 110    6.74 %         110    6.74 %
        _dl_start_user;_dl_sysdep_start;_dl_process_pt_gnu_property              1          1      1       1                 110    6.74 %         110    6.74 %
        _dl_start_user;_dl_sysdep_start;dl_main                                  1          1      1       1                 110    6.74 %         110    6.74 %
        _start                                                                   1          1      1       1                 110    6.74 %         110    6.74 %
        all                                                                     12         12     12      12               1,632  100.00 %       1,632  100.00 %"]].assert_eq(text);
    expect![[r"
        0x7f76480f2ad7;entry_SYSCALL_64_after_hwframe;do_syscall_64;__x64_sys_execve;do_execveat_common.isra.0;bprm_execve;load_elf_binary;elf_load 2
        _dl_start_user;_dl_start 4
        _start 1
        _dl_start_user;_dl_setup_hash 1
        0x4f4c4300382d4654;[stack];__GI___tunables_init 1
        0x7fffb720832000;intel_check_word.constprop.0 1
        _dl_start_user;_dl_sysdep_start;dl_main 1
        _dl_start_user;_dl_sysdep_start;_dl_process_pt_gnu_property 1
    "]].assert_eq(&printed(&format!("{line} --folded walks")));
    let total = json(&format!("{line} --json"))["breakdown"]["total"].clone();
    for (by, key) in
        [("walk-cycles", "walk_cycles"), ("misses", "l1_misses"), ("accesses", "accesses")]
    {
        let folded = printed(&format!("{line} --folded {by}"));
        let counts = folded.lines().map(|line| line.rsplit_once(' ').unwrap().1);
        let sum: u64 = counts.map(|n| n.parse::<u64>().unwrap()).sum();
        assert_eq!(Some(sum), total[key].as_u64(), "{by}");
    }
    assert_eq!(
        printed(&format!("{line} --folded")),
        printed(&format!("{line} --folded walk-cycles"))
    );
}

#[test]
fn calls_of_a_function_by_itself_are_one_row_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("recursive.script");
    let sample = |at: u32, chain: &[&str]| {
        let frames = chain.iter().map(|name| format!("\t401000 {name}+0x1 (/bin/a)\n"));
        let frames = frames.collect::<Vec<_>>().concat();
        format!("a 7/7 {at}.000000: 1 cpu/mem-loads/: {at}000 \n{frames}\n")
    };
    let text = sample(1, &["insert", "main"])
        + &sample(2, &["insert", "insert", "main"])
        + &sample(3, &["insert", "insert", "insert", "main"]);
    std::fs::write(&script, text).unwrap();
    let printed = printed(&format!("run -m tiny.json -t {} --by stack", script.display()));
    let rows = printed.lines().filter(|line| line.contains("insert"));
    expect!["main;insert         3          3      3       3                 438  100.00 %         438  100.00 %"].assert_eq(&rows.collect::<Vec<_>>().join("\n"));
}

#[test]
fn call_paths_are_kept_in_a_saved_trace() {
    let from = recorded("perf/data/pf-callchain.perf.data.gz");
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("saved.pagewalk");
    printed(&format!("convert {from} --to pagewalk --out {}", to.display()));
    let line = |path: &str| format!("run -m tiny.json -t {path} --by stack --json");
    let [one, other] =
        [&from[..], to.to_str().unwrap()].map(|path| json(&line(path))["breakdown"].clone());
    assert_eq!(one, other);
    let nodes = one["nodes"].as_array().unwrap();
    let is_known = |node: &Value| node["name"].as_str().unwrap().contains(".so.6+0x");
    assert!(nodes.iter().any(is_known), "{nodes:?}");
    let csv = printed(&format!("run -m tiny.json -t {from} --by stack --csv -"));
    assert!(csv.starts_with("path,name,accesses,l1_misses,walks,"), "{csv}");
    assert_eq!(csv.lines().count(), nodes.len() + 1);
}

#[test]
fn a_trace_without_call_paths_says_so() {
    check(
        "run -m tiny.json -t walk.lackey --by stack",
        expect![[r"
        walk.lackey on Tiny, 4K pages
        Trace complete: the file reports no missing accesses

        The trace has no call paths: record them with `perf record -g`, or with `pagewalk record` a program that `pagewalk cc` compiled.
    "]],
    );
    check(
        "run -m tiny.json -t walk.lackey --by stack --folded",
        expect![[r"
        exit code 1: pagewalk: --folded: The trace has no call paths: record them with `perf record -g`, or with `pagewalk record` a program that `pagewalk cc` compiled.
    "]],
    );
    check(
        "run -m tiny.json -t walk.lackey --by line --folded",
        expect![[r"
        exit code 1: pagewalk: --folded: only call paths have this form: add --by stack
    "]],
    );
    check(
        "run -m tiny.json -t walk.lackey --folded",
        expect![[r"
        exit code 1: pagewalk: the following required arguments were not provided: --by <BY> (see `pagewalk run --help`)
    "]],
    );
}

#[test]
fn a_breakdown_counts_translations() {
    check(
        "run -m tiny.json -t walk.lackey --by region --count accesses",
        expect![[r"
        exit code 1: pagewalk: --count accesses: a breakdown counts an access for each of its pages: leave out --by or --count
    "]],
    );
}
