//! The advice as text and as a table.

use pagewalk_analysis::huge_pages::{
    FirstTouches, HugeAdvice, HugePoint, HugeSaving, percent_span, span,
};

use crate::sheet::{Sheet, cell};
use crate::table::{Table, grouped, percent};

/// The largest number of rows that are printed.
const MAX_ROWS: usize = 24;

/// The points of the curve, the ranges in the order of their choice, the rows, then the ways.
pub(super) fn sheet(advice: &HugeAdvice) -> Sheet {
    let mut sheet = Sheet::new([
        "table",
        "huge_pages",
        "start",
        "walks",
        "walk_cycles",
        "l2_cycles",
        "extra_bytes",
        "touched_bytes",
        "name",
        "end",
        "saved_walks",
        "saved_cycles",
        "saved_share_low",
        "saved_share_high",
        "first_touches_more_ms_low",
        "first_touches_more_ms_high",
        "command",
    ]);
    let none = String::new;
    let nothing = || [(); 9].map(|()| String::new());
    let mut row = |first: [String; 8], rest: [String; 9]| {
        sheet.add(first.into_iter().chain(rest));
    };
    for point in &advice.points {
        let first = [
            "points".to_owned(),
            point.huge_pages.to_string(),
            none(),
            point.walks.to_string(),
            point.walk_cycles.to_string(),
            point.l2_cycles.to_string(),
            point.extra_bytes.to_string(),
            none(),
        ];
        row(first, nothing());
    }
    for (number, pick) in (1_u32..).zip(&advice.picks) {
        let first = [
            "ranges".to_owned(),
            number.to_string(),
            pick.start.to_string(),
            pick.walks.to_string(),
            pick.walk_cycles.to_string(),
            none(),
            none(),
            pick.touched_bytes.to_string(),
        ];
        row(first, nothing());
    }
    let rest = |name: String, end: String, saving, touches: FirstTouches, command: String| {
        let saving: Option<HugeSaving> = saving;
        [
            name,
            end,
            cell(saving.map(|saving| saving.walks)),
            cell(saving.map(|saving| saving.cycles)),
            cell(saving.map(|saving| saving.share.low)),
            cell(saving.map(|saving| saving.share.high)),
            touches.more_ms.low.to_string(),
            touches.more_ms.high.to_string(),
            command,
        ]
    };
    for each in &advice.rows {
        let first = [
            "rows".to_owned(),
            each.huge_pages.to_string(),
            each.start.to_string(),
            each.walks.to_string(),
            none(),
            none(),
            none(),
            each.touched_bytes.to_string(),
        ];
        let end = each.end.to_string();
        row(first, rest(each.name.clone(), end, each.alone, each.first_touches, none()));
    }
    for remedy in &advice.remedies {
        let mut first = [(); 8].map(|()| String::new());
        "ways".clone_into(&mut first[0]);
        first[1] = remedy.huge_pages.to_string();
        let commands = remedy.commands.join("; ");
        let (of, touches) = (remedy.of.clone(), remedy.first_touches);
        row(first, rest(of, none(), remedy.saving, touches, commands));
    }
    sheet
}

pub(super) fn text(title: &str, advice: &HugeAdvice) -> String {
    let mut text = format!("{title}; every point is simulated\n");
    if let Some(verdict) = &advice.verdict {
        text += &format!("\n{}\n", verdict.text);
    }
    if let Some(why) = &advice.no_verdict {
        text += &format!("\n{why}\n");
    }
    text += &format!("\n{}", points(advice));
    if !advice.rows.is_empty() {
        text += &format!("\n{}\n\n{}", how(advice), rows(advice));
    }
    if !advice.remedies.is_empty() {
        text += &format!("\nWays to get them, each alone:\n\n{}", ways(advice));
    }
    for sentence in advice.useless_ways.iter().chain(&advice.unreached) {
        text += &format!("\n{sentence}\n");
    }
    if let Some(verdict) = &advice.verdict {
        text += "\nAssumed:\n";
        for sentence in &verdict.assumed {
            text += &format!("- {sentence}\n");
        }
    }
    text
}

fn points(advice: &HugeAdvice) -> Table {
    let mut points =
        Table::new(0, ["Huge pages", "Walks", "Miss cycles", "", "L2 hit cycles", "KiB more"]);
    let all = advice.points.first().map_or(0, HugePoint::miss_cycles);
    for point in &advice.points {
        points.row([
            grouped(u64::from(point.huge_pages)),
            grouped(point.walks),
            grouped(point.miss_cycles()),
            percent(point.miss_cycles(), all),
            grouped(point.l2_cycles),
            grouped(point.extra_bytes >> 10),
        ]);
    }
    points
}

/// Says how the ranges were chosen, and what the table of rows has.
fn how(advice: &HugeAdvice) -> String {
    let single = advice.picks.iter().filter(|pick| pick.tried).count();
    let how = match (single, advice.picks.len() - single) {
        (_, 0) => "each the best of those that remain, by simulation".to_owned(),
        (0, _) => "by miss cycles".to_owned(),
        (1, _) => "the first by simulating every candidate, the rest by miss cycles".to_owned(),
        _ => format!("the first {single} by simulating every candidate, the rest by miss cycles"),
    };
    format!(
        "Ranges of {}, {how}. Neighbours are one row. Walks and miss cycles are those of the row before. Walks saved are of all memory, if only the row is huge, so they may be more:",
        advice.huge
    )
}

fn rows(advice: &HugeAdvice) -> String {
    // Without a verdict, no share of the time is known, and first touches may be missing.
    let of_time: &[&str] =
        if advice.verdict.is_some() { &["Of the time", "First touches"] } else { &[] };
    let head = ["Range", "Name", "Huge pages", "Walks", "Miss cycles", "Walks saved"];
    let head = head.iter().chain(of_time).chain(&["KiB used"]);
    let mut table = Table::headed(2, head.map(|word| (*word).to_owned()));
    for row in advice.rows.iter().take(MAX_ROWS) {
        let [saved, share] = saving(row.alone);
        let first = [
            format!("{}-{}", row.start, row.end),
            format!("{}{}", if row.inferred { "≈ " } else { "" }, row.name),
            grouped(u64::from(row.huge_pages)),
            grouped(row.walks),
            grouped(row.miss_cycles),
            saved,
        ];
        let of_time = [share, milliseconds(row.first_touches)];
        let of_time = of_time.into_iter().filter(|_| advice.verdict.is_some());
        let used = grouped(row.touched_bytes >> 10);
        table.add(first.into_iter().chain(of_time).chain([used]));
    }
    let more = advice.rows.len().saturating_sub(MAX_ROWS);
    let more = if more == 0 {
        String::new()
    } else {
        format!("and {} more (--json lists all)\n", grouped(more as u64))
    };
    format!("{table}{more}")
}

fn ways(advice: &HugeAdvice) -> Table {
    let head = ["Huge pages", "Walks saved", "Of the time", "First touches", "By"];
    let mut table = Table::new(0, head).last_left();
    for remedy in &advice.remedies {
        let [saved, share] = saving(remedy.saving);
        let touches = milliseconds(remedy.first_touches);
        let n = grouped(u64::from(remedy.huge_pages));
        let lines = remedy.commands.iter().enumerate();
        for (at, command) in lines {
            let cells = if at == 0 {
                [n.clone(), saved.clone(), share.clone(), touches.clone()]
            } else {
                Default::default()
            };
            table.add(cells.into_iter().chain([command.clone()]));
        }
    }
    table
}

/// The saved walks, and the share of the time.
fn saving(saving: Option<HugeSaving>) -> [String; 2] {
    let Some(saving) = saving else { return ["–", "–"].map(str::to_owned) };
    let walks = grouped(saving.walks.unsigned_abs());
    let sign = if saving.walks < 0 { "-" } else { "" };
    [format!("{sign}{walks}"), percent_span(saving.share)]
}

/// Milliseconds that first touches take longer: `-1.6 to 9.0 ms`. Pages of a file have no price.
fn milliseconds(touches: FirstTouches) -> String {
    if touches.huge_faults == 0 {
        "–".to_owned()
    } else {
        format!("{} ms", span(touches.more_ms))
    }
}
