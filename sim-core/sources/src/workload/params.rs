//! The parameters of workloads: their names, their ranges, and how they are read from text.

use std::fmt;

use serde::Serialize;

use pagewalk_base::addr::{parse_hex, parse_size};
use pagewalk_base::error::{Error, Result};

/// The values that a parameter can have. Bounds are included in the range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// A whole number.
    Count(u64, u64),
    /// A number of bytes, with an optional unit `K`, `M`, `G` or `T`.
    Size(u64, u64),
    /// A whole number of hundredths.
    Percent(u64, u64),
    /// A decimal number.
    Real(f64, f64),
    /// An address in hexadecimal, up to this one.
    Address(u64),
    /// One of these words, each with its description.
    Choice(&'static [(&'static str, &'static str)]),
}

/// A parameter of a workload.
#[derive(Clone, Copy, Debug)]
pub(super) struct Param {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) kind: Kind,
    pub(super) default: &'static str,
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum ParamType {
    Count,
    Size,
    Percent,
    Real,
    Address,
    Choice,
}

/// A parameter as forms and lists show it. Every value is a text that the parameter accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct ParamInfo {
    pub name: String,
    pub about: String,
    #[serde(rename = "type")]
    pub kind: ParamType,
    pub default: String,
    /// The smallest value, for types with an order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<String>,
    /// `bytes` or `%`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The words of a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<ChoiceInfo>>,
}

/// One word of a choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ChoiceInfo {
    pub value: String,
    pub about: String,
}

impl Param {
    pub(super) fn info(&self) -> ParamInfo {
        let (kind, range, unit, choices) = match self.kind {
            Kind::Count(min, max) => {
                (ParamType::Count, Some((min.to_string(), max.to_string())), None, None)
            }
            Kind::Size(min, max) => (
                ParamType::Size,
                Some((Size(min).to_string(), Size(max).to_string())),
                Some("bytes"),
                None,
            ),
            Kind::Percent(min, max) => {
                (ParamType::Percent, Some((min.to_string(), max.to_string())), Some("%"), None)
            }
            Kind::Real(min, max) => {
                (ParamType::Real, Some((min.to_string(), max.to_string())), None, None)
            }
            Kind::Address(max) => {
                (ParamType::Address, Some(("0x0".to_owned(), format!("{max:#x}"))), None, None)
            }
            Kind::Choice(words) => {
                let choices = words.iter().map(|(value, about)| ChoiceInfo {
                    value: (*value).to_owned(),
                    about: (*about).to_owned(),
                });
                (ParamType::Choice, None, None, Some(choices.collect()))
            }
        };
        let (min, max) = range.unzip();
        ParamInfo {
            name: self.name.to_owned(),
            about: self.about.to_owned(),
            kind,
            default: self.default.to_owned(),
            min,
            max,
            unit: unit.map(str::to_owned),
            choices,
        }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// `bad-config` at the name of the parameter.
    fn parse(&self, text: &str) -> Result<Value> {
        let text = text.trim();
        let wrong = |what: String| Err(Error::config(self.name, what));
        match self.kind {
            Kind::Count(min, max) => match text.parse::<u64>() {
                Ok(n) if (min..=max).contains(&n) => Ok(Value::Whole(n)),
                Ok(n) => wrong(format!("{n}: give {min} to {max}")),
                Err(_) => wrong(format!("`{text}` is not a whole number: give {min} to {max}")),
            },
            Kind::Percent(min, max) => {
                match text.strip_suffix('%').unwrap_or(text).trim_end().parse::<u64>() {
                    Ok(n) if (min..=max).contains(&n) => Ok(Value::Whole(n)),
                    Ok(n) => wrong(format!("{n} %: give {min} to {max} %")),
                    Err(_) => wrong(format!("`{text}` is not a percentage: give {min} to {max}")),
                }
            }
            Kind::Size(min, max) => match parse_size(text) {
                Some(n) if (min..=max).contains(&n) => Ok(Value::Whole(n)),
                Some(n) => wrong(format!("{}: give {} to {}", Size(n), Size(min), Size(max))),
                None => wrong(format!(
                    "`{text}` is not a number of bytes: give {} to {}, such as 64K or 1G",
                    Size(min),
                    Size(max)
                )),
            },
            Kind::Real(min, max) => match text.parse::<f64>() {
                Ok(x) if (min..=max).contains(&x) => Ok(Value::Real(x)),
                Ok(x) => wrong(format!("{x}: give {min} to {max}")),
                Err(_) => wrong(format!("`{text}` is not a number: give {min} to {max}")),
            },
            Kind::Address(max) => match parse_hex(text) {
                Some(n) if n <= max => Ok(Value::Whole(n)),
                Some(n) => wrong(format!("{n:#x}: give at most {max:#x}")),
                None => wrong(format!("`{text}` is not an address: write it like 0x7f0000000000")),
            },
            Kind::Choice(words) => {
                if let Some((word, _)) = words.iter().find(|(word, _)| *word == text) {
                    return Ok(Value::Choice(word));
                }
                let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                wrong(format!("`{text}`: give one of {}", known.join(", ")))
            }
        }
    }
}

/// Displays a number of bytes with the largest unit that leaves it whole.
pub(super) struct Size(pub(super) u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [("T", 40), ("G", 30), ("M", 20), ("K", 10)];
        let whole = |shift: u32| self.0 > 0 && self.0.trailing_zeros() >= shift;
        match units.into_iter().find(|(_, shift)| whole(*shift)) {
            Some((unit, shift)) => write!(f, "{}{unit}", self.0 >> shift),
            None => write!(f, "{}", self.0),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Whole(u64),
    Real(f64),
    Choice(&'static str),
}

/// The checked values of all parameters of a workload.
#[derive(Clone, Debug)]
pub(super) struct Params(Vec<(&'static str, Value)>);

impl Params {
    /// Reads the given parameters, and takes defaults for the others.
    ///
    /// # Errors
    /// Every parameter that is unknown, given twice or out of range: `bad-config` at its name.
    pub(super) fn parse(
        owner: &str,
        known: &[Param],
        given: &[(String, String)],
    ) -> Result<Self, Vec<Error>> {
        let mut errors = Vec::new();
        for (at, (name, _)) in given.iter().enumerate() {
            if !known.iter().any(|param| param.name == name) {
                let names: Vec<&str> = known.iter().map(|param| param.name).collect();
                let message =
                    format!("{owner} has no such parameter: give one of {}", names.join(", "));
                errors.push(Error::config(name, message));
            } else if given[..at].iter().any(|(before, _)| before == name) {
                errors.push(Error::config(name, "the parameter is given twice: leave one out"));
            }
        }
        let mut values = Vec::new();
        for param in known {
            let text = given.iter().find(|(name, _)| name == param.name);
            match param.parse(text.map_or(param.default, |(_, text)| text)) {
                Ok(value) => values.push((param.name, value)),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(Self(values)) } else { Err(errors) }
    }

    fn value(&self, name: &str) -> Value {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.expect("workloads ask for parameters that they list").1
    }

    /// Returns a count, a size, a percentage or an address.
    pub(super) fn whole(&self, name: &str) -> u64 {
        match self.value(name) {
            Value::Whole(n) => n,
            _ => unreachable!("{name} is not a whole number"),
        }
    }

    /// Returns a whole number whose range ends below 2³².
    pub(super) fn small(&self, name: &str) -> u32 {
        u32::try_from(self.whole(name)).expect("the range of the parameter ends below 2^32")
    }

    pub(super) fn real(&self, name: &str) -> f64 {
        match self.value(name) {
            Value::Real(x) => x,
            _ => unreachable!("{name} is not a decimal number"),
        }
    }

    pub(super) fn choice(&self, name: &str) -> &'static str {
        match self.value(name) {
            Value::Choice(word) => word,
            _ => unreachable!("{name} is not a choice"),
        }
    }
}
