//! The order of the core's modules, and what the core must not know.

use std::path::{Path, PathBuf};

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Rust files below `path`, which may be a file itself, in order of name.
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

/// Modules in the order of `lib.rs`.
fn order() -> Vec<String> {
    let lib = std::fs::read_to_string(src().join("lib.rs")).unwrap();
    let module = |line: &str| {
        let declared = line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';')?;
        Some(declared.to_owned())
    };
    lib.lines().filter_map(module).collect()
}

/// The text without comments and without what is between quotes.
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

/// The modules that a text names after `crate::`, those in `use crate::{a, b}` included.
fn named_modules(code: &str) -> Vec<String> {
    let word = |text: &str| {
        text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
    };
    let mut names = Vec::new();
    for (at, found) in code.match_indices("crate::") {
        // `$crate::` and `my_crate::` are other things.
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

#[test]
fn paths_are_found_alone_in_lists_and_inline_but_not_in_comments() {
    let text = "use crate::addr::Hex; // crate::wrong\nuse crate::{os::{Os, Pool}, tlb};\nlet x = crate::psc::Y; \"crate::no\"";
    assert_eq!(named_modules(&code(text)), ["addr", "os", "tlb", "psc"]);
}

#[test]
fn every_module_of_the_core_uses_only_modules_named_before_it() {
    let order = order();
    assert!(order.len() > 10, "{order:?}");
    let mut wrong = Vec::new();
    for (rank, module) in order.iter().enumerate() {
        let mut files = rust_files(&src().join(format!("{module}.rs")));
        files.extend(rust_files(&src().join(module)));
        assert!(!files.is_empty(), "{module} has no file");
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            for name in named_modules(&code(&text)) {
                let below =
                    order.iter().position(|other| *other == name).is_some_and(|used| used <= rank);
                if !below {
                    wrong.push(format!(
                        "{}: crate::{name}",
                        file.strip_prefix(src()).unwrap().display()
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "modules that use what stands after them in lib.rs:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_file_of_the_core_belongs_to_a_module_of_the_list() {
    let order = order();
    let stray: Vec<PathBuf> = rust_files(&src())
        .into_iter()
        .filter(|file| {
            let inside = file.strip_prefix(src()).unwrap();
            let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
            let module = first.trim_end_matches(".rs");
            module != "lib" && !order.iter().any(|known| known == module)
        })
        .collect();
    assert!(stray.is_empty(), "{stray:?}");
}

/// The core computes: it knows no browser, and reads no file, clock or environment.
#[test]
fn the_core_knows_no_browser_file_clock_or_environment() {
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
    for file in rust_files(&src()) {
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            let line = line.split("//").next().unwrap_or("").to_lowercase();
            for word in unwanted.iter().filter(|word| line.contains(**word)) {
                found.push(format!("{}:{}: {word}", file.display(), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
