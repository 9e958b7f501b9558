//! Texts with expressions in braces: `{pages} pages`, `{n:,} loads`.

use serde::Deserialize;
use serde_json::Value as Json;

use super::{Expr, Scope, Value, fault};
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::Result;
use pagewalk_base::thousands::grouped;

/// A text of a data file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "String")]
pub(in super::super) struct Text(Vec<Piece>);

#[derive(Clone, Debug)]
enum Piece {
    Words(String),
    Value(Expr, Format),
}

/// The format of a value, as written after `:`.
#[derive(Clone, Copy, Debug)]
enum Format {
    Plain,
    /// `,`: with a comma between thousands.
    Grouped,
    /// `.3`: with 3 decimals.
    Decimals(usize),
    /// `#x`: hexadecimal.
    Hex,
    /// `K`: as a size in bytes, such as 64K.
    Size,
}

impl TryFrom<String> for Text {
    type Error = String;

    fn try_from(text: String) -> std::result::Result<Self, String> {
        let mut pieces = Vec::new();
        let mut left = text.as_str();
        while let Some((words, rest)) = left.split_once('{') {
            let (inside, rest) =
                rest.split_once('}').ok_or_else(|| format!("`{text}`: a `}}` is missing"))?;
            let (source, format) = inside.rsplit_once(':').unwrap_or((inside, ""));
            let format = match format {
                "" => Format::Plain,
                "," => Format::Grouped,
                "#x" => Format::Hex,
                "K" => Format::Size,
                other => {
                    let decimals = other.strip_prefix('.').and_then(|n| n.parse().ok());
                    Format::Decimals(decimals.ok_or_else(|| format!("`:{other}` is unknown"))?)
                }
            };
            pieces.push(Piece::Words(words.to_owned()));
            pieces.push(Piece::Value(Expr::parse(source)?, format));
            left = rest;
        }
        pieces.push(Piece::Words(left.to_owned()));
        Ok(Self(pieces))
    }
}

impl Text {
    /// Returns the text with the values of its expressions.
    ///
    /// # Errors
    /// The errors of the expressions.
    pub(in super::super) fn write(&self, scope: &Scope<'_>) -> Result<String> {
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Words(words) => text += words,
                Piece::Value(expr, format) => text += &format.write(&expr.evaluate(scope)?)?,
            }
        }
        Ok(text)
    }
}

impl Format {
    fn write(self, value: &Value) -> Result<String> {
        let number = || value.number().map_err(fault);
        Ok(match self {
            Self::Plain => value.to_text().map_err(fault)?,
            Self::Grouped => grouped(count(number()?)?),
            Self::Decimals(n) => format!("{:.n$}", number()?),
            Self::Hex => format!("{:#x}", count(number()?)?),
            Self::Size => {
                let shift = count(number()?)?.trailing_zeros();
                PageSize(u8::try_from(shift).expect("at most 64")).to_string()
            }
        })
    }
}

/// Converts a number to an integer.
///
/// # Errors
/// `bad-config` if the number is negative, not whole, or too large.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is checked")]
pub(in super::super) fn count(number: f64) -> Result<u64> {
    if number >= 0.0 && number.fract() == 0.0 && number < 9e15 {
        return Ok(number as u64);
    }
    Err(fault(format!("{number} is no count")))
}

/// Returns JSON with the values of the expressions in its texts. A text that is one expression in braces becomes
/// the value, whatever its type.
///
/// # Errors
/// The errors of the expressions.
pub(in super::super) fn fill(json: &Json, scope: &Scope<'_>) -> Result<Json> {
    Ok(match json {
        Json::String(text) => {
            let text = Text::try_from(text.clone()).map_err(fault)?;
            match &text.0[..] {
                [Piece::Words(before), Piece::Value(expr, Format::Plain), Piece::Words(after)]
                    if before.is_empty() && after.is_empty() =>
                {
                    expr.evaluate(scope)?.to_json()
                }
                _ => text.write(scope)?.into(),
            }
        }
        Json::Array(items) => items.iter().map(|it| fill(it, scope)).collect::<Result<_>>()?,
        Json::Object(fields) => {
            let fields = fields.iter().map(|(name, it)| Ok((name.clone(), fill(it, scope)?)));
            Json::Object(fields.collect::<Result<_>>()?)
        }
        other => other.clone(),
    })
}
