//! Checks the order of the core's rooms, the place of `impl Machine`, and the words that the crates must not use.

use std::path::{Path, PathBuf};

/// The library crates. Cargo enforces their order.
const CRATES: [&str; 8] =
    [".", "base", "sources", "instrument", "analysis", "quiz", "measured", "experiments"];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Returns the Rust files below `path`, in order of name. `path` may be a file.
fn rust_files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = std::fs::read_dir(path).into_iter().flatten();
    let mut files: Vec<PathBuf> =
        entries.flat_map(|entry| rust_files(&entry.unwrap().path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files.sort();
    files
}

/// Returns the modules that a file declares, in order.
fn declared(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let module = |line: &str| {
        let line = line.trim_start_matches("pub(crate) ").trim_start_matches("pub ");
        Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
    };
    text.lines().filter_map(module).collect()
}

/// Returns the text without comments and without string literals.
fn code(text: &str) -> String {
    let mut code = String::new();
    for line in text.lines() {
        let mut quoted = false;
        let mut before = ' ';
        for (at, letter) in line.char_indices() {
            if !quoted && line[at..].starts_with("//") {
                break;
            }
            if letter == '"' && before != '\\' && !line[at..].starts_with("\"'") {
                quoted = !quoted;
            } else if !quoted {
                code.push(letter);
            }
            before = letter;
        }
        code.push('\n');
    }
    code
}

/// Returns the rooms that a text names after `crate::`, also in `use crate::{a, b}`.
fn named_rooms(code: &str) -> Vec<String> {
    let word = |text: &str| {
        text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
    };
    let mut names = Vec::new();
    for (at, found) in code.match_indices("crate::") {
        // `$crate::` and `my_crate::` do not name a room.
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let path = &code[at + found.len()..];
        let Some(list) = path.strip_prefix('{') else {
            names.push(word(path));
            continue;
        };
        let mut depth = 0;
        let mut start = true;
        for (at, letter) in list.char_indices() {
            match letter {
                '}' if depth == 0 => break,
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => start = true,
                letter if start && letter.is_alphabetic() => {
                    names.push(word(&list[at..]));
                    start = false;
                }
                _ => {}
            }
        }
    }
    names
}

/// Returns the names of the types with an inherent `impl` block. Callers can use its methods without a `use`.
fn implemented(code: &str) -> Vec<String> {
    let heads = code.lines().filter_map(|line| line.strip_prefix("impl"));
    let plain = heads.filter(|head| head.starts_with([' ', '<']) && !head.contains(" for "));
    let names = plain.filter_map(|head| {
        let head = head.trim_start();
        let head = match head.strip_prefix('<') {
            Some(generics) => after_generics(generics),
            None => head,
        };
        let name: String =
            head.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        (!name.is_empty()).then_some(name)
    });
    names.collect()
}

fn after_generics(text: &str) -> &str {
    let mut depth = 1;
    for (at, letter) in text.char_indices() {
        depth += i32::from(letter == '<') - i32::from(letter == '>');
        if depth == 0 {
            return &text[at + 1..];
        }
    }
    ""
}

/// Returns the names of the structs and enums that a text defines.
fn defined(code: &str) -> Vec<String> {
    let words: Vec<&str> = code
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .collect();
    let pairs = words.windows(2).filter(|pair| ["struct", "enum"].contains(&pair[0]));
    pairs.map(|pair| pair[1].to_owned()).collect()
}

/// Returns the room, the path below `src` and the code of every file of the core.
fn core_files() -> Vec<(String, String, String)> {
    let src = workspace().join("src");
    let files = rust_files(&src).into_iter().filter(|file| !file.ends_with("src/lib.rs"));
    let parts = files.map(|file| {
        let inside = file.strip_prefix(&src).unwrap();
        let room = inside.components().next().unwrap().as_os_str().to_str().unwrap().to_owned();
        (room, inside.display().to_string(), code(&std::fs::read_to_string(&file).unwrap()))
    });
    parts.collect()
}

#[test]
fn paths_are_found_alone_in_lists_and_inline_but_not_in_comments() {
    let text = "use crate::addr::Hex; // crate::wrong\nuse crate::{os::{Os, Pool}, tlb};\nlet x = crate::psc::Y; \"crate::no\"";
    assert_eq!(named_rooms(&code(text)), ["addr", "os", "tlb", "psc"]);
}

#[test]
fn inherent_impl_blocks_and_definitions_are_found() {
    let text =
        "struct A;\npub enum B<T> { C(T) }\nimpl<'a, T: Into<A>> B<T> {\nimpl A {\nimpl X for A {";
    assert_eq!(implemented(text), ["B", "A"]);
    assert_eq!(defined(text), ["A", "B"]);
}

#[test]
fn the_core_has_at_most_twelve_rooms_and_each_is_a_folder() {
    let order = declared(&workspace().join("src/lib.rs"));
    assert!((2..=12).contains(&order.len()), "{order:?}");
    let mut found: Vec<String> = core_files().into_iter().map(|(room, ..)| room).collect();
    found.dedup();
    let mut rooms = order;
    rooms.sort();
    assert_eq!(found, rooms, "folders of src, and modules of lib.rs");
}

#[test]
fn every_room_uses_only_rooms_before_it() {
    let order = declared(&workspace().join("src/lib.rs"));
    let rank = |name: &str| order.iter().position(|other| other == name);
    let mut wrong = Vec::new();
    for (room, file, code) in core_files() {
        let used = named_rooms(&code);
        let later =
            used.iter().filter(|name| rank(name).is_none_or(|used| Some(used) > rank(&room)));
        wrong.extend(later.map(|name| format!("{file}: crate::{name}")));
    }
    assert!(wrong.is_empty(), "rooms that use later rooms of lib.rs:\n{}", wrong.join("\n"));
}

/// A method needs no `use`, so an `impl` block in a later room would let an earlier room call it.
#[test]
fn methods_are_written_in_the_room_of_their_type() {
    let files = core_files();
    let mut wrong = Vec::new();
    for (room, file, code) in &files {
        for name in implemented(code) {
            let homes = files.iter().filter(|(.., code)| defined(code).contains(&name));
            let homes: Vec<&String> = homes.map(|(home, ..)| home).collect();
            if !homes.contains(&room) {
                wrong.push(format!("{file}: impl {name}, defined in {homes:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_machine_is_implemented_in_its_own_room_only() {
    let outside: Vec<PathBuf> = CRATES
        .iter()
        .flat_map(|name| rust_files(&workspace().join(name).join("src")))
        .filter(|file| !file.starts_with(workspace().join("src/machine")))
        .filter(|file| {
            implemented(&code(&std::fs::read_to_string(file).unwrap())).contains(&"Machine".into())
        })
        .collect();
    assert!(outside.is_empty(), "{outside:?}");
}

/// The library crates have no code for browsers, and read no file, clock or environment.
#[test]
fn the_crates_know_no_browser_file_clock_or_environment() {
    let unwanted = [
        "wasm",
        "js_sys",
        "web_sys",
        "javascript",
        "std::fs",
        "std::env",
        "std::time",
        "std::net",
        "std::thread",
        "std::process",
    ];
    let mut found = Vec::new();
    for file in CRATES.iter().flat_map(|name| rust_files(&workspace().join(name).join("src"))) {
        let text = std::fs::read_to_string(&file).unwrap();
        // WebAssembly is what this crate reads and writes, with two libraries. It must not know that it runs as such.
        let subject = if file.starts_with(workspace().join("instrument")) {
            ["wasmparser", "wasm_encoder", "wasmfeatures::wasm3", "wasmfeatures", "wasm32"]
                .as_slice()
        } else {
            &[]
        };
        for (number, line) in text.lines().enumerate() {
            let line = line.split("//").next().unwrap_or("").to_lowercase();
            let line = subject.iter().fold(line, |line, word| line.replace(word, ""));
            for word in unwanted.iter().filter(|word| line.contains(**word)) {
                found.push(format!("{}:{}: {word}", file.display(), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Measuring a computer needs calls of one system: Linux's for huge pages and for processors. The browser's build has no
/// command line.
const OF_ONE_SYSTEM: [&str; 2] = ["measure/memory.rs", "measure/timed.rs"];

/// No other file has code for a single target, so that linting the host's build also covers the browser's build.
#[test]
fn no_code_is_for_a_single_target() {
    let crates = [&CRATES[..], &["wasm", "replay-wasm", "instrument-wasm", "cli"]].concat();
    let files = crates.iter().flat_map(|name| rust_files(&workspace().join(name).join("src")));
    let found: Vec<PathBuf> = files
        .filter(|file| code(&std::fs::read_to_string(file).unwrap()).contains("cfg(target"))
        .filter(|file| !OF_ONE_SYSTEM.iter().any(|known| file.ends_with(known)))
        .collect();
    assert!(found.is_empty(), "{found:?}");
}

/// Each file of the fast paths names its row in the benchmarks, which shows its gain.
#[test]
fn every_file_of_the_fast_paths_names_its_bench_row() {
    let readme = include_str!("../benches/README.md");
    // The rows of the table of results. A name ends at the first two spaces.
    let rows: Vec<&str> =
        readme.lines().filter_map(|line| line.split_once("  ")).map(|(name, _)| name).collect();
    let names_row = |text: &str| {
        let (_, named) = text.split_once("//! Bench row").unwrap_or_default();
        rows.iter().any(|row| row.starts_with('(') && named.contains(row))
    };
    let mut silent = rust_files(&workspace().join("src/machine/fast"));
    silent.retain(|file| {
        !file.ends_with("fast/mod.rs") && !names_row(&std::fs::read_to_string(file).unwrap())
    });
    assert!(silent.is_empty(), "name a row of benches/README.md in {silent:?}");
}
