//! Values of expressions. Clones share their content, so that a report is never copied.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value as Json};

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(Arc<str>),
    List(Arc<[Value]>),
    Record(Arc<BTreeMap<String, Value>>),
}

impl Value {
    pub(in super::super) fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    pub(in super::super) fn record(fields: impl IntoIterator<Item = (&'static str, f64)>) -> Self {
        let fields = fields.into_iter().map(|(name, n)| (name.to_owned(), Self::Number(n)));
        Self::Record(Arc::new(fields.collect()))
    }

    /// # Errors
    /// A message if the value is no number.
    pub(in super::super) fn number(&self) -> Result<f64, String> {
        match self {
            Self::Number(number) => Ok(*number),
            other => Err(format!("{other:?} is no number")),
        }
    }

    /// # Errors
    /// A message if the value is not true or false.
    pub(in super::super) fn is_true(&self) -> Result<bool, String> {
        match self {
            Self::Bool(is) => Ok(*is),
            other => Err(format!("{other:?} is neither true nor false")),
        }
    }

    /// # Errors
    /// A message if the value is no list.
    pub(in super::super) fn list(&self) -> Result<Arc<[Value]>, String> {
        match self {
            Self::List(items) => Ok(Arc::clone(items)),
            other => Err(format!("{other:?} is no list")),
        }
    }

    /// Returns a text or a number as text.
    ///
    /// # Errors
    /// A message if the value is neither a text nor a number.
    pub(in super::super) fn to_text(&self) -> Result<String, String> {
        match self {
            Self::Text(text) => Ok(text.to_string()),
            Self::Number(number) => Ok(number.to_string()),
            other => Err(format!("{other:?} is neither a text nor a number")),
        }
    }

    /// Returns the value as JSON; whole numbers have no decimal point.
    #[expect(clippy::cast_possible_truncation, reason = "it is a whole number below 2^53")]
    pub(in super::super) fn to_json(&self) -> Json {
        match self {
            Self::Null => Json::Null,
            Self::Bool(is) => Json::Bool(*is),
            Self::Number(n) if n.fract() == 0.0 && n.abs() < 9e15 => Json::from(*n as i64),
            Self::Number(n) => Json::from(*n),
            Self::Text(text) => Json::from(&**text),
            Self::List(items) => items.iter().map(Self::to_json).collect(),
            Self::Record(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.clone(), value.to_json()));
                Json::Object(fields.collect::<Map<_, _>>())
            }
        }
    }
}

impl From<&Json> for Value {
    fn from(json: &Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(is) => Self::Bool(*is),
            Json::Number(n) => Self::Number(n.as_f64().unwrap_or(f64::NAN)),
            Json::String(text) => Self::text(text),
            Json::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            Json::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.clone(), value.into()));
                Self::Record(Arc::new(fields.collect()))
            }
        }
    }
}
