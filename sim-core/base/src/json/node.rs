//! A serde deserializer that reads a type from a JSON tree and reports where in the tree an error is.

use std::fmt::{self, Display};

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, Error, Expected, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::Value;

/// An error at a place in the tree.
#[derive(Debug)]
pub(super) struct Trouble {
    /// The path of the value, such as `l1[0].ways`; empty for the whole tree.
    pub(super) path: String,
    pub(super) message: String,
}

impl Trouble {
    /// Puts a step before the path. An outer value does so when it passes on the error of an inner value.
    fn within(mut self, step: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{step}{dot}{}", self.path);
        self
    }
}

impl Error for Trouble {
    fn custom<T: Display>(message: T) -> Self {
        Self { path: String::new(), message: message.to_string() }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format!("{}: must be {}", in_json(found), in_words(expected)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }
}

/// Writes the value that was found, in JSON.
fn in_json(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Unit => "null".to_owned(),
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(value) => value.to_string(),
        Unexpected::Signed(value) => value.to_string(),
        Unexpected::Float(value) => format!("{value:?}"),
        Unexpected::Str(text) => format!("{text:?}"),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        other => other.to_string(),
    }
}

/// Describes the expected value in words. Visitors that serde generates name Rust types, which users do not know.
fn in_words(expected: &dyn Expected) -> String {
    let largest = |largest: u64| format!("a whole number, 0 to {largest}");
    let name = expected.to_string();
    match name.as_str() {
        "u8" => largest(u8::MAX.into()),
        "u16" => largest(u16::MAX.into()),
        "u32" => largest(u32::MAX.into()),
        "u64" | "usize" => "a whole number, 0 or more".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" => "text in quotes".to_owned(),
        "a sequence" => "a list […]".to_owned(),
        other if other == "a map" || other.starts_with("struct ") => "an object {…}".to_owned(),
        _ => name,
    }
}

impl Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Trouble {}

/// A value in the tree, which deserializes itself.
#[derive(Clone, Copy)]
pub(super) struct Node<'de>(pub(super) &'de Value);

impl Node<'_> {
    #[cold]
    fn misfit(self, expected: &dyn Expected) -> Trouble {
        let found = match self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(value), ..) => Unexpected::Unsigned(value),
                (_, Some(value), _) => Unexpected::Signed(value),
                (.., value) => Unexpected::Float(value.unwrap_or_default()),
            },
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        Trouble::invalid_type(found, expected)
    }

    #[cold]
    fn no_name_of(names: &[&str]) -> Trouble {
        Trouble::custom(format!("expected one of `\"{}\"`", names.join("\"`, `\"")))
    }
}

macro_rules! numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Trouble> {
            let Value::Number(number) = self.0 else { return Err(self.misfit(&visitor)) };
            match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(value), ..) => visitor.visit_u64(value),
                (_, Some(value), _) => visitor.visit_i64(value),
                (.., Some(value)) => visitor.visit_f64(value),
                _ => Err(self.misfit(&visitor)),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Node<'de> {
    type Error = Trouble;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Trouble> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(_) => self.deserialize_u64(visitor),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => visitor.visit_seq(Items { items, at: 0 }),
            Value::Object(_) => self.deserialize_map(visitor),
        }
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f32 deserialize_f64
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Trouble> {
        match self.0 {
            Value::Bool(value) => visitor.visit_bool(*value),
            _ => Err(self.misfit(&visitor)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Trouble> {
        match self.0 {
            Value::String(text) => visitor.visit_borrowed_str(text),
            _ => Err(self.misfit(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Trouble> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Trouble> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Trouble> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Trouble> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Trouble> {
        match self.0 {
            Value::Array(items) => visitor.visit_seq(Items { items, at: 0 }),
            _ => Err(self.misfit(&visitor)),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Trouble> {
        match self.0 {
            Value::Object(fields) => visitor.visit_map(Fields { fields: fields.iter(), at: None }),
            _ => Err(self.misfit(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Trouble> {
        if self.0.is_array() {
            // serde would read a list as the fields of the struct, in their order.
            return Err(Trouble::custom("expected a JSON object {…}, not a list"));
        }
        self.deserialize_map(visitor)
    }

    /// Reads one of several names. Enums whose variants hold values are tagged, so they are read as maps.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Trouble> {
        match self.0 {
            Value::String(text) => visitor.visit_enum(text.as_str().into_deserializer()),
            _ => Err(Self::no_name_of(variants)),
        }
    }

    forward_to_deserialize_any! {
        i128 u128 char bytes byte_buf unit unit_struct tuple tuple_struct ignored_any
    }
}

struct Items<'de> {
    items: &'de [Value],
    at: usize,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Trouble;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Trouble> {
        let Some(item) = self.items.get(self.at) else { return Ok(None) };
        let read = seed.deserialize(Node(item));
        let read = read.map_err(|trouble| trouble.within(&format!("[{}]", self.at)))?;
        self.at += 1;
        Ok(Some(read))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len() - self.at)
    }
}

struct Fields<'de> {
    fields: serde_json::map::Iter<'de>,
    /// The last field whose name was read.
    at: Option<(&'de String, &'de Value)>,
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = Trouble;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Trouble> {
        self.at = self.fields.next();
        let Some((name, _)) = self.at else { return Ok(None) };
        let read = seed.deserialize(BorrowedStrDeserializer::new(name));
        read.map(Some).map_err(|trouble: Trouble| trouble.within(name))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Trouble> {
        let (name, value) = self.at.expect("a name is read before its value");
        seed.deserialize(Node(value)).map_err(|trouble| trouble.within(name))
    }
}
