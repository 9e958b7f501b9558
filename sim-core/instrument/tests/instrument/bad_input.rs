//! Whatever the bytes are, the result is a program or an error.

use cases::cases;
use pagewalk_base::error::ErrorCode;
use pagewalk_instrument::instrument;

use crate::cases::wat;

#[track_caller]
fn refused(bytes: &[u8], part: &str) {
    let error = instrument(bytes).expect_err("this must be refused");
    assert!(error.message.contains(part), "{}", error.message);
}

#[test]
fn what_is_no_program_of_one_memory_is_refused() {
    refused(b"", "not a valid WebAssembly module");
    refused(b"\x7fELF", "not a valid WebAssembly module: ");
    refused(b"\0asm\x0d\0\x01\0", "component");
    refused(&wat("(module (memory 1) (memory 1))"), "several memories");
    refused(&wat("(module (memory i64 1))"), "64-bit addresses");
    refused(&wat(r#"(module (import "a" "b" (memory 1)))"#), "imports its memory");
    refused(&wat("(module (memory 65536))"), "begins with 4096 MiB");
    refused(&wat(r#"(module (memory (export "pagewalk:memory") 1))"#), "already");
    refused(&wat("(module (func (result i32) i64.const 0))"), "not a valid");
}

#[test]
fn damaged_programs_give_a_program_or_an_error() {
    let whole = wat(crate::cases::ALL);
    for end in 0..whole.len() {
        drop(instrument(&whole[..end]));
    }
    cases(300).check(|u| {
        let mut bytes = whole.clone();
        for _ in 0..u.int_in_range(1..=4)? {
            let at = u.choose_index(bytes.len())?;
            bytes[at] = u.arbitrary()?;
        }
        if let Err(error) = instrument(&bytes) {
            assert!(matches!(error.code, ErrorCode::BadTrace | ErrorCode::Unsupported));
        }
        Ok(())
    });
}
