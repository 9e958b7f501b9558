//! Writes lines of CSV. The crate `csv` could replace only the quoting: it does not protect spreadsheets from
//! formulas.

/// Adds a line. A cell with a comma, a quote or a line break is quoted.
pub fn push_row(text: &mut String, cells: impl Iterator<Item = String>) {
    for (at, mut cell) in cells.enumerate() {
        if at > 0 {
            text.push(',');
        }
        // A spreadsheet executes a text with this first character as a formula. An apostrophe before the text
        // prevents that.
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

/// Returns the cells of a line of [`push_row`], without its line break. Apostrophes before formulas stay.
pub fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut is_quoted) = (vec![String::new()], false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let cell = cells.last_mut().expect("there is always a cell");
        match c {
            '"' if is_quoted && chars.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            c => cell.push(c),
        }
    }
    cells
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

    #[test]
    fn cells_are_read_as_they_were_written() {
        for row in [&["a,b", "c\"d\"", "", "e\r\nf"][..], &["\"", ","], &["", ""], &["1"]] {
            let mut line = String::new();
            push_row(&mut line, row.iter().map(|cell| (*cell).to_owned()));
            assert_eq!(cells(line.strip_suffix('\n').unwrap()), row);
        }
    }
}
