//! The names of students: which spellings are one name, and which names are one student.

use unicode_normalization::UnicodeNormalization as _;

/// Returns the spelling that chooses the accesses of a student: composed letters (Unicode's form NFC), one space between
/// words, and no outer spaces.
pub fn one_spelling(name: &str) -> String {
    let composed: String = name.nfc().collect();
    composed.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a key that is equal for the lines of one student. Case does not make another student.
pub(super) fn key(name: &str) -> String {
    one_spelling(name).to_lowercase()
}
