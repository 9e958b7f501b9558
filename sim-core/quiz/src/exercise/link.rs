//! An exercise in a link of the site.
//!
//! ```text
//! https://…/#screen=learn&exercise=1q1ZKrUgtSs…     &grade=1q1Z… opens the page that grades
//!                                  │└ Base64 of the deflated JSON
//!                                  └ the version
//! ```

use pagewalk_base::error::{Error, ErrorCode, Result};

use super::Exercise;
use super::packed::{Unpackable, is_letter, pack, unpack};

const VERSION: char = '1';
/// The longest part of a link after `#`, in bytes. Mail programs and learning platforms cut longer ones.
pub const MAX_LINK: usize = 6 << 10;
/// The longest exercise that a link may unpack to, in bytes.
pub const MAX_TEXT: usize = 1 << 20;

impl Exercise {
    /// Returns the part after `#` of the link that opens the exercise.
    ///
    /// # Errors
    /// `too-large` if the link would be too long, or would unpack to too much.
    pub fn link(&self) -> Result<String> {
        if self.canonical.len() > MAX_TEXT {
            let message = format!(
                "the exercise has {} bytes, and a link holds {MAX_TEXT}: hand out the file",
                self.canonical.len()
            );
            return Err(Error::new(ErrorCode::TooLarge, message));
        }
        let link = format!("screen=learn&exercise={VERSION}{}", pack(self.canonical.as_bytes()));
        if link.len() <= MAX_LINK {
            return Ok(link);
        }
        let message = format!(
            "the link would have {} bytes, and platforms cut links of more than {MAX_LINK}: hand out the file, or describe the trace as a workload",
            link.len()
        );
        Err(Error::new(ErrorCode::TooLarge, message))
    }
}

/// Returns the JSON of the exercise in a link or in its part after `#`. Returns `None` if the text is no such link.
///
/// # Errors
/// `unsupported` for a newer version, `bad-config` if the link is cut or damaged.
pub fn read_link(text: &str) -> Result<Option<String>> {
    let Some(data) = data_of(text) else { return Ok(None) };
    let damaged = || {
        let message = "the link is damaged or cut: copy the whole link again";
        Error::new(ErrorCode::BadConfig, message)
    };
    let mut letters = data.chars();
    match letters.next() {
        Some(VERSION) => {}
        Some('2'..='9') => {
            let message = "a newer version of Pagewalk made the link: use that one to read it";
            return Err(Error::new(ErrorCode::Unsupported, message));
        }
        _ => return Err(damaged()),
    }
    let bytes = unpack(letters.as_str(), MAX_TEXT).map_err(|why| match why {
        Unpackable::Damaged => damaged(),
        Unpackable::TooLong => Error::new(
            ErrorCode::TooLarge,
            format!("the exercise in the link has more than {MAX_TEXT} bytes: use its file"),
        ),
    })?;
    String::from_utf8(bytes).map(Some).map_err(|_| damaged())
}

/// Returns the text after `exercise=` or `grade=`, if that is a part of a link.
fn data_of(text: &str) -> Option<&str> {
    let part = text.trim().rsplit('#').next()?;
    let data = part
        .split('&')
        .find_map(|word| word.strip_prefix("exercise=").or_else(|| word.strip_prefix("grade=")))?;
    let end = data.bytes().position(|letter| !is_letter(letter)).unwrap_or(data.len());
    Some(&data[..end])
}
