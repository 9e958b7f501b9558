//! Text as lines and links have it, without their limits.

use std::io::{Read as _, repeat};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::DeflateEncoder;
use pagewalk_base::hash::hash;

/// Returns `n` letters, deflated, in Base64.
pub(crate) fn letters(n: u64) -> String {
    let mut bytes = Vec::new();
    let mut deflated = DeflateEncoder::new(repeat(b'x').take(n), Compression::best());
    deflated.read_to_end(&mut bytes).unwrap();
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns a packed text as a line with its checksum.
pub(crate) fn line(packed: &str) -> String {
    format!("PW1.{packed}.{}", &hash(packed)[..8])
}
