//! Parses an expression by recursive descent, from the weakest operators to the strongest.

use super::Operator::{
    Add, And, Different, Divide, Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Multiply, Or,
    Remainder, Subtract,
};
use super::{Node, Operator, Value};

/// Parses the whole text.
///
/// # Errors
/// A message with the expected and the found text.
pub(super) fn parse(text: &str) -> Result<Node, String> {
    let mut parser = Parser { left: text.trim_start() };
    let node = parser.binary(0)?;
    if parser.left.is_empty() { Ok(node) } else { Err(parser.expected("an operator or the end")) }
}

/// Operators by strength, the weakest first. `<=` comes before `<`, which is its prefix.
const OPERATORS: [&[(&str, Operator)]; 5] = [
    &[("or", Or)],
    &[("and", And)],
    &[
        ("<=", LessOrEqual),
        (">=", GreaterOrEqual),
        ("==", Equal),
        ("!=", Different),
        ("<", Less),
        (">", Greater),
    ],
    &[("+", Add), ("-", Subtract)],
    &[("*", Multiply), ("/", Divide), ("%", Remainder)],
];

struct Parser<'a> {
    left: &'a str,
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl<'a> Parser<'a> {
    fn expected(&self, what: &str) -> String {
        format!("expected {what} at `{}`", self.left)
    }

    fn skip(&mut self, bytes: usize) {
        self.left = self.left[bytes..].trim_start();
    }

    /// Skips a symbol or a word if it comes next. Returns whether it did.
    fn skip_token(&mut self, token: &str) -> bool {
        let Some(rest) = self.left.strip_prefix(token) else { return false };
        if token.ends_with(is_of_name) && rest.starts_with(is_of_name) {
            return false;
        }
        self.skip(token.len());
        true
    }

    fn take(&mut self, token: &str) -> Result<(), String> {
        if self.skip_token(token) { Ok(()) } else { Err(self.expected(&format!("`{token}`"))) }
    }

    /// Reads a name of letters, digits and `_`.
    fn name(&mut self) -> Result<&'a str, String> {
        let end = self.left.find(|c| !is_of_name(c)).unwrap_or(self.left.len());
        if end == 0 {
            return Err(self.expected("a name"));
        }
        let name = &self.left[..end];
        self.skip(end);
        Ok(name)
    }

    fn binary(&mut self, strength: usize) -> Result<Node, String> {
        let Some(operators) = OPERATORS.get(strength) else { return self.unary() };
        let mut left = self.binary(strength + 1)?;
        while let Some((_, operator)) = operators.iter().find(|(token, _)| self.skip_token(token)) {
            let right = self.binary(strength + 1)?;
            left = Node::Binary(*operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Node, String> {
        if self.skip_token("-") {
            return Ok(Node::Negative(Box::new(self.unary()?)));
        }
        let mut node = self.primary()?;
        loop {
            if self.skip_token(".") {
                node = Node::Field(Box::new(node), self.name()?.to_owned());
            } else if self.skip_token("[") {
                node = Node::Item(Box::new(node), Box::new(self.binary(0)?));
                self.take("]")?;
            } else {
                return Ok(node);
            }
        }
    }

    fn primary(&mut self) -> Result<Node, String> {
        if self.skip_token("(") {
            let node = self.binary(0)?;
            self.take(")")?;
            return Ok(node);
        }
        if self.skip_token("[") {
            return self.list();
        }
        if let Some(rest) = self.left.strip_prefix('\'') {
            let end = rest.find('\'').ok_or_else(|| self.expected("a second `'`"))?;
            self.skip(end + 2);
            return Ok(Node::Constant(Value::text(&rest[..end])));
        }
        if self.left.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number();
        }
        let name = self.name()?;
        if self.skip_token("(") {
            return Ok(Node::Call(name.to_owned(), self.items(")")?));
        }
        Ok(if name == "null" { Node::Constant(Value::Null) } else { Node::Name(name.to_owned()) })
    }

    fn number(&mut self) -> Result<Node, String> {
        let is_of_number = |c: char| c.is_ascii_digit() || c == '.' || c == '_';
        let end = self.left.find(|c| !is_of_number(c)).unwrap_or(self.left.len());
        let number = self.left[..end].replace('_', "").parse();
        let number = number.map_err(|_| self.expected("a number"))?;
        self.skip(end);
        Ok(Node::Constant(Value::Number(number)))
    }

    /// Parses the rest of a list after `[`.
    fn list(&mut self) -> Result<Node, String> {
        let mut start = Self { left: self.left };
        if let Ok(item) = start.binary(0)
            && start.skip_token("for")
        {
            let name = start.name()?.to_owned();
            start.take("in")?;
            let list = Box::new(start.binary(0)?);
            start.take("]")?;
            self.left = start.left;
            return Ok(Node::Each { item: Box::new(item), name, list });
        }
        Ok(Node::List(self.items("]")?))
    }

    /// Parses expressions between commas, up to the token `end`.
    fn items(&mut self, end: &str) -> Result<Vec<Node>, String> {
        let mut items = Vec::new();
        if self.skip_token(end) {
            return Ok(items);
        }
        loop {
            items.push(self.binary(0)?);
            if self.skip_token(end) {
                return Ok(items);
            }
            self.take(",")?;
        }
    }
}
