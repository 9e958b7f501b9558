//! The licences of the libraries in the program.

use crate::support::printed;

#[test]
fn each_library_is_named_with_its_licence() {
    let notices = printed("--licenses");
    assert!(notices.contains("Apache License"), "{notices}");
    assert!(notices.contains("MIT License"), "{notices}");
    for library in ["clap", "serde", "libbz2-rs-sys", "wasm-bindgen"] {
        assert!(notices.contains(&format!("{library} ")), "{library}");
    }
}
