//! Text that fits one line or a link: deflated, in Base64 with the alphabet for URLs and without padding.

use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

/// Why a text cannot be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unpackable {
    Damaged,
    /// It has more bytes than the caller takes. A short text can inflate to a thousand times its length.
    TooLong,
}

pub(super) fn is_letter(letter: u8) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, b'-' | b'_')
}

pub(super) fn pack(bytes: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let deflated = encoder.write_all(bytes).and_then(|()| encoder.finish());
    BASE64.encode(deflated.expect("writing to memory does not fail"))
}

/// Unpacks at most `most` bytes.
pub(super) fn unpack(text: &str, most: usize) -> Result<Vec<u8>, Unpackable> {
    let deflated = BASE64.decode(text).map_err(|_| Unpackable::Damaged)?;
    let mut bytes = Vec::new();
    let inflated = DeflateDecoder::new(deflated.as_slice());
    inflated.take(most as u64 + 1).read_to_end(&mut bytes).map_err(|_| Unpackable::Damaged)?;
    if bytes.len() > most { Err(Unpackable::TooLong) } else { Ok(bytes) }
}
