//! Processors as people have and name them: the processor of this machine, and numbers of products such as `EPYC 7763`.
//! Tables lead from both to names that the CPU models have.

mod host;
mod named;
mod number;

pub(crate) use host::host;
pub(crate) use named::{fixed, model};

use std::collections::BTreeMap;

use serde::Deserialize;

/// The processors that have a model. The first row that matches counts.
#[derive(Deserialize)]
struct Tables {
    /// By vendor.
    cpuid_sources: BTreeMap<String, String>,
    midr_source: String,
    numbers_source: String,
    lines: Vec<Line>,
    cpuid: Vec<Cpuid>,
    midr: Vec<Midr>,
    numbers: Vec<Numbers>,
}

/// A line of products of several generations, and a number of it.
#[derive(Deserialize)]
struct Line {
    name: String,
    example: String,
}

/// x86 processors with one vendor and family. `models` and `steppings` are hexadecimal numbers and ranges.
#[derive(Deserialize)]
struct Cpuid {
    vendor: String,
    family: u32,
    models: String,
    steppings: Option<String>,
    cpu: String,
}

/// Arm cores by two fields of their register MIDR, in hexadecimal.
#[derive(Deserialize)]
struct Midr {
    implementer: String,
    parts: String,
    cpu: String,
}

/// Products by their numbers, where `#` stands for a digit. A row can name a processor without a model, so that a later row
/// does not take its numbers.
#[derive(Deserialize)]
struct Numbers {
    names: Vec<String>,
    cpu: String,
}

fn tables() -> Tables {
    serde_json::from_str(include_str!("processors.json")).expect("a test reads the tables")
}

/// Reads hexadecimal numbers and ranges: `3C 45-46`.
fn ranges(text: &str) -> impl Iterator<Item = (u32, u32)> {
    text.split_whitespace().filter_map(|word| {
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        Some((u32::from_str_radix(first, 16).ok()?, u32::from_str_radix(last, 16).ok()?))
    })
}

/// Returns the distance of a number to the nearest range; 0 if one includes it.
fn distance(text: &str, number: u32) -> u32 {
    let to = |(first, last): (u32, u32)| number.clamp(first, last.max(first)).abs_diff(number);
    ranges(text).map(to).min().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pagewalk::config::cpu;

    #[test]
    fn every_row_has_numbers_and_names_a_model() {
        /// Processors that have no model.
        const WITHOUT: [&str; 5] =
            ["Cannon Lake", "Arrow Lake-U", "Cooper Lake", "Picasso", "Rembrandt"];
        let Tables { cpuid, midr, numbers, cpuid_sources, lines, .. } = tables();
        assert!(cpuid.iter().all(|row| cpuid_sources.contains_key(&row.vendor)));
        assert!(lines.iter().all(|line| number::of_number(&line.example).is_some()));
        let words = cpuid.iter().map(|row| (&row.models, &row.cpu));
        let words = words.chain(midr.iter().map(|row| (&row.parts, &row.cpu)));
        for (text, cpu) in words {
            assert_eq!(ranges(text).count(), text.split_whitespace().count(), "{text}");
            assert!(ranges(text).all(|(first, last)| first <= last), "{text}");
            assert!(cpu::model(cpu).is_ok(), "{cpu}");
        }
        for cpu in numbers.iter().map(|row| &row.cpu) {
            assert_eq!(cpu::model(cpu).is_ok(), !WITHOUT.contains(&cpu.as_str()), "{cpu}");
        }
    }

    #[test]
    fn no_processor_is_in_two_rows() {
        let rows = tables().cpuid;
        for (number, row) in rows.iter().enumerate() {
            let others = rows[..number].iter().filter(|other| {
                (&other.vendor, other.family) == (&row.vendor, row.family)
                    && other.steppings.is_none()
            });
            for other in others {
                for model in ranges(&row.models).flat_map(|(first, last)| first..=last) {
                    assert_ne!(distance(&other.models, model), 0, "{} {model:x}", row.cpu);
                }
            }
        }
    }
}
