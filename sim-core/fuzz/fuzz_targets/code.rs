#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pagewalk_fuzz::check("code", data));
