//! Progress bars. Indicatif hides them if stderr is not a terminal.

use std::borrow::Cow;
use std::fmt::Write;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::convert::All;

pub(crate) fn accesses_bar(n: u64) -> ProgressBar {
    let template = "{wide_bar} {human_pos}/{human_len} accesses {rate} {eta} left";
    ProgressBar::new(n).with_style(with_rate(template))
}

/// Shows a number of accesses whose end is not known, their rate and a message.
pub(crate) fn recording_bar() -> ProgressBar {
    let template = "{spinner} {human_pos} accesses, {rate}, {msg}";
    ProgressBar::no_length().with_style(with_rate(template))
}

/// Shows the accesses of a trace until now, and their bytes.
pub(crate) fn show_packed(bar: &ProgressBar, all: &All) {
    if bar.is_hidden() {
        return;
    }
    let n = all.trace.len();
    bar.set_position(n.into());
    #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
    let mean = all.trace.packed_bytes() as f64 / f64::from(n.max(1));
    bar.set_message(format!("{mean:.2} bytes per access"));
}

fn with_rate(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).expect("the template is valid");
    style.with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
        // Writing to a text cannot fail.
        let _ = out.write_str(&rate(state.per_sec()));
    })
}

/// A progress bar that shows the share of `all` that is done, and says what that is.
pub(crate) fn share_bar(all: u64, of: impl Into<Cow<'static, str>>) -> ProgressBar {
    let template = "{wide_bar} {percent} % of {msg} {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is valid");
    ProgressBar::new(all).with_style(style).with_message(of)
}

/// A number per second with its unit: `3.8 M/s`.
pub(crate) fn rate(per_second: f64) -> String {
    let units = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    match units.into_iter().find(|(size, _)| per_second >= *size) {
        Some((size, unit)) => format!("{:.1}{unit}/s", per_second / size),
        None => format!("{per_second:.0}/s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_one_decimal_and_a_unit() {
        let texts = [0.0, 999.4, 20_000.0, 3_784_184.887_4, 2.5e9].map(rate);
        assert_eq!(texts, ["0/s", "999/s", "20.0 k/s", "3.8 M/s", "2.5 G/s"]);
    }
}
