//! Programs of compilers: each access has its line, each variable its extent.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pagewalk_instrument::{SiteKind, instrument, source};

use crate::run::{What, instrumented};

/// Checks how often each line loads and stores, and what its calls of allocators report.
#[track_caller]
fn check_lines(program: &[u8], file: &str, expected: &str) {
    let (_, events, made) = instrumented(program);
    let source = source(program, &made).expect("the program is valid");
    assert!(source.has_lines);
    let places: BTreeMap<u32, _> =
        made.sites.iter().zip(&source.places).map(|(site, place)| (site.at, place)).collect();
    let mut lines: BTreeMap<u32, [u32; 4]> = BTreeMap::new();
    for event in events {
        let place = places[&event.at];
        let Some(of) = place.file.map(|file| &source.files[file as usize]) else { continue };
        assert!(of.ends_with(file), "{of}");
        let counts = lines.entry(place.line).or_default();
        counts[match event.what {
            What::Load => 0,
            What::Store => 1,
            What::Call => 2,
            _ => 3,
        }] += 1;
    }
    let mut text = String::new();
    for (line, [loads, stores, calls, others]) in lines {
        writeln!(text, "{line}: {loads} loads, {stores} stores, {calls} calls, {others} returns")
            .expect("a text has room");
    }
    assert_eq!(text.trim(), expected.replace("\n         ", "\n").trim());
}

const STRUCTURES: &[u8] = include_bytes!("../programs/structures.wasm");
const NO_STD: &[u8] = include_bytes!("../programs/no_std.wasm");

#[test]
fn the_lines_of_a_c_program() {
    check_lines(
        STRUCTURES,
        "structures.c",
        "14: 0 loads, 0 stores, 10 calls, 10 returns
         15: 0 loads, 10 stores, 0 calls, 0 returns
         16: 0 loads, 10 stores, 0 calls, 0 returns
         23: 0 loads, 512 stores, 0 calls, 0 returns
         29: 0 loads, 0 stores, 1 calls, 1 returns
         30: 10 loads, 0 stores, 0 calls, 0 returns
         31: 0 loads, 1 stores, 0 calls, 0 returns
         32: 10 loads, 10 stores, 0 calls, 0 returns
         36: 10 loads, 0 stores, 0 calls, 0 returns
         37: 0 loads, 0 stores, 10 calls, 0 returns
         40: 2 loads, 2 stores, 0 calls, 0 returns
         41: 0 loads, 0 stores, 1 calls, 0 returns",
    );
}

#[test]
fn the_lines_of_a_rust_program() {
    check_lines(
        NO_STD,
        "no_std.rs",
        "15: 64 loads, 0 stores, 0 calls, 0 returns
         16: 0 loads, 64 stores, 0 calls, 0 returns",
    );
}

#[test]
fn the_variables_of_a_c_program() {
    let made = instrument(STRUCTURES).unwrap();
    let source = source(STRUCTURES, &made).unwrap();
    let globals: Vec<_> = source
        .globals
        .iter()
        .map(|each| format!("{} {} {}", each.name, each.ty, each.size))
        .collect();
    assert_eq!(globals, ["matrix double[16][32] 4096", "counter int 4"]);
    let allocating: Vec<_> = made
        .sites
        .iter()
        .zip(&source.places)
        .filter(|(site, place)| matches!(site.kind, SiteKind::Call(_)) && place.file.is_some())
        .map(|(_, place)| (source.functions[place.function.unwrap() as usize].as_str(), place.line))
        .collect();
    assert_eq!(allocating, [("push", 14), ("main", 29), ("main", 37), ("main", 41)]);
}

/// A library has no lines, or those of a system's file.
#[test]
fn calls_of_libraries_by_own_code_are_entered_and_left() {
    let made = instrument(STRUCTURES).unwrap();
    let source = source(STRUCTURES, &made).unwrap();
    let sites = || made.sites.iter().zip(&source.places);
    let entered: Vec<_> = sites()
        .filter(|(site, _)| site.kind == SiteKind::Enter)
        .map(|(site, place)| (source.code[site.offset as usize].0.as_str(), place.line))
        .collect();
    assert_eq!(
        entered,
        [("malloc", 14), ("calloc", 29), ("free", 37), ("printf", 40), ("free", 41)]
    );
    let left =
        sites().filter(|(site, _)| site.kind == SiteKind::Leave).map(|(_, place)| place.line);
    assert_eq!(left.collect::<Vec<_>>(), [14, 29, 37, 40, 41]);
}

#[test]
fn a_program_without_debug_information_enters_nothing() {
    let made = instrument(include_bytes!("../programs/features.wasm")).unwrap();
    assert!(made.sites.iter().all(|site| site.kind != SiteKind::Enter));
}

#[test]
fn functions_without_debug_information_have_names() {
    let made = instrument(STRUCTURES).unwrap();
    let source = source(STRUCTURES, &made).unwrap();
    assert!(source.functions.iter().any(|name| name == "dlmalloc"), "{:?}", source.functions);
}

#[test]
fn damaged_debug_information_is_left_out() {
    let made = instrument(STRUCTURES).unwrap();
    let start = STRUCTURES.windows(11).position(|part| part == b".debug_info").unwrap();
    for at in (start..STRUCTURES.len()).step_by(7) {
        let mut bytes = STRUCTURES.to_vec();
        bytes[at] ^= 0x55;
        drop(source(&bytes, &made));
    }
}

#[test]
fn the_stack_is_known_without_names() {
    let stack = |globals: &str| {
        let program = crate::cases::wat(&format!("(module (memory 2) {globals} (func))"));
        source(&program, &instrument(&program).unwrap()).unwrap().memory.stack
    };
    assert_eq!(stack("(global (mut i32) (i32.const 66560))"), (0, 66560));
    assert_eq!(
        stack("(global (@name \"a/__stack_pointer\") (mut i32) (i32.const 4096))"),
        (0, 4096)
    );
    assert_eq!(stack("(global i32 (i32.const 16)) (global (mut i32) (i32.const 32))"), (0, 32));
    // It is no place, or it has another name.
    assert_eq!(stack("(global (mut i32) (i32.const 7))"), (0, 0));
    assert_eq!(stack("(global (mut i32) (i32.const 1048576))"), (0, 0));
    assert_eq!(stack("(global $n (mut i32) (i32.const 4096))"), (0, 0));
}
