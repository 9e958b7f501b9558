//! Expressions of the data files: arithmetic over values, definitions and the reports of runs.
//!
//! ```text
//! (run.kinds.load.l2_hits + run.kinds.load.walks) / run.kinds.load.translations
//! ```
//!
//! Numbers are `f64`. The operators are, from weak to strong: `or`, `and`, comparisons, `+ -`, `* / %`, and the
//! sign; `a.b` is a field, `a[b]` an item of a list or a field, `[x for y in list]` a list of one value for each
//! item. A name is a variable of a loop, a value or a definition of the file. A call is a function of
//! [`functions`](super::functions), a definition with parameters, or the report of a run.

mod evaluate;
mod parse;
mod scope;
mod text;
mod value;

use serde::{Deserialize, Deserializer, de};
use serde_json::Value as Json;

use pagewalk_base::error::Error;

pub(super) use scope::{Clause, File, Runs, Scope, Signature};
pub(super) use text::{Text, count, fill};
pub(super) use value::Value;

/// An expression as a data file writes it: a number, or a text.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    source: String,
    node: Node,
}

#[derive(Clone, Debug)]
enum Node {
    Constant(Value),
    Name(String),
    List(Vec<Node>),
    /// One value for each item of a list. The expression `item` gets the item as variable `name`.
    Each {
        item: Box<Node>,
        name: String,
        list: Box<Node>,
    },
    Field(Box<Node>, String),
    Item(Box<Node>, Box<Node>),
    Call(String, Vec<Node>),
    Negative(Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Or,
    And,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Different,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Expr {
    fn parse(source: &str) -> Result<Self, String> {
        let node = parse::parse(source).map_err(|message| format!("`{source}`: {message}"))?;
        Ok(Self { source: source.to_owned(), node })
    }
}

impl<'de> Deserialize<'de> for Expr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Json::deserialize(deserializer)? {
            Json::String(source) => Self::parse(&source).map_err(de::Error::custom),
            json @ Json::Number(_) => {
                Ok(Self { source: json.to_string(), node: Node::Constant(Value::from(&json)) })
            }
            other => Err(de::Error::custom(format!("{other}: expected a number or an expression"))),
        }
    }
}

/// An error in a data file.
pub(super) fn fault(message: impl Into<String>) -> Error {
    Error::config("experiment", message.into())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    /// Writes a text in a file with a few names.
    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        let values = json!({ "n": 3, "pages": ["4K", "2M"], "cpu": { "ways": 4, "2M": 8 } });
        let define =
            json!({ "twice(x)": "2 * x", "sets": "cpu.ways / n", "wrong": "cpu.ways + here" });
        let define: BTreeMap<Signature, Expr> = serde_json::from_value(define).unwrap();
        let values = values.as_object().unwrap();
        let report = Value::from(&json!({ "walks": 7 }));
        let file = File {
            values: values.iter().map(|(name, json)| (name.as_str(), json.into())).collect(),
            define: &define,
            runs: Runs::from([("warm", vec![(vec![Value::text("4K")], report)])]),
        };
        let written = Text::try_from(text.to_owned())
            .map_err(fault)
            .and_then(|text| text.write(&Scope::new(&file).with("here", Value::text("2M"))));
        expected.assert_eq(&written.unwrap_or_else(|error| error.message));
    }

    #[test]
    fn operators_bind_as_in_arithmetic() {
        check("{1 + 2 * 3 - 4 / 2 / 2} {-(1 - 3) % 3}", &expect!["6 2"]);
        check(
            "{if(1 < 2 and not_there == null, 1, 2)}",
            &expect![[
                r"`if(1 < 2 and not_there == null, 1, 2)`: `not_there` with 0 values is unknown"
            ]],
        );
        check("{if(2 <= 1 or n != 3, 'yes', 'no')} {1_000}", &expect!["no 1000"]);
    }

    #[test]
    fn names_are_variables_values_definitions_and_runs() {
        check("{here} {pages[1]} {cpu.2M} {cpu[here]} {sets:.3}", &expect!["2M 2M 8 8 1.333"]);
        check("{twice(n + 1)} {warm('4K').walks} {default(cpu.sets, 1)}", &expect!["8 7 1"]);
        check("{sum([twice(i) for i in range(0, n)])} {least([3, 1, 1])}", &expect!["6 1"]);
    }

    #[test]
    fn numbers_are_written_as_asked() {
        check(
            "{bytes('1G'):,} {bytes('64K'):K} {4096:#x} {1 / 8}",
            &expect!["1,073,741,824 64K 0x1000 0.125"],
        );
    }

    #[test]
    fn an_error_names_the_expression() {
        check("{n +}", &expect!["`n +`: expected a name at ``"]);
        check("{n", &expect!["`{n`: a `}` is missing"]);
        check("{cpu.sets + 1}", &expect!["`cpu.sets + 1`: Null is no number"]);
        check(
            "{warm('2M').walks}",
            &expect![[r#"`warm('2M').walks`: `warm` was not run with [Text("2M")]"#]],
        );
        // A definition cannot use the variables of the loops around its call.
        check("{wrong}", &expect!["`wrong`: wrong: `here` with 0 values is unknown"]);
    }
}
