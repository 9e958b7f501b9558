//! Explains one cold walk: it translates one load on a machine with empty structures.
//!
//! The steps are the references of the walk in order, without the TLB lookups and the read of the data. A walk of hashed
//! page tables makes its references at the same time.

use std::rc::Rc;

use serde::Serialize;

use crate::config::MachineConfig;
use crate::entry::FieldView;
use crate::machine::Machine;
use crate::os::OsConfig;
use crate::page_table::EcptConfig;
use crate::record::event::{CyclesView, Dimension, LevelView, NestedView, TranslationView};
use crate::record::hashed::{HashedLineView, HashedView, level_of};
use crate::run::replay::Replay;
use pagewalk_base::addr::{Hex, Level};
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::sorted::sort_by_numbers;
use pagewalk_base::trace::{Access, Completeness, Kind, TraceBuilder};

/// One reference: an entry that the walker reads from a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainStep {
    /// The number of the reference, from 1.
    pub n: u32,
    pub dimension: Dimension,
    /// The level; 1 is the lowest table.
    pub level: Level,
    /// The name of the entry: `L4` … `L1`; under EPT `gL4` …, `nL4` …. A line of a hashed page table has the name of the
    /// table and the number of the way: `PTE-ECPT 0`.
    pub entry: String,
    /// The goal of the reference: the address of the `data`. Under EPT it may also be the address of a guest table,
    /// `gL4` ….
    #[serde(rename = "for")]
    pub purpose: String,
    /// The physical address of the entry, or of the line. Under a host it is the host-physical address.
    pub address: Hex,
    /// The value of the entry. `fields` has its bits from the highest. A line of a hashed page table that does not hold
    /// the page has neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Hex>,
    pub fields: Vec<FieldView>,
    /// The cache that served the read, or `DRAM`.
    pub served_by: String,
    /// The latency of the read in cycles.
    pub cycles: u64,
}

/// The result of `pagewalk explain`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    pub steps: Vec<ExplainStep>,
    /// The walk of hashed page tables in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hashed: Option<String>,
    pub refs: u32,
    /// The cycles of the translation by cause, as a run counts them.
    pub cycles: CyclesView,
}

/// Translates a load at `address` on a machine without earlier accesses.
///
/// # Errors
/// `bad-config` for a machine, an operating system or an address that is not valid.
pub fn explain(config: &MachineConfig, os: &OsConfig, address: u64) -> Result<Explanation> {
    let machine = Machine::new(config, os)?;
    let rule = config.geometry()?.rule();
    let load = Access::new(Kind::Load, address, 1);
    if !rule.accepts(load.without(rule.tags).address) {
        return Err(Error::new(ErrorCode::BadConfig, rule.explain_untranslated_load(address)));
    }
    let mut builder = TraceBuilder::default();
    builder.push(&load)?;
    let trace = builder.finish(Completeness::Complete)?;
    let mut replay = Replay::new(Rc::new(trace), machine, 0);
    let step = replay.seek(0);
    if let Some(error) = replay.machine().failure() {
        return Err(error.clone());
    }
    let translation = step.and_then(|step| step.translations.into_iter().next());
    let cycles = translation.as_ref().map(|done| done.cycles.clone()).unwrap_or_default();
    let hashed = translation.as_ref().and_then(|done| done.hashed.as_ref());
    let is_early = config.ecpt.is_some_and(EcptConfig::is_early);
    let hashed = hashed.map(|walk| in_words(&walk.said, &walk.lines, is_early));
    let mut steps = match translation {
        Some(TranslationView { hashed: Some(walk), levels, .. }) => hashed_steps(walk, levels),
        Some(TranslationView { nested: Some(nested), .. }) => nested_steps(nested),
        Some(TranslationView { levels, .. }) => native_steps(levels),
        None => Vec::new(),
    };
    sort_by_numbers(&mut steps, |step| (step.n.into(), 0));
    let refs = steps.last().map_or(0, |step| step.n);
    Ok(Explanation { steps, hashed, refs, cycles })
}

/// Returns the name of a line of a hashed page table: the table, and the number of the way.
fn name_of_line(line: &HashedLineView) -> String {
    format!("{} {}", line.table, line.way)
}

fn in_words(said: &str, lines: &[HashedLineView], is_early: bool) -> String {
    let holder = lines.iter().find(|line| line.hit).map(name_of_line).unwrap_or_default();
    let end = if is_early { "Its read" } else { "The slowest read" };
    format!("{said}. {holder} holds the page. {end} ends the walk.")
}

/// Returns one step for each line that a walk of hashed page tables read. The line that holds the page has the entry.
fn hashed_steps(walk: HashedView, levels: Vec<LevelView>) -> Vec<ExplainStep> {
    let mut levels = levels.into_iter();
    let steps = (1..).zip(walk.lines).filter_map(|(n, mut line)| {
        let entry = if line.hit { levels.next() } else { None };
        let read = line.read.take()?;
        Some(ExplainStep {
            n,
            dimension: Dimension::Native,
            level: level_of(line.table),
            entry: name_of_line(&line),
            purpose: "data".to_owned(),
            address: line.address,
            value: entry.as_ref().map(|entry| entry.value),
            fields: entry.map(|entry| entry.fields).unwrap_or_default(),
            served_by: read.served_by,
            cycles: read.cycles,
        })
    });
    steps.collect()
}

fn native_steps(levels: Vec<LevelView>) -> Vec<ExplainStep> {
    let steps = levels.into_iter().filter_map(|level| {
        Some(ExplainStep {
            n: level.order?,
            dimension: Dimension::Native,
            level: level.level,
            entry: format!("L{}", level.level),
            purpose: "data".to_owned(),
            address: level.entry_address,
            value: Some(level.value),
            fields: level.fields,
            served_by: level.served_by?,
            cycles: level.cycles?,
        })
    });
    steps.collect()
}

fn nested_steps(nested: NestedView) -> Vec<ExplainStep> {
    let cells = nested.rows.into_iter().flat_map(|row| row.host.into_iter().chain(row.guest));
    let steps = cells.filter_map(|cell| {
        Some(ExplainStep {
            n: cell.order?,
            dimension: cell.dimension,
            level: cell.level,
            entry: cell.entry,
            purpose: cell.purpose,
            address: cell.address,
            value: Some(cell.value),
            fields: cell.fields,
            served_by: cell.served_by?,
            cycles: cell.cycles?,
        })
    });
    steps.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(machine: &str, os: &str, address: u64, expected: &Expect) {
        let config = MachineConfig::parse(machine).unwrap();
        let os = crate::config::parse_json(os).unwrap();
        let text = match explain(&config, &os, address) {
            Ok(explanation) => explanation
                .steps
                .iter()
                .map(|step| {
                    let ExplainStep { n, entry, address, served_by, cycles, .. } = step;
                    format!(
                        "{n} {entry} at …{:03x} from {served_by} in {cycles}\n",
                        address.0 & 0xfff
                    )
                })
                .collect::<Vec<_>>()
                .concat(),
            Err(error) => format!("{error}\n"),
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn a_cold_walk_reads_one_entry_of_each_level() {
        check(
            "{}",
            "{}",
            0x7f3a_1c2b_5e48,
            &expect![[r"
                1 L4 at …7f0 from DRAM in 200
                2 L3 at …740 from DRAM in 200
                3 L2 at …708 from DRAM in 200
                4 L1 at …5a8 from DRAM in 200
            "]],
        );
    }

    #[test]
    fn a_large_page_ends_the_walk_early() {
        check(
            r#"{"levels": 5}"#,
            r#"{"default": "1G"}"#,
            0x7f3a_1c2b_5e48,
            &expect![[r"
                1 L5 at …000 from DRAM in 200
                2 L4 at …7f0 from DRAM in 200
                3 L3 at …740 from DRAM in 200
            "]],
        );
    }

    /// A cold walk knows nothing, so it reads each way of each table, at the same time.
    #[test]
    fn a_walk_of_hashed_tables_reads_all_lines_that_may_hold_the_page() {
        let machine = r#"{"ecpt": {"ways": 2, "entries": 64}}"#;
        check(
            machine,
            r#"{"default": "2M"}"#,
            0x20_0000,
            &expect![[r"
                1 PTE-ECPT 0 at …0c0 from DRAM in 200
                2 PTE-ECPT 1 at …740 from DRAM in 200
                3 PMD-ECPT 0 at …bc0 from DRAM in 200
                4 PMD-ECPT 1 at …d00 from DRAM in 200
                5 PUD-ECPT 0 at …bc0 from DRAM in 200
                6 PUD-ECPT 1 at …d00 from DRAM in 200
            "]],
        );
        let config = MachineConfig::parse(machine).unwrap();
        let explained = explain(&config, &OsConfig::default(), 0x1000).unwrap();
        expect!["Without headers, the complete walk read 6 lines of PTE-ECPT, PMD-ECPT, PUD-ECPT at once. PTE-ECPT 0 holds the page. The slowest read ends the walk."]
        .assert_eq(explained.hashed.as_deref().unwrap());
        let of = |step: &ExplainStep| (step.level.number(), step.value.is_some());
        let steps: Vec<(u8, bool)> = explained.steps.iter().map(of).collect();
        assert_eq!(steps, [(1, true), (1, false), (2, false), (2, false), (3, false), (3, false)]);
        assert_eq!(
            (explained.refs, explained.cycles.total, explained.cycles.references),
            (6, 206, 200)
        );
    }

    #[test]
    fn an_address_must_be_canonical() {
        check(
            "{}",
            "{}",
            0x8000_0000_0000,
            &expect![[r"
                0x800000000000 is not canonical: bits 63 to 48 must equal bit 47, as this machine translates 48 bits
            "]],
        );
        check(
            "{}",
            r#"{"default": "1G"}"#,
            0xffff_8000_0000_0000,
            &expect![[r"
                1 L4 at …800 from DRAM in 200
                2 L3 at …000 from DRAM in 200
            "]],
        );
    }

    #[test]
    fn each_architecture_has_its_addresses() {
        let sv39 = r#"{"paging": {"index_bits": [9, 9, 9]}}"#;
        for address in [0x7f3a_1c2b_5e48, 0x40_0000_0000] {
            let error =
                explain(&MachineConfig::parse(sv39).unwrap(), &OsConfig::default(), address);
            assert_eq!(
                error.unwrap_err().message,
                format!(
                    "{address:#x} is no address of this machine: bits 63 to 39 must equal bit 38, as it translates 39 bits"
                )
            );
        }
        check(
            r#"{"paging": {"contiguous": {"4K": 16}}}"#,
            r#"{"default": "1G"}"#,
            0xffff_0000_0000_1000,
            &expect![[r"
                1 L4 at …000 from DRAM in 200
                2 L3 at …000 from DRAM in 200
            "]],
        );
        check(
            r#"{"paging": {"contiguous": {"4K": 16}}}"#,
            "{}",
            0x1234_0000_0000_1000,
            &expect![[r"
                0x1234000000001000 is no address of this machine: bits 63 to 48 must be all 0 (TTBR0) or all 1 (TTBR1)
            "]],
        );
        check(
            r#"{"paging": {"offset_bits": 6, "index_bits": [8], "leaf_levels": [1]}}"#,
            r#"{"default": "64"}"#,
            0x4000,
            &expect![[r"
                0x4000 is no address of this machine: bits 63 to 14 must be 0, as it translates 14 bits
            "]],
        );
    }

    #[test]
    fn a_short_address_may_use_all_its_bits() {
        check(
            r#"{"paging": {"offset_bits": 6, "index_bits": [8], "leaf_levels": [1]}}"#,
            r#"{"default": "64"}"#,
            0x3fff,
            &expect![[r"
                1 L1 at …7f8 from DRAM in 200
            "]],
        );
    }
}
