//! Tests that counters are read from every form: a small printer writes them in perf's formats.

use cases::{Unstructured, cases};
use pagewalk_sources::perf_stat::{State, read};

/// A counter before it is printed.
#[derive(Clone, Debug, PartialEq)]
struct Given {
    event: String,
    /// The value; if there is a unit, in hundredths of `msec`.
    value: Option<u64>,
    has_unit: bool,
    state: State,
    /// The running share in hundredths of a percent.
    running: u64,
    variance: Option<u64>,
    interval: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Locale {
    thousands: &'static str,
    decimal: char,
}

const LOCALES: [Locale; 6] = [
    Locale { thousands: ",", decimal: '.' },
    Locale { thousands: ".", decimal: ',' },
    Locale { thousands: "\u{202f}", decimal: ',' },
    Locale { thousands: "\u{2019}", decimal: '.' },
    Locale { thousands: " ", decimal: ',' },
    Locale { thousands: "", decimal: '.' },
];

impl Locale {
    fn grouped(self, n: u64) -> String {
        let digits = n.to_string();
        let mut text = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                text.push_str(self.thousands);
            }
            text.push(digit);
        }
        text
    }

    fn hundredths(self, n: u64) -> String {
        format!("{}{}{:02}", n / 100, self.decimal, n % 100)
    }

    fn seconds(self, nanoseconds: u64) -> String {
        let (whole, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
        format!("{whole}{}{rest:09}", self.decimal)
    }
}

fn state(given: &Given) -> &'static str {
    if given.state == State::NotCounted { "<not counted>" } else { "<not supported>" }
}

fn text(given: &Given, locale: Locale) -> String {
    let value = match given.value {
        Some(value) if given.has_unit => {
            format!("{}{}{:02}", locale.grouped(value / 100), locale.decimal, value % 100)
        }
        Some(value) => locale.grouped(value),
        None => state(given).to_owned(),
    };
    let time = given.interval.map_or(String::new(), |at| format!("{:>16} ", locale.seconds(at)));
    let unit = if given.has_unit { "msec" } else { "" };
    let mut line = format!("{time}{value:>18} {unit:<4} {:<25}", given.event);
    if let Some(variance) = given.variance {
        line.push_str(&format!("  ( +-{:>7}% )", locale.hundredths(variance)));
    }
    line + &format!("  ({}%)", locale.hundredths(given.running))
}

fn csv(given: &Given, locale: Locale, separator: char) -> String {
    let mut fields = Vec::new();
    fields.extend(given.interval.map(|at| format!("     {}", locale.seconds(at))));
    fields.push(match given.value {
        Some(value) if given.has_unit => locale.hundredths(value),
        Some(value) => value.to_string(),
        None => state(given).to_owned(),
    });
    fields.push(if given.has_unit { "msec" } else { "" }.to_owned());
    fields.push(given.event.clone());
    fields.extend(given.variance.map(|variance| format!("{}%", locale.hundredths(variance))));
    fields.push("1420870".to_owned());
    fields.push(locale.hundredths(given.running));
    fields.extend([String::new(), String::new()]);
    fields.join(&separator.to_string())
}

fn json(given: &Given, locale: Locale) -> String {
    let value = match given.value {
        Some(value) if given.has_unit => format!("{}0000", locale.hundredths(value)),
        Some(value) => format!("{value}{}000000", locale.decimal),
        None => state(given).to_owned(),
    };
    let interval = given
        .interval
        .map_or(String::new(), |at| format!(r#""interval" : {}, "#, locale.seconds(at)));
    let variance = given.variance.map_or(String::new(), |variance| {
        format!(r#""variance" : {}, "#, locale.hundredths(variance))
    });
    format!(
        r#"{{{interval}"counter-value" : "{value}", "unit" : "{}", "event" : "{}", {variance}"event-runtime" : 1, "pcnt-running" : {}, "metric-value" : 0{}000000, "metric-unit" : ""}}"#,
        if given.has_unit { "msec" } else { "" },
        given.event,
        locale.hundredths(given.running),
        locale.decimal,
    )
}

fn any(u: &mut Unstructured<'_>, has_intervals: bool, has_repeats: bool) -> cases::Result<Given> {
    let events = [
        "dTLB-load-misses",
        "cycles:u",
        "cpu_core/cycles/",
        "dtlb_load_misses.walk_active",
        "r0108",
    ];
    let has_unit = u.arbitrary()?;
    let state =
        *u.choose(&[State::Counted, State::Counted, State::NotCounted, State::NotSupported])?;
    let digits = u.int_in_range(0..=12)?;
    let value = u.int_in_range(0..=10u64.pow(digits))?;
    Ok(Given {
        event: if has_unit { "task-clock".to_owned() } else { (*u.choose(&events)?).to_owned() },
        value: (state == State::Counted).then_some(value),
        has_unit,
        state,
        running: u.int_in_range(0..=10_000)?,
        variance: if has_repeats { Some(u.int_in_range(0..=20_000)?) } else { None },
        interval: if has_intervals { Some(u.int_in_range(0..=100_000_000_000)?) } else { None },
    })
}

/// Returns a value that was read in hundredths.
fn hundredths(value: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative")]
    let whole = (value * 100.0).round() as u64;
    whole
}

#[test]
fn counters_are_the_same_in_every_form_and_locale() {
    cases(350).check(|u| {
        let (has_intervals, has_repeats) = (u.arbitrary()?, u.arbitrary()?);
        let n = u.int_in_range(1..=6)?;
        let given = (0..n)
            .map(|_| any(u, has_intervals, has_repeats))
            .collect::<cases::Result<Vec<_>>>()?;
        let locale = *u.choose(&LOCALES)?;
        let separator = *u.choose(&[',', ';', '|', '\t'])?;
        let print = |one: &dyn Fn(&Given) -> String| {
            given.iter().map(|given| one(given) + "\n").collect::<String>()
        };
        for printed in [
            print(&|given| text(given, locale)),
            print(&|given| csv(given, locale, separator)),
            print(&|given| json(given, locale)),
        ] {
            let stat = read(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
            let found: Vec<Given> = stat
                .counters
                .iter()
                .map(|counter| {
                    let has_unit = !counter.unit.is_empty();
                    let value = counter
                        .value
                        .map(|value| hundredths(value) / if has_unit { 1 } else { 100 });
                    Given {
                        event: counter.name.full.clone(),
                        value,
                        has_unit,
                        state: counter.state,
                        running: hundredths(counter.running.unwrap()),
                        variance: counter.variance.map(hundredths),
                        interval: counter.interval.map(|at| {
                            #[expect(
                                clippy::cast_possible_truncation,
                                clippy::cast_sign_loss,
                                reason = "at most 100 s"
                            )]
                            let nanoseconds = (at * 1e9).round() as u64;
                            nanoseconds
                        }),
                    }
                })
                .collect();
            assert_eq!(found, given, "{locale:?}\n{printed}");
            assert_eq!(stat.unread.lines, 0, "{printed}");
        }
        Ok(())
    });
}
