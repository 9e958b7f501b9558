//! Finds a processor by the number of the product.

use super::tables;

/// A processor that the number of a product names.
pub(super) struct Product {
    /// A name for `--cpu`, or a processor that has no model.
    pub(super) cpu: String,
    pub(super) source: String,
}

/// Returns the processor of a product such as `EPYC 7763`, `i7-4790K`, or a name as `lscpu` prints it.
pub(super) fn of_number(name: &str) -> Option<Product> {
    let words = words(name);
    let tables = tables();
    let row = tables.numbers.iter().find(|row| row.names.iter().any(|form| has(&words, form)))?;
    Some(Product { cpu: row.cpu.clone(), source: tables.numbers_source.clone() })
}

/// Returns a number of the line of products that a name is of.
pub(super) fn example(name: &str) -> Option<String> {
    let words = words(name);
    let line = tables().lines.into_iter().find(|line| has(&words, &line.name))?;
    Some(line.example)
}

/// Splits a name into numbers and words, in lower case: `i7-4790K` into `i`, `7`, `4790`, `k`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = None;
    for c in name.chars().map(|c| c.to_ascii_lowercase()) {
        let kind = match c {
            '0'..='9' | '#' => Some(true),
            'a'..='z' | '+' => Some(false),
            _ => None,
        };
        match (words.last_mut(), kind) {
            (Some(word), Some(_)) if kind == last => word.push(c),
            (_, Some(_)) => words.push(c.to_string()),
            (_, None) => {}
        }
        last = kind;
    }
    words
}

/// Returns whether a name has the words of a form in their order. Other words may stand between those of a form.
fn has(name: &[String], form: &str) -> bool {
    let mut rest = name.iter();
    words(form).iter().all(|form| rest.any(|word| is_like(word, form)))
}

fn is_like(word: &str, form: &str) -> bool {
    let same = |(c, of): (u8, u8)| c == of || of == b'#' && c.is_ascii_digit();
    word.len() == form.len() && word.bytes().zip(form.bytes()).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_products_name_their_processor() {
        for (name, cpu) in [
            ("EPYC 7763", "Milan"),
            ("AMD EPYC 7742 64-Core Processor", "Rome"),
            ("epyc7401p", "Naples"),
            ("EPYC 9654", "Genoa"),
            ("EPYC 75F3", "Milan"),
            ("i7-4790K", "Haswell"),
            ("Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz", "Coffee Lake"),
            ("12th Gen Intel(R) Core(TM) i7-12700K", "Alder Lake"),
            ("i7-1165G7", "Tiger Lake"),
            ("i7-1065G7", "Ice Lake"),
            ("i9-10980XE", "Cascade Lake"),
            ("Intel(R) Xeon(R) Platinum 8280 CPU @ 2.70GHz", "Cascade Lake"),
            ("Xeon Gold 6348H", "Cooper Lake"),
            ("Xeon E5-2690 v3", "Haswell-EP"),
            ("Intel(R) Xeon(R) CPU E5-2670 0 @ 2.60GHz", "Sandy Bridge"),
            ("Ryzen 9 5950X", "Zen 3"),
            ("AMD Ryzen 7 5700U with Radeon Graphics", "Zen 2"),
            ("Ryzen 7 7800X3D", "Raphael"),
            ("Core Ultra 7 258V", "Lunar Lake"),
            ("EPYC", ""),
            ("i7", ""),
            ("7763", ""),
            ("", ""),
        ] {
            let found = of_number(name).map(|product| product.cpu).unwrap_or_default();
            assert_eq!(found, cpu, "{name}");
        }
    }
}
