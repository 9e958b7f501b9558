//! The names that an expression can use, and the loops that define variables.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Expr, Value, fault};
use pagewalk_base::error::Result;

/// The values, definitions and reports of a data file, which all its expressions can use.
pub(in super::super) struct File<'a> {
    pub(in super::super) values: BTreeMap<&'a str, Value>,
    pub(in super::super) define: &'a BTreeMap<Signature, Expr>,
    pub(in super::super) runs: Runs<'a>,
}

/// The reports of each group of jobs, by the values of the group's loop variables.
pub(in super::super) type Runs<'a> = BTreeMap<&'a str, Vec<(Vec<Value>, Value)>>;

/// The name of a definition, with its parameters: `levels(n, pages)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(in super::super) struct Signature {
    pub(super) name: String,
    pub(super) params: Vec<String>,
}

impl TryFrom<String> for Signature {
    type Error = String;

    fn try_from(text: String) -> std::result::Result<Self, String> {
        let Some((name, rest)) = text.split_once('(') else {
            return Ok(Self { name: text, params: Vec::new() });
        };
        let params = rest.strip_suffix(')').ok_or_else(|| format!("`{text}`: expected `)`"))?;
        let params = params.split(',').map(|param| param.trim().to_owned()).collect();
        Ok(Self { name: name.to_owned(), params })
    }
}

/// A file and the variables of the loops around an expression.
#[derive(Clone)]
pub(in super::super) struct Scope<'a> {
    pub(super) file: &'a File<'a>,
    names: Vec<(String, Value)>,
}

impl<'a> Scope<'a> {
    pub(in super::super) fn new(file: &'a File<'a>) -> Self {
        Self { file, names: Vec::new() }
    }

    /// Returns a copy of the scope with one more variable.
    pub(in super::super) fn with(&self, name: &str, value: Value) -> Self {
        let mut scope = self.clone();
        scope.names.push((name.to_owned(), value));
        scope
    }

    /// Returns the innermost variable of a name, or a value of the file.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let variable = self.names.iter().rev().find(|(other, _)| other == name);
        variable.map(|(_, value)| value).or_else(|| self.file.values.get(name))
    }
}

/// A part of a loop: `x in list`, `x = value` or `if condition`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(in super::super) enum Clause {
    In(String, Expr),
    Is(String, Expr),
    If(Expr),
}

impl TryFrom<String> for Clause {
    type Error = String;

    fn try_from(text: String) -> std::result::Result<Self, String> {
        if let Some(condition) = text.strip_prefix("if ") {
            return Ok(Self::If(Expr::parse(condition)?));
        }
        match text.split_once(' ').map(|(name, rest)| (name, rest.split_once(' '))) {
            Some((name, Some(("in", list)))) => Ok(Self::In(name.to_owned(), Expr::parse(list)?)),
            Some((name, Some(("=", value)))) => Ok(Self::Is(name.to_owned(), Expr::parse(value)?)),
            _ => Err(format!("`{text}`: expected `x in list`, `x = value` or `if condition`")),
        }
    }
}

impl Clause {
    /// Calls `visit` for every combination of the lists' items, with the scope and the items. The last list
    /// changes fastest.
    ///
    /// # Errors
    /// The errors of the expressions and of `visit`.
    pub(in super::super) fn for_each<'a>(
        clauses: &[Self],
        scope: &Scope<'a>,
        visit: &mut dyn FnMut(&Scope<'a>, &[Value]) -> Result<()>,
    ) -> Result<()> {
        let Some((first, rest)) = clauses.split_first() else { return visit(scope, &[]) };
        match first {
            Self::In(name, list) => {
                for item in list.evaluate(scope)?.list().map_err(fault)?.iter() {
                    Self::for_each(rest, &scope.with(name, item.clone()), &mut |scope, key| {
                        visit(scope, &[std::slice::from_ref(item), key].concat())
                    })?;
                }
                Ok(())
            }
            Self::Is(name, value) => {
                Self::for_each(rest, &scope.with(name, value.evaluate(scope)?), visit)
            }
            Self::If(condition) if !condition.is_true(scope)? => Ok(()),
            Self::If(_) => Self::for_each(rest, scope, visit),
        }
    }
}
