//! Previews of files, and corrections of wrong guesses.

use expect_test::{Expect, expect};
use pagewalk_base::trace::Kind;
use pagewalk_sources::import::{ImportOptions, ListColumn, ListLayout, Peek, PeekRecord, peek};

use super::support::{fixture, import_with};

fn look(options: ImportOptions, bytes: &[u8]) -> Peek {
    peek(options, bytes, true).unwrap()
}

/// Writes the preview as JSON, without empty fields.
fn show(peek: &Peek) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        if !["null", "[]"].contains(&value.as_str()) {
            text += &format!("{name} {value}\n");
        }
    };
    let json = |value: &serde_json::Value| value.to_string();
    let value = serde_json::to_value(peek).unwrap();
    for name in ["packed", "is_whole", "lone_column", "list", "problem"] {
        line(name, json(&value[name]));
    }
    for (name, value) in value["report"].as_object().into_iter().flatten() {
        if ["format", "accesses", "records", "warnings", "processes"].contains(&name.as_str()) {
            line(name, json(value));
        }
    }
    for record in &peek.records {
        let mut fields = serde_json::to_value(record).unwrap();
        let fields = fields.as_object_mut().unwrap();
        fields.retain(|_, value| !value.is_null() && *value != 0);
        line("·", serde_json::to_string(fields).unwrap().replace('"', ""));
    }
    for shown in peek.shown.iter().take(3) {
        line("│", shown.chars().take(60).collect());
    }
    text
}

#[track_caller]
fn check(options: ImportOptions, bytes: &[u8], expected: &Expect) {
    expected.assert_eq(&show(&look(options, bytes)));
}

fn list(list: ListLayout) -> ImportOptions {
    ImportOptions { list, ..ImportOptions::default() }
}

#[test]
fn operations_are_among_the_records() {
    let text = b"kind,address,size,pid,operands\nstore,0x1000,8,,\nmprotect,0x1000,4096,,r--\nstore,0x1000,8,,\n";
    let peek = look(ImportOptions::default(), text);
    let of = |record: &PeekRecord| match (&record.operation, record.kind) {
        (Some(op), None) => op.word(),
        (None, Some(kind)) => kind.name(),
        _ => "?",
    };
    let found: Vec<&str> = peek.records.iter().map(of).collect();
    let operations = peek.report.map(|report| report.operations);
    assert_eq!((found, operations), (vec!["store", "mprotect", "store"], Some(1)));
}

#[test]
fn a_list_is_shown_with_its_columns() {
    let text = b"kind,address,size,note\nload,0x1000,8,a\nstore,0x2000,4,b\n";
    check(
        ImportOptions::default(),
        text,
        &expect![[r#"
            is_whole true
            list {"base":"hex","base_is_guessed":false,"columns":["kind","address","size",null],"names":["kind","address","size","note"],"rows":[["load","0x1000","8","a"],["store","0x2000","4","b"]],"separator":"comma"}
            accesses 2
            format "csv"
            records 2
            warnings ["Unused columns: `note`"]
            · {address:0x1000,kind:load,size:8}
            · {address:0x2000,kind:store,size:4}
            │ kind,address,size,note
            │ load,0x1000,8,a
            │ store,0x2000,4,b
        "#]],
    );
}

#[test]
fn a_guess_is_put_right() {
    let text = b"10 20 30\n11 21 31\n12 22 32\n";
    check(
        ImportOptions::default(),
        text,
        &expect![[r#"
            is_whole true
            list {"base":"decimal","base_is_guessed":true,"columns":["size",null,"address"],"kind":"load","rows":[["10","20","30"],["11","21","31"],["12","22","32"]],"separator":"blanks"}
            accesses 3
            format "csv"
            records 3
            warnings ["The list has no header, so the columns are a guess: column 1 as size, column 3 as address. A first line such as kind,address,size names them",{"remedy":{"set":"format","to":["csv-hex"],"when":"they are hexadecimal"},"text":"No address has 0x or a digit a to f, so all were read as decimal"},"No column says what kind of access each row is, so all are read as loads"]
            · {address:0x1e,kind:load,size:10}
            · {address:0x1f,kind:load,size:11}
            · {address:0x20,kind:load,size:12}
            │ 10 20 30
            │ 11 21 31
            │ 12 22 32
        "#]],
    );
    let right = list(ListLayout {
        columns: Some(vec![Some(ListColumn::Ip), None, Some(ListColumn::Address)]),
        base: Some(serde_json::from_str("\"hex\"").unwrap()),
        kind: Some(Kind::Store),
        header: Some(true),
        ..ListLayout::default()
    });
    check(
        right.clone(),
        text,
        &expect![[r#"
            is_whole true
            list {"base":"hex","base_is_guessed":false,"columns":["ip",null,"address"],"kind":"store","names":["10","20","30"],"rows":[["11","21","31"],["12","22","32"]],"separator":"blanks"}
            accesses 2
            format "csv"
            records 2
            · {address:0x31,ip:0x11,kind:store}
            · {address:0x32,ip:0x12,kind:store}
            │ 10 20 30
            │ 11 21 31
            │ 12 22 32
        "#]],
    );
    // The import gives the same records.
    let (report, accesses) = import_with(right, text, 4);
    assert_eq!(report.unwrap().accesses, 2);
    assert_eq!((accesses[0].address, accesses[0].ip), (0x31, Some(0x11)));
}

#[test]
fn an_impossible_layout_is_reported_next_to_the_preview() {
    let text = b"10 20\n11 21\n";
    let columns = |columns| list(ListLayout { columns: Some(columns), ..ListLayout::default() });
    check(
        columns(vec![Some(ListColumn::Size)]),
        text,
        &expect![[r#"
            is_whole false
            problem {"code":"bad-trace","message":"no column holds addresses: add a header line with a column `address`, or check the separator"}
            │ 10 20
            │ 11 21
        "#]],
    );
    check(
        columns(vec![Some(ListColumn::Address); 2]),
        text,
        &expect![[r#"
        is_whole false
        problem {"at":{"field":"list.columns"},"code":"bad-config","message":"two columns are the address: choose one"}
        │ 10 20
        │ 11 21
    "#]],
    );
    let comma = ListLayout {
        separator: Some(serde_json::from_str("\"comma\"").unwrap()),
        columns: Some(vec![Some(ListColumn::Address)]),
        ..ListLayout::default()
    };
    check(
        list(comma),
        text,
        &expect![[r#"
            is_whole true
            list {"base":"decimal","base_is_guessed":true,"columns":["address"],"kind":"load","names":["10 20"],"rows":[["11 21"]],"separator":"comma"}
            problem {"at":{"line":2},"code":"bad-trace","message":"no access in this csv trace of 2 lines: check the columns; this line reads `11 21`"}
            accesses 0
            format "csv"
            records 0
            warnings [{"remedy":{"set":"format","to":["csv-hex"],"when":"they are hexadecimal"},"text":"No address has 0x or a digit a to f, so all were read as decimal"},"No column says what kind of access each row is, so all are read as loads","1 malformed line was skipped; it is line 2: `11 21`"]
            │ 10 20
            │ 11 21
        "#]],
    );
}

#[test]
fn recordings_are_shown_sample_by_sample() {
    check(
        ImportOptions::default(),
        &fixture("perf/data/bp-touch.perf.data.gz"),
        &expect![[r#"
            packed ["gzip"]
            is_whole true
            accesses 161
            format "perf.data"
            processes [{"accesses":161,"name":"touch","pid":9398,"threads":[{"accesses":161,"tid":9398}]}]
            records 161
            · {address:0x406000,ip:0x4011ad,page:4096,pid:9398,tid:9398,time:2019862208202}
            · {address:0x406000,ip:0x4011b4,page:4096,pid:9398,tid:9398,time:2019862231922}
            · {address:0x600000001000,event:1,ip:0x4011d2,page:2097152,pid:9398,tid:9398,time:2019862551870}
            · {address:0x600000200000,event:2,ip:0x4011d2,page:2097152,pid:9398,tid:9398,time:2019862833651}
            · {address:0x406000,ip:0x4011ad,page:4096,pid:9398,tid:9398,time:2019862858681}
            · {address:0x406000,ip:0x4011b4,page:4096,pid:9398,tid:9398,time:2019862874981}
            · {address:0x600000001000,event:1,ip:0x4011d2,page:2097152,pid:9398,tid:9398,time:2019862893926}
            · {address:0x600000200000,event:2,ip:0x4011d2,page:2097152,pid:9398,tid:9398,time:2019862918307}
            │ 50 45 52 46 49 4c 45 32 68 00 00 00 00 00 00 00
            │ 90 00 00 00 00 00 00 00 98 00 00 00 00 00 00 00
            │ b0 01 00 00 00 00 00 00 48 02 00 00 00 00 00 00
        "#]],
    );
    let script = b"touch 12/12 2031.603438: faults:     5570a8200028 main (/bin/touch)\n";
    check(
        ImportOptions::default(),
        script,
        &expect![[r#"
            is_whole true
            lone_column "perf-script-ip"
            accesses 0
            format "perf-script"
            processes [{"accesses":1,"name":"touch","pid":12,"threads":[{"accesses":1,"tid":12}]}]
            records 1
            warnings [{"remedy":{"set":"format","to":["perf-script-addr"],"when":"it is the data address"},"text":"In 1 of the samples there is one column of addresses, with a symbol or in its place. It was read as the instruction pointer, which perf script prints by default. If the recording has data addresses, print them with perf script -F +addr"},"1 sample has no data address: it cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was; it is line 1: `touch 12/12 2031.603438: faults:     557…`"]
            · {ip:0x5570a8200028,pid:12,tid:12,time:2031603438000}
            │ touch 12/12 2031.603438: faults:     5570a8200028 main (/bin
        "#]],
    );
    let asked = Some("perf-script-addr".to_owned());
    check(
        ImportOptions { format: asked, ..ImportOptions::default() },
        script,
        &expect![[r#"
        is_whole true
        lone_column "perf-script-addr"
        accesses 1
        format "perf-script"
        processes [{"accesses":1,"name":"touch","pid":12,"threads":[{"accesses":1,"tid":12}]}]
        records 1
        · {address:0x5570a8200028,pid:12,tid:12,time:2031603438000}
        │ touch 12/12 2031.603438: faults:     5570a8200028 main (/bin
    "#]],
    );
}

#[test]
fn a_beginning_is_enough_to_tell_what_it_is() {
    for name in ["matmul24.full.txt.xz", "perf/data/pf-full.perf.data.gz"] {
        let bytes = fixture(name);
        for n in [2000, 20_000] {
            let part = &bytes[..bytes.len().min(n)];
            let peek = peek(ImportOptions::default(), part, false).unwrap();
            assert!(!peek.is_whole);
            assert!(!peek.records.is_empty(), "{name} {n}: {peek:?}");
            assert_eq!(peek.problem, None, "{name} {n}");
        }
    }
}

#[test]
fn what_is_no_trace_is_shown_all_the_same() {
    check(
        ImportOptions::default(),
        b"\x00\x01holiday\xff",
        &expect![[r#"
        is_whole false
        problem {"code":"unsupported","message":"the file looks like a binary file, which Pagewalk does not read. Write its accesses as a list with the first line kind,address,size and import that. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip."}
        │ 00 01 68 6f 6c 69 64 61 79 ff
    "#]],
    );
    check(
        ImportOptions::default(),
        b"",
        &expect![[r#"
        is_whole false
        problem {"code":"unknown-format","message":"the file is empty: choose a file with a trace"}
    "#]],
    );
    let options = ImportOptions { format: Some("cvs".to_owned()), ..ImportOptions::default() };
    assert!(peek(options, b"1 2\n", true).is_err());
}

#[test]
fn options_are_read_from_json() {
    let json = r#"{"format":"csv","list":{"separator":"tab","columns":["ip",null,"address"],"base":"decimal"},
        "select":{"pids":[7],"from":{"access":5},"to":{"time":9},"every":{"keep":1,"of":10},"modes":["user"]},"limit":10}"#;
    let options: ImportOptions = serde_json::from_str(json).unwrap();
    assert_eq!(options.limit, 10);
    assert_eq!(options.max_bytes, ImportOptions::default().max_bytes);
    let again = serde_json::to_string(&options).unwrap();
    assert_eq!(serde_json::from_str::<ImportOptions>(&again).unwrap(), options);
    assert!(serde_json::from_str::<ImportOptions>(r#"{"lists":{}}"#).is_err());
}
