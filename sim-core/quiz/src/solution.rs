//! The answer to a question, and the wrong answers that mistakes lead to.

use pagewalk_base::random::{draw, xorshift};

use crate::ask::{Form, Graded};
use crate::mistake::Mistake;
use crate::reading::{digits_in, is_word, number};

/// An answer: a number, or a word such as `hit` or `4K`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Number(u64),
    Word(String),
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Self {
        Self::Word(word.to_owned())
    }
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    right: Value,
    /// The form of an answer without choices. A question whose answers are words always has choices.
    form: Form,
    /// Wrong answers, the most typical mistakes first.
    wrong: Vec<(Mistake, Value)>,
    /// Other answers that are plausible.
    near: Vec<Value>,
    /// Choices are below this number.
    end: Option<u64>,
    /// The array that the question is about.
    pub(crate) array: Option<String>,
    /// Whether the answer follows from the page number and the page size.
    pub(crate) hides_page: bool,
}

impl Solution {
    pub(crate) fn new(form: Form, right: impl Into<Value>) -> Self {
        let right = right.into();
        Self {
            right,
            form,
            wrong: Vec::new(),
            near: Vec::new(),
            end: None,
            array: None,
            hides_page: false,
        }
    }

    /// Adds wrong answers that a mistake leads to. The right answer is no mistake.
    #[must_use]
    pub(crate) fn mistake<V: Into<Value>>(
        mut self,
        mistake: Mistake,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        let values = values.into_iter().map(Into::into).filter(|value| *value != self.right);
        self.wrong.extend(values.map(|value| (mistake, value)));
        self
    }

    /// Adds plausible answers.
    #[must_use]
    pub(crate) fn near<V: Into<Value>>(mut self, values: impl IntoIterator<Item = V>) -> Self {
        self.near.extend(values.into_iter().map(Into::into));
        self
    }

    /// Adds the numbers that follow the right one, below `end`, as plausible answers. Choices have no others.
    #[must_use]
    pub(crate) fn near_below(self, end: u64) -> Self {
        let Value::Number(right) = self.right else { return self };
        let near = (1..end.min(8)).map(move |n| right.wrapping_add(n) % end);
        // A single number is no choice.
        Self { end: Some(end).filter(|end| *end > 1), ..self }.near(near)
    }

    fn is_choice(&self, value: &Value) -> bool {
        match (value, self.end) {
            (Value::Number(number), Some(end)) => *number < end,
            _ => true,
        }
    }

    #[must_use]
    pub(crate) fn of(self, array: &str) -> Self {
        Self { array: Some(array.to_owned()), ..self }
    }

    #[must_use]
    pub(crate) fn hide_page(self) -> Self {
        Self { hides_page: true, ..self }
    }

    /// Returns whether the question can only be asked with choices.
    pub(crate) fn has_words(&self) -> bool {
        self.form == Form::Choice
    }

    pub(crate) fn form(&self) -> Form {
        self.form
    }

    /// Returns `n` different answers, or all if there are fewer, one of which is right. The seed gives their order. Words are all listed, in
    /// their own order.
    pub(crate) fn choices(&self, n: usize, seed: u32) -> Vec<String> {
        if self.has_words() {
            return self.near.iter().map(|value| self.text(value)).collect();
        }
        let mut chosen = vec![self.right.clone()];
        let wrong = self.wrong.iter().map(|(_, value)| value.clone());
        let known = wrong.chain(self.near.iter().cloned()).filter(|value| self.is_choice(value));
        // Below an end, the numbers near the right one are all that there are.
        let around = (1..).take_while(|_| self.end.is_none()).flat_map(|n| self.around(n));
        for value in known.chain(around) {
            if chosen.len() >= n {
                break;
            }
            if !chosen.contains(&value) {
                chosen.push(value);
            }
        }
        shuffle(&mut chosen, seed);
        chosen.iter().map(|value| self.text(value)).collect()
    }

    /// Returns the numbers at this distance from the right one. A word has numbers from 0 on.
    fn around(&self, distance: u64) -> impl Iterator<Item = Value> {
        let numbers = match self.right {
            Value::Number(right) => [right.checked_add(distance), right.checked_sub(distance)],
            Value::Word(_) => [Some(distance - 1), None],
        };
        numbers.into_iter().flatten().map(Value::Number)
    }

    fn text(&self, value: &Value) -> String {
        match (value, self.form) {
            (Value::Word(word), _) => word.clone(),
            (Value::Number(number), Form::Hexadecimal) => format!("{number:#x}"),
            (Value::Number(number), _) => number.to_string(),
        }
    }

    fn base(&self) -> u32 {
        if self.form == Form::Hexadecimal { 16 } else { 10 }
    }

    /// Grades a typed or chosen answer.
    pub(crate) fn grade(&self, given: &str) -> Graded {
        let read = self.read(given);
        let right = read.as_ref() == Some(&self.right);
        let mistake = if right { None } else { self.diagnose(given, read.as_ref()) };
        Graded { right, answer: self.text(&self.right), mistake }
    }

    fn read(&self, given: &str) -> Option<Value> {
        let wrong = self.wrong.iter().map(|(_, value)| value);
        let mut known = [&self.right].into_iter().chain(wrong).chain(&self.near);
        let word = known.find(|value| matches!(value, Value::Word(word) if is_word(given, word)));
        word.cloned().or_else(|| number(given, self.base()).map(Value::Number))
    }

    fn diagnose(&self, given: &str, read: Option<&Value>) -> Option<Mistake> {
        let known = self.wrong.iter().find(|(_, value)| Some(value) == read);
        if let Some((mistake, _)) = known {
            return Some(*mistake);
        }
        let Value::Number(right) = self.right else { return None };
        let plain = given.trim();
        let plain = plain.strip_prefix("0b").or_else(|| plain.strip_prefix("0o")).unwrap_or(plain);
        let has_base = |base| digits_in(plain, base) == Some(right);
        let other = if self.base() == 16 { 10 } else { 16 };
        match self.form {
            Form::Choice => None,
            Form::Hexadecimal if has_base(other) => Some(Mistake::DecimalForHexadecimal),
            Form::Decimal if has_base(other) => Some(Mistake::HexadecimalForDecimal),
            _ => [2, 8, self.base()].into_iter().any(has_base).then_some(Mistake::OtherBase),
        }
    }
}

/// Puts items in an order that depends on the seed only (Fisher and Yates).
pub(crate) fn shuffle<T>(items: &mut [T], seed: impl Into<u64>) {
    // Small seeds differ in few bits, so the first states are skipped.
    let mut state = (0..8).fold(seed.into().wrapping_add(1) | 1 << 63, |state, _| xorshift(state));
    for end in (2..=items.len()).rev() {
        state = xorshift(state);
        let at = draw(state) >> 32;
        items.swap(end - 1, usize::try_from(at % end as u64).expect("below the number of items"));
    }
}
