//! Short forms for what most results are made of.

pub(super) use pagewalk_base::thousands::grouped;

use super::result::{Axis, Chart, Mark, ResultTable, Row, Scale, Series, SeriesKind};

pub(super) fn table<const N: usize>(title: &str, cases: [&str; N], rows: Vec<Row>) -> ResultTable {
    ResultTable { title: title.to_owned(), cases: cases.map(str::to_owned).into(), rows }
}

pub(super) fn axis(label: &str, scale: Scale) -> Axis {
    Axis { label: label.to_owned(), scale }
}

pub(super) fn chart(title: &str, x: Axis, y: Axis, series: Vec<Series>) -> Chart {
    Chart { title: title.to_owned(), x, y, series, marks: Vec::new() }
}

impl Chart {
    /// The same with a place on the x axis that means something.
    #[must_use]
    pub(super) fn mark(mut self, x: f64, label: &str) -> Self {
        self.marks.push(Mark { x, label: label.to_owned() });
        self
    }
}

pub(super) fn series(name: &str, kind: SeriesKind, points: Vec<[f64; 2]>) -> Series {
    Series { name: name.to_owned(), kind, pages: None, points }
}

/// What was simulated with one page size.
pub(super) fn by_pages(pages: &str, points: Vec<[f64; 2]>) -> Series {
    let pages = Some(pages.to_owned());
    Series {
        name: format!("{} simulated", pages.as_deref().unwrap_or("")),
        kind: SeriesKind::Simulated,
        pages,
        points,
    }
}

/// Sentences.
pub(super) fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).into()
}
