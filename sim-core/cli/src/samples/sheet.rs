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
    for (table, rows) in tables {
        for row in &rows.rows {
            let counts = &row.counts;
            let levels = &counts.levels;
            let [l1, l2, no_walk, walk, fault, unknown] =
                [levels.l1, levels.l2, levels.no_walk, levels.walk, levels.fault, levels.unknown]
                    .map(|n| n.to_string());
            sheet.row([
                name.to_owned(),
                table.to_owned(),
                row_name(row),
                counts.samples.to_string(),
                counts.weight.to_string(),
                l1,
                l2,
                no_walk,
                walk,
                fault,
                unknown,
                cell(counts.latency),
                cell(row.pages),
            ]);
        }
    }
    for range in &side.ranges.rows {
        let levels = [const { String::new() }; 7];
        let [l1, l2, no_walk, walk, fault, unknown, latency] = levels;
        sheet.row([
            name.to_owned(),
            "2M ranges".to_owned(),
            format!("{} {}", range.start, region(&range.region)),
            range.samples.to_string(),
            range.weight.to_string(),
            l1,
            l2,
            no_walk,
            walk,
            fault,
            unknown,
            latency,
            range.touched.to_string(),
        ]);
    }
}
