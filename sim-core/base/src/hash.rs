//! Hashes that identify contents: the first half of a SHA-256, in hexadecimal.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// Returns the hash of a text.
pub fn hash(text: &str) -> String {
    in_hexadecimal(Sha256::new().chain_update(text))
}

pub(crate) fn in_hexadecimal(digest: Sha256) -> String {
    let digest = digest.finalize();
    digest[..16].iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
