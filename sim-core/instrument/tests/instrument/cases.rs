//! Programs written by hand, with the accesses counted by hand.

use pagewalk_instrument::{Allocator, SiteKind, instrument};

use crate::run::{instrumented, plain};

pub(crate) fn wat(text: &str) -> Vec<u8> {
    wat::parse_str(text).expect("the text is a program")
}

/// Checks what the functions of a program report, one event a line.
#[track_caller]
fn check(body: &str, expected: &str) {
    let text = format!("(module (memory (export \"m\") 1 2) (data \"abcd\") {body})");
    let (outcome, events, _) = instrumented(&wat(&text));
    assert_eq!(outcome, plain(&wat(&text)));
    let found: Vec<String> = events.iter().map(|each| format!("{each:?}")).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(found, expected);
}

#[test]
fn loads_and_stores() {
    check(
        r#"(func (export "f")
          i32.const 100 i32.load8_s offset=3 drop
          i32.const 8 i64.const 7 i64.store32 align=1
          i32.const 16 f64.load drop
          i32.const 24 f32.const 1 f32.store)"#,
        "Load 103 +1
         Store 8 +4
         Load 16 +8
         Store 24 +4",
    );
}

#[test]
fn a_loop_reports_each_round() {
    check(
        r#"(func (export "f") (local i32)
          loop
            local.get 0 i32.const 1 i32.store
            local.get 0 i32.const 4 i32.add local.tee 0
            i32.const 12 i32.lt_u br_if 0
          end)"#,
        "Store 0 +4
         Store 4 +4
         Store 8 +4",
    );
}

#[test]
fn only_the_branch_that_runs_reports() {
    check(
        r#"(func (export "f") (result i32)
          i32.const 4 i32.load
          if (result i32) i32.const 8 i32.load8_u else i32.const 12 i32.load16_u end
          block
            i32.const 16 i32.load br_if 0
            i32.const 20 i32.load drop
            br 0
          end)"#,
        "Load 4 +4
         Load 12 +2
         Load 16 +4
         Load 20 +4",
    );
}

#[test]
fn bulk_operations_report_their_sizes() {
    check(
        r#"(func (export "f")
          i32.const 64 i32.const 7 i32.const 9 memory.fill
          i32.const 128 i32.const 64 i32.const 9 memory.copy
          i32.const 200 i32.const 1 i32.const 3 memory.init 0
          i32.const 1 memory.grow drop
          i32.const 1 memory.grow drop)"#,
        "Store 64 +9
         Load 64 +9
         Store 128 +9
         Store 200 +3
         Grow 1 +1
         Grow 1 +4294967295",
    );
}

#[test]
fn a_program_does_not_see_the_buffer() {
    check(
        r#"(func (export "f") (result i32 i32)
          i32.const 0 i32.const 65535 i32.store8
          i32.const 1 memory.grow drop
          i32.const 65536 i32.load drop
          i32.const 131068 i32.load drop
          memory.size i32.const 131064 i32.load)"#,
        "Store 0 +1
         Grow 1 +1
         Load 65536 +4
         Load 131068 +4
         Load 131064 +4",
    );
}

#[test]
fn a_callee_reports_between_the_accesses_of_its_caller() {
    check(
        r#"(func $g (param i32) (result i32) local.get 0 i32.load offset=4)
        (func (export "f") (result i32)
          i32.const 8 i32.load call $g i32.load)"#,
        "Load 8 +4
         Load 4 +4
         Load 0 +4",
    );
}

#[test]
fn allocators_report_their_arguments_and_results() {
    check(
        r#"(func $malloc (export "malloc") (param i32) (result i32) i32.const 512)
        (func $calloc (export "calloc") (param i32 i32) (result i32)
          i32.const 8 call $malloc)
        (func $free (export "free") (param i32))
        (func (export "zz")
          i32.const 24 call $malloc drop
          i32.const 3 i32.const 5 call $calloc drop
          i32.const 512 call $free)"#,
        "Call 24 +0
         Return 512 +0
         Call 3 +5
         Return 512 +0
         Call 512 +0",
    );
}

#[test]
fn allocators_of_other_languages_report_the_same() {
    check(
        r#"(func $alloc (@name "_RNvCs6c_7___rustc12___rust_alloc") (param i32 i32) (result i32)
          i32.const 512)
        (func $realloc (@name "__rust_realloc") (param i32 i32 i32 i32) (result i32)
          i32.const 640)
        (func $dealloc (@name "__rust_dealloc") (param i32 i32 i32))
        (func $new (@name "~lib/rt/itcms/__new") (param i32 i32) (result i32) i32.const 768)
        (func $other (@name "malloc") (param i64) (result i32) i32.const 1)
        (func (export "f")
          i32.const 24 i32.const 8 call $alloc drop
          i32.const 512 i32.const 24 i32.const 8 i32.const 48 call $realloc drop
          i32.const 640 i32.const 48 i32.const 8 call $dealloc
          i32.const 32 i32.const 7 call $new drop
          i64.const 5 call $other drop)"#,
        "Call 24 +0
         Return 512 +0
         Call 512 +48
         Return 640 +0
         Call 640 +0
         Call 32 +0
         Return 768 +0",
    );
}

#[test]
fn a_program_has_at_most_a_gibibyte() {
    let grow = |memory: &str| {
        let text = format!(
            "(module (memory {memory}) (func (export \"f\") (result i32) i32.const 16384 memory.grow))"
        );
        let (outcome, ..) = instrumented(&wat(&text));
        outcome.results
    };
    assert_eq!(grow("1"), [["I32(-1)"]]);
    assert_eq!(grow("1 65536"), [["I32(-1)"]]);
    assert_eq!(grow("0"), [["I32(0)"]]);
}

#[test]
fn garbage_collection_ends_no_valid_program() {
    let made = instrument(&wat(r#"(module (memory 1) (type $pair (struct (field (mut i32))))
          (func (export "f") (param $p (ref null $pair)) (result i32) (local $q (ref null $pair))
            block $none
              (local.set $q (br_on_null $none (local.get $p)))
              (struct.set $pair 0 (local.get $q) (i32.load (i32.const 8)))
              (i32.store (i32.const 12) (struct.get $pair 0 (local.get $q)))
              br $none
            end
            i32.const 16 i32.load))"#))
    .unwrap();
    wasmparser::Validator::new().validate_all(&made.module).expect("the result is valid");
    assert_eq!((made.sites.len(), made.blocks.len()), (3, 4));
}

#[test]
fn the_program_of_features_is_its_text() {
    let text = include_str!("../programs/features.wat");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/features.wasm");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(file, wat(text)).unwrap();
    }
    assert!(wat(text) == std::fs::read(file).unwrap(), "run this test with UPDATE_EXPECT=1");
    let made = instrument(&wat(text)).unwrap();
    let features = wasmparser::WasmFeatures::WASM3
        | wasmparser::WasmFeatures::THREADS
        | wasmparser::WasmFeatures::LEGACY_EXCEPTIONS;
    let mut validator = wasmparser::Validator::new_with_features(features);
    validator.validate_all(&made.module).expect("the result is valid");
}

#[test]
fn a_full_buffer_is_handed_over() {
    let text = r#"(module (memory 1) (func (export "f") (local i32)
      loop
        i32.const 8 i32.load drop
        local.get 0 i32.const 1 i32.add local.tee 0
        i32.const 1000000 i32.lt_u br_if 0
      end))"#;
    let (_, events, _) = instrumented(&wat(text));
    assert_eq!(events.len(), 1_000_000);
}

#[test]
fn a_long_block_is_cut() {
    let loads = "i32.const 8 i32.load drop ".repeat(5000);
    let text = format!("(module (memory 1) (func (export \"f\") {loads}))");
    let (_, events, made) = instrumented(&wat(&text));
    assert_eq!(events.len(), 5000);
    assert_eq!(made.blocks.len(), 6);
}

#[test]
fn the_start_function_becomes_an_export() {
    let made = instrument(&wat("(module (memory 1) (func $s) (start $s))")).unwrap();
    let text = String::from_utf8_lossy(&made.module);
    assert!(text.contains("pagewalk:start") && text.contains("pagewalk:memory"));
}

#[test]
fn places_lead_back_to_the_original() {
    let program = wat(ALL);
    let made = instrument(&program).unwrap();
    let mut n = 0;
    for at in 0..u32::try_from(made.module.len()).unwrap() {
        let Some(original) = made.original(at) else { continue };
        n += u32::from(made.module[at as usize] == program[original as usize]);
    }
    // Each byte of the original code is somewhere in the new one.
    assert!(n as usize > program.len() / 2);
    for site in &made.sites {
        let is_found = (0..u32::try_from(made.module.len()).unwrap())
            .any(|at| made.original(at) == Some(site.at));
        assert!(is_found, "{site:?}");
    }
}

/// Each instruction has the size in its name.
#[test]
fn sizes_are_those_of_the_names() {
    let plain = "i32.load i64.load f32.load f64.load i32.load8_s i32.load8_u i32.load16_s i32.load16_u
        i64.load8_s i64.load8_u i64.load16_s i64.load16_u i64.load32_s i64.load32_u
        i32.store i64.store f32.store f64.store i32.store8 i32.store16 i64.store8 i64.store16 i64.store32
        v128.load v128.store v128.load8x8_s v128.load16x4_u v128.load32x2_s v128.load8_splat v128.load16_splat
        v128.load32_splat v128.load64_splat v128.load32_zero v128.load64_zero
        i32.atomic.load i64.atomic.load i32.atomic.load8_u i32.atomic.load16_u i64.atomic.load8_u
        i64.atomic.load16_u i64.atomic.load32_u i32.atomic.store i64.atomic.store i32.atomic.store8
        i32.atomic.store16 i64.atomic.store8 i64.atomic.store16 i64.atomic.store32";
    for name in plain.split_whitespace() {
        let (ty, rest) = name.split_once('.').unwrap();
        let whole = ty[1..].parse::<u32>().unwrap() / 8;
        let after = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        let size = match digits.parse::<u32>() {
            Err(_) => whole,
            Ok(_) if after.contains('x') => 8,
            Ok(bits) => bits / 8,
        };
        let is_store = rest.contains("store");
        let operands = if is_store { format!("local.get ${ty}") } else { String::new() };
        let drop = if is_store { "" } else { "drop" };
        let text = format!(
            "(module (memory 1 1 shared) (func (local $i32 i32) (local $i64 i64) (local $f32 f32)
              (local $f64 f64) (local $v128 v128) i32.const 0 {operands} {name} {drop}))"
        );
        let made = instrument(&wat(&text)).unwrap();
        wasmparser::Validator::new().validate_all(&made.module).expect("the result is valid");
        let found = (made.sites[0].kind == SiteKind::Store, u32::from(made.sites[0].size));
        assert_eq!(found, (is_store, size), "{name}");
    }
}

/// Instructions of every family. Threads are not run, as the interpreter has none.
pub(crate) const ALL: &str = r#"(module
  (memory 1 1 shared) (data "abcd")
  (func (export "f") (local v128)
    i32.const 0 i32.const 1 i32.atomic.rmw.add drop
    i32.const 0 i64.const 1 i64.atomic.rmw8.xchg_u drop
    i32.const 0 i32.const 1 i32.const 2 i32.atomic.rmw16.cmpxchg_u drop
    i32.const 0 i64.const 1 i64.const 2 i64.atomic.rmw32.cmpxchg_u drop
    i32.const 0 i64.atomic.load32_u offset=8 drop
    i32.const 0 i32.const 1 i32.atomic.store8
    i32.const 0 i32.const 1 i64.const 0 memory.atomic.wait32 drop
    i32.const 0 i64.const 1 i64.const 0 memory.atomic.wait64 drop
    i32.const 0 i32.const 1 memory.atomic.notify drop
    atomic.fence
    i32.const 0 v128.load32x2_s drop
    i32.const 0 local.get 0 v128.load16_lane 3 drop
    i32.const 0 local.get 0 v128.store64_lane offset=24 1
    i32.const 0 v128.load64_zero drop
    i32.const 0 i32.const 0 i32.const 2 memory.init 0))"#;

#[test]
fn atomics_and_vectors() {
    use SiteKind::{Init, Load, Modify, Store};
    let made = instrument(&wat(ALL)).unwrap();
    let found: Vec<_> = made.sites.iter().map(|each| (each.kind, each.size, each.offset)).collect();
    let expected = [
        (Modify, 4, 0),
        (Modify, 1, 0),
        (Modify, 2, 0),
        (Modify, 4, 0),
        (Load, 4, 8),
        (Store, 1, 0),
        (Load, 4, 0),
        (Load, 8, 0),
        (Load, 4, 0),
        (Load, 8, 0),
        (Load, 2, 0),
        (Store, 8, 24),
        (Load, 8, 0),
        (Init, 0, 0),
    ];
    assert_eq!(found, expected);
    wasmparser::Validator::new().validate_all(&made.module).expect("the result is valid");
    assert_eq!(SiteKind::Call(Allocator::Realloc).words(), 2);
}
