//! The tables of samples as one table for CSV. The columns `side` and `table` tell them apart.

use pagewalk_measured::survey::{SurveyReport, SurveySide};

use super::text::{region, row_name};
use crate::sheet::{Sheet, cell};

pub(super) fn sheet(survey: &SurveyReport) -> Sheet {
    let mut sheet = Sheet::new([
        "side", "table", "name", "samples", "weight", "l1", "l2", "no_walk", "walk", "fault",
        "unknown", "latency", "pages_4k",
    ]);
    let sides = [("data", &survey.data), ("faults", &survey.faults), ("code", &survey.code)];
    for (name, side) in sides {
        if let Some(side) = side {
            rows(name, side, &mut sheet);
        }
    }
    sheet
}

fn rows(name: &str, side: &SurveySide, sheet: &mut Sheet) {
    let tables = [
        ("regions", &side.regions),
        ("functions", &side.symbols),
        ("data", &side.objects),
        ("page sizes", &side.page_sizes),
        ("processes", &side.processes),
    ];
    let mut add = |table: &str, what: String, counts: [u64; 2], levels: [String; 7], pages| {
        let [samples, weight] = counts.map(|n| n.to_string());
        let [l1, l2, no_walk, walk, fault, unknown, latency] = levels;
        let (name, table) = (name.to_owned(), table.to_owned());
        sheet.row([
            name, table, what, samples, weight, l1, l2, no_walk, walk, fault, unknown, latency,
            pages,
        ]);
    };
    for (table, rows) in tables {
        for row in &rows.rows {
            let (counts, of) = (&row.counts, &row.counts.levels);
            let [l1, l2, no_walk, walk, fault, unknown] =
                [of.l1, of.l2, of.no_walk, of.walk, of.fault, of.unknown].map(|n| n.to_string());
            let levels = [l1, l2, no_walk, walk, fault, unknown, cell(counts.latency)];
            add(table, row_name(row), [counts.samples, counts.weight], levels, cell(row.pages));
        }
    }
    for range in &side.ranges.rows {
        let what = format!("{} {}", range.start, region(&range.region));
        let counts = [range.samples, range.weight];
        add("2M ranges", what, counts, Default::default(), range.touched.to_string());
    }
}
