//! The functions that expressions can call.

use std::collections::BTreeSet;

use super::expression::{Value, count};
use super::quantities::{array_miss, pre_touch_counts};
use pagewalk_base::addr::{PageSize, parse_hex, parse_size};

type Found = Result<Value, String>;

/// Calls a function. Returns `None` if there is no function of the name with this number of values.
///
/// | call | value |
/// |---|---|
/// | `if(c, a, b)` | `a` if `c` is true, else `b`; the other is not evaluated |
/// | `default(a, b)` | `b` where `a` is null: a count that the report leaves out |
/// | `floor(a)`, `ceil(a)`, `log2(a)`, `exp2(a)` | as their names say |
/// | `min(a, b)`, `max(a, b)` | the smaller, the larger |
/// | `range(a, b)` | the whole numbers from `a` to `b`, without `b` |
/// | `sum(list)`, `least(list)` | the sum; the place of the smallest, the first of equals |
/// | `count(list)`, `distinct(list)`, `joined(lists)` | the number of items, of different items; one list |
/// | `hex('0x1f')` | the number of a hexadecimal text |
/// | `bytes('4K')`, `number('8.1 ± 2')` | the size in bytes; the number at the beginning |
/// | `differing(a, b)` | how many numbers and texts of two lists or records differ |
/// | `array_miss(offset, bytes, page, sets, ways)`, `pre_touch(bytes, page)` | see `quantities` |
pub(super) fn call(name: &str, items: &[Value]) -> Option<Found> {
    Some(match (name, items) {
        ("default", [value, other]) => {
            Ok(if *value == Value::Null { other } else { value }.clone())
        }
        ("floor", [a]) => of_number(a, f64::floor),
        ("ceil", [a]) => of_number(a, f64::ceil),
        ("log2", [a]) => of_number(a, f64::log2),
        ("exp2", [a]) => of_number(a, f64::exp2),
        ("min", [a, b]) => of_numbers(a, b, f64::min),
        ("max", [a, b]) => of_numbers(a, b, f64::max),
        ("range", [a, b]) => range(a, b),
        ("sum", [list]) => numbers(list).map(|numbers| Value::Number(numbers.iter().sum())),
        ("least", [list]) => numbers(list).map(|numbers| least(&numbers)),
        ("count", [list]) => list.list().map(|items| length(&items)),
        ("distinct", [list]) => list.list().map(|items| distinct(&items)),
        ("joined", [lists]) => joined(lists),
        ("hex", [text]) => hex(text),
        ("bytes", [size]) => bytes(size),
        ("number", [text]) => leading_number(text),
        ("array_miss", [offset, bytes, page, sets, ways]) => {
            whole([offset, bytes, page, sets, ways])
                .map(|[offset, bytes, page, sets, ways]| {
                    array_miss(offset, bytes, page, sets, ways)
                })
                .map(Value::Number)
        }
        ("pre_touch", [bytes, page]) => pre_touch(bytes, page),
        ("differing", [a, b]) => Ok(Value::Number(as_number(differing(a, b)))),
        _ => return None,
    })
}

fn of_number(a: &Value, f: fn(f64) -> f64) -> Found {
    Ok(Value::Number(f(a.number()?)))
}

fn of_numbers(a: &Value, b: &Value, f: fn(f64, f64) -> f64) -> Found {
    Ok(Value::Number(f(a.number()?, b.number()?)))
}

fn numbers(list: &Value) -> Result<Vec<f64>, String> {
    list.list()?.iter().map(Value::number).collect()
}

fn whole<const N: usize>(values: [&Value; N]) -> Result<[u64; N], String> {
    let mut found = [0; N];
    for (found, value) in found.iter_mut().zip(values) {
        *found = count(value.number()?).map_err(|error| error.message)?;
    }
    Ok(found)
}

#[expect(clippy::cast_precision_loss, reason = "they are below 2^53")]
fn as_number(n: u64) -> f64 {
    n as f64
}

fn range(from: &Value, to: &Value) -> Found {
    let [from, to] = whole([from, to])?;
    Ok(Value::List((from..to).map(|n| Value::Number(as_number(n))).collect()))
}

fn least(numbers: &[f64]) -> Value {
    let (at, _) = numbers
        .iter()
        .enumerate()
        .fold((0, f64::INFINITY), |least, (at, n)| if *n < least.1 { (at, *n) } else { least });
    Value::Number(as_number(at as u64))
}

fn length(items: &[Value]) -> Value {
    Value::Number(as_number(items.len() as u64))
}

fn distinct(items: &[Value]) -> Value {
    let different: BTreeSet<String> = items.iter().map(|item| item.to_json().to_string()).collect();
    Value::Number(as_number(different.len() as u64))
}

fn joined(lists: &Value) -> Found {
    let mut all = Vec::new();
    for list in lists.list()?.iter() {
        all.extend(list.list()?.iter().cloned());
    }
    Ok(Value::List(all.into()))
}

fn hex(text: &Value) -> Found {
    let text = text.to_text()?;
    let number = parse_hex(&text).ok_or_else(|| format!("`{text}` is no hexadecimal number"))?;
    Ok(Value::Number(as_number(number)))
}

fn differing(a: &Value, b: &Value) -> u64 {
    match (a, b) {
        (Value::List(a), Value::List(b)) if a.len() == b.len() => {
            a.iter().zip(b.iter()).map(|(a, b)| differing(a, b)).sum()
        }
        (Value::Record(a), Value::Record(b)) if a.keys().eq(b.keys()) => {
            a.values().zip(b.values()).map(|(a, b)| differing(a, b)).sum()
        }
        _ => u64::from(a != b),
    }
}

fn bytes(size: &Value) -> Found {
    let text = size.to_text()?;
    let bytes = parse_size(&text).ok_or_else(|| format!("`{text}` is no size"))?;
    Ok(Value::Number(as_number(bytes)))
}

fn leading_number(text: &Value) -> Found {
    let text = text.to_text()?;
    let first = text.split(' ').next().unwrap_or_default();
    Ok(Value::Number(first.parse().map_err(|_| format!("`{text}` begins with no number"))?))
}

fn pre_touch(bytes: &Value, page: &Value) -> Found {
    let [bytes] = whole([bytes])?;
    let text = page.to_text()?;
    let page = PageSize::parse(&text).ok_or_else(|| format!("`{text}` is no page size"))?;
    let counts = pre_touch_counts(bytes, page);
    let fields = [("pages", counts.pages), ("refs", counts.refs), ("tables", counts.tables)];
    Ok(Value::record(fields.map(|(name, n)| (name, as_number(n)))))
}
