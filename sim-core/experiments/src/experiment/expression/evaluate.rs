//! Computes the value of an expression.

use super::{Expr, Node, Operator, Scope, Value, fault};
use crate::experiment::functions;
use pagewalk_base::error::Result;

type Found = std::result::Result<Value, String>;

impl Expr {
    /// Returns whether the expression has a word, such as the name of a variable.
    pub(in super::super) fn uses(&self, name: &str) -> bool {
        self.source.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
    }

    /// # Errors
    /// `bad-config` with the expression if a name is unknown or a value has the wrong type.
    pub(in super::super) fn evaluate(&self, scope: &Scope<'_>) -> Result<Value> {
        value(&self.node, scope).map_err(|message| fault(format!("`{}`: {message}", self.source)))
    }

    /// # Errors
    /// The errors of [`Self::evaluate`]; `bad-config` if the value is no number.
    pub(in super::super) fn number(&self, scope: &Scope<'_>) -> Result<f64> {
        self.evaluate(scope)?
            .number()
            .map_err(|message| fault(format!("`{}`: {message}", self.source)))
    }

    /// # Errors
    /// The errors of [`Self::evaluate`]; `bad-config` if the value is not true or false.
    pub(in super::super) fn is_true(&self, scope: &Scope<'_>) -> Result<bool> {
        self.evaluate(scope)?
            .is_true()
            .map_err(|message| fault(format!("`{}`: {message}", self.source)))
    }
}

fn value(node: &Node, scope: &Scope<'_>) -> Found {
    match node {
        Node::Constant(value) => Ok(value.clone()),
        Node::Name(name) => match scope.get(name) {
            Some(value) => Ok(value.clone()),
            None => defined(name, Vec::new(), scope),
        },
        Node::List(items) => Ok(Value::List(
            items.iter().map(|item| value(item, scope)).collect::<std::result::Result<_, _>>()?,
        )),
        Node::Each { item, name, list } => {
            let list = value(list, scope)?.list()?;
            let items = list.iter().map(|each| value(item, &scope.with(name, each.clone())));
            Ok(Value::List(items.collect::<std::result::Result<_, _>>()?))
        }
        Node::Field(record, name) => field(&value(record, scope)?, name),
        Node::Item(list, item) => match (value(list, scope)?, value(item, scope)?) {
            (Value::List(items), Value::Number(at)) => item_of(&items, at),
            (record, name) => field(&record, &name.to_text()?),
        },
        Node::Call(name, items) => call(name, items, scope),
        Node::Negative(node) => Ok(Value::Number(-value(node, scope)?.number()?)),
        Node::Binary(operator, left, right) => binary(*operator, left, right, scope),
    }
}

/// Returns a field of a record. A missing field is null, because reports leave out some counts. A field of null
/// is null too.
fn field(record: &Value, name: &str) -> Found {
    match record {
        Value::Record(fields) => Ok(fields.get(name).cloned().unwrap_or(Value::Null)),
        Value::Null => Ok(Value::Null),
        other => Err(format!("{other:?} has no field `{name}`")),
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is an index")]
fn item_of(items: &[Value], at: f64) -> Found {
    items.get(at as usize).cloned().ok_or_else(|| format!("there is no item {at}"))
}

fn call(name: &str, items: &[Node], scope: &Scope<'_>) -> Found {
    // Only the branch that is needed is evaluated.
    if let ("if", [condition, yes, no]) = (name, items) {
        return value(if value(condition, scope)?.is_true()? { yes } else { no }, scope);
    }
    let items: Vec<Value> =
        items.iter().map(|item| value(item, scope)).collect::<std::result::Result<_, _>>()?;
    if let Some(runs) = scope.file.runs.get(name) {
        let found = runs.iter().find(|(key, _)| *key == items);
        return found
            .map(|(_, report)| report.clone())
            .ok_or_else(|| format!("`{name}` was not run with {items:?}"));
    }
    functions::call(name, &items).unwrap_or_else(|| defined(name, items, scope))
}

/// Evaluates a definition. It can use its parameters, but not the variables of the loops around the call.
fn defined(name: &str, items: Vec<Value>, scope: &Scope<'_>) -> Found {
    let mut definitions = scope.file.define.iter();
    let found = definitions.find(|(it, _)| it.name == name && it.params.len() == items.len());
    let (signature, body) =
        found.ok_or_else(|| format!("`{name}` with {} values is unknown", items.len()))?;
    let inner = signature.params.iter().zip(items);
    let inner = inner.fold(Scope::new(scope.file), |scope, (name, value)| scope.with(name, value));
    value(&body.node, &inner).map_err(|message| format!("{name}: {message}"))
}

fn binary(operator: Operator, left: &Node, right: &Node, scope: &Scope<'_>) -> Found {
    let left = value(left, scope)?;
    match operator {
        Operator::Or if left.is_true()? => return Ok(left),
        Operator::And if !left.is_true()? => return Ok(left),
        _ => {}
    }
    let right = value(right, scope)?;
    if let (Operator::Add, Value::Text(_), _) | (Operator::Add, _, Value::Text(_)) =
        (operator, &left, &right)
    {
        return Ok(Value::text(&(left.to_text()? + &right.to_text()?)));
    }
    let numbers = || -> std::result::Result<_, String> { Ok((left.number()?, right.number()?)) };
    let of_numbers = |f: fn(f64, f64) -> f64| numbers().map(|(a, b)| Value::Number(f(a, b)));
    let compared = |f: fn(f64, f64) -> bool| numbers().map(|(a, b)| Value::Bool(f(a, b)));
    match operator {
        Operator::Or | Operator::And => Ok(Value::Bool(right.is_true()?)),
        Operator::Equal => Ok(Value::Bool(left == right)),
        Operator::Different => Ok(Value::Bool(left != right)),
        Operator::Less => compared(|a, b| a < b),
        Operator::LessOrEqual => compared(|a, b| a <= b),
        Operator::Greater => compared(|a, b| a > b),
        Operator::GreaterOrEqual => compared(|a, b| a >= b),
        Operator::Add => of_numbers(|a, b| a + b),
        Operator::Subtract => of_numbers(|a, b| a - b),
        Operator::Multiply => of_numbers(|a, b| a * b),
        Operator::Divide => of_numbers(|a, b| a / b),
        Operator::Remainder => of_numbers(|a, b| a % b),
    }
}
