//! Names heap blocks by the line that allocates them.

use pagewalk_base::trace::SourcePlace;

/// Returns the name of the blocks that a call allocates: `table (malloc, join.c:12)`; by its function, if the line assigns
/// them to no variable.
pub(super) fn name(place: &SourcePlace<'_>) -> String {
    let SourcePlace { function, file, line, text } = *place;
    let call = allocator(text);
    let variable = call.and_then(|(start, _)| assigned(&text[..start]));
    let what = variable.unwrap_or(if function.is_empty() { "blocks" } else { function });
    let how = call.map_or("heap", |(start, end)| &text[start..end]);
    let file = file.rsplit('/').next().unwrap_or(file);
    if line == 0 { format!("{what} ({how})") } else { format!("{what} ({how}, {file}:{line})") }
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Finds the call of an allocator in a line.
fn allocator(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut start = 0;
    while start < bytes.len() {
        let length = bytes[start..].iter().take_while(|byte| is_of_word(**byte)).count();
        let end = start + length;
        // A boundary of a word of ASCII is one of a character.
        let word = text.get(start..end).unwrap_or_default();
        let is_call =
            text.get(end..).is_some_and(|rest| rest.trim_start().starts_with(['(', '<', ':']));
        let allocates =
            ["alloc", "memalign", "mmap", "strdup"].iter().any(|ending| word.ends_with(ending));
        if allocates && is_call || word == "new" {
            return Some((start, end));
        }
        start = end.max(start + 1);
    }
    None
}

/// Returns the variable or field that the text before a call assigns its result to.
fn assigned(before: &str) -> Option<&str> {
    let (left, between) = before.rsplit_once('=')?;
    let is_plain = !left.ends_with(['=', '!', '<', '>']);
    // Between there is at most a cast.
    let between = between.trim();
    let is_cast = between.starts_with('(') && between.ends_with(')');
    if !is_plain || !(between.is_empty() || is_cast) {
        return None;
    }
    let left = left.trim_end();
    let base = match left.strip_suffix(']').and_then(|open| open.rfind('[')) {
        Some(bracket) => &left[..bracket],
        None => left,
    };
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "_.->".contains(c);
    let name = &left[base.trim_end_matches(is_of_name).len()..];
    Some(name).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_the_name_of_their_variable() {
        for (text, expected) in [
            ("struct node **buckets = calloc(n, sizeof *buckets);", "buckets (calloc, a.c:3)"),
            ("t->pool = (struct node *)malloc(n);", "t->pool (malloc, a.c:3)"),
            ("rows[i] = xmalloc(8);", "rows[i] (xmalloc, a.c:3)"),
            ("auto *p = new node;", "p (new, a.c:3)"),
            ("if (p == malloc(3)) x();", "f (malloc, a.c:3)"),
            ("return realloc(p, n);", "f (realloc, a.c:3)"),
            ("int newer = 3;", "f (heap, a.c:3)"),
            ("é = malloc (1)", "f (malloc, a.c:3)"),
            ("", "f (heap, a.c:3)"),
        ] {
            let place = SourcePlace { function: "f", file: "/src/a.c", line: 3, text };
            assert_eq!(name(&place), expected, "{text}");
        }
        let place = SourcePlace { function: "strdup", ..SourcePlace::default() };
        assert_eq!(name(&place), "strdup (heap)");
        assert_eq!(name(&SourcePlace::default()), "blocks (heap)");
    }
}
