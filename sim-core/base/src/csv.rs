//! Writes lines of CSV. The crate `csv` does not disarm formulas, so it would replace only the quoting.

/// Adds a line. Cells with a comma, a quote or a line break are quoted.
pub fn push_row(text: &mut String, cells: impl Iterator<Item = String>) {
    for (at, mut cell) in cells.enumerate() {
        if at > 0 {
            text.push(',');
        }
        // A spreadsheet computes such a text, unless an apostrophe stands before it.
        if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err() {
            cell.insert(0, '\'');
        }
        if cell.contains([',', '"', '\n', '\r']) {
            text.push('"');
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(&cell);
        }
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_formulas_disarmed() {
        for (cell, expected) in [
            ("a,b", "\"a,b\""),
            ("a\rb", "\"a\rb\""),
            ("a\"b", "\"a\"\"b\""),
            ("@SUM(1+1)", "'@SUM(1+1)"),
            ("=1+1", "'=1+1"),
            ("+1+1", "'+1+1"),
            ("-1+1", "'-1+1"),
            ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""),
            ("a=b", "a=b"),
            ("-1.5", "-1.5"),
        ] {
            let mut text = String::new();
            push_row(&mut text, [cell.to_owned()].into_iter());
            assert_eq!(text, format!("{expected}\n"));
        }
    }
}
