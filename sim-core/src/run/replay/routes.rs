//! Tests of the routes: each is reached by a case, and each leaves the machine and its counters as single accesses
//! do.

use super::advance;
use crate::config::parse_json;
use crate::machine::Machine;
use crate::machine::fast::route::{Levels, Route, Runs, TouchRoute, Walks, Wanted, route};
use crate::machine::probe::Endings;
use crate::record::stats::Stats;
use pagewalk_base::trace::{Access, Completeness, Kind, SLOTS, Trace, TraceBuilder};

/// A machine, a system and a trace, and the route that its chunk must take.
struct Case {
    route: &'static str,
    /// Fields of the machine's configuration.
    machine: &'static str,
    os: &'static str,
    accesses: fn(u64) -> Access,
    /// The observer of the run.
    observer: Observer,
}

#[derive(Clone, Copy, PartialEq)]
enum Observer {
    /// The observer [`Stats`], which takes sums.
    Stats,
    /// The observer [`Endings`], which takes no sums.
    Endings,
}

const CASES: &[Case] = &[
    // Fetches and data share an array.
    Case {
        route: "single",
        machine: r#""l1": [{"name": "a", "entries": 4}]"#,
        os: "{}",
        accesses: mixed,
        observer: Observer::Stats,
    },
    // Coalesced pages, and pages that may be in some ways only.
    Case {
        route: "Alone, Single, no lines",
        machine: COALESCING,
        os: "{}",
        accesses: mixed,
        observer: Observer::Stats,
    },
    Case {
        route: "Alone, Single, no lines",
        machine: COALESCING,
        os: r#"{"virt": "ept"}"#,
        accesses: mixed,
        observer: Observer::Stats,
    },
    Case {
        route: "Alone, Single, each line",
        machine: COALESCING_LINES,
        os: "{}",
        accesses: random_loads,
        observer: Observer::Stats,
    },
    Case {
        route: "Alone, Single, lines in late order",
        machine: COALESCING_LINES,
        os: "{}",
        accesses: repeated_lines,
        observer: Observer::Endings,
    },
    Case {
        route: "First, Single, no lines",
        machine: r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "d", "serves": ["load", "store"], "entries": 4}],
            "l2": [{"name": "s", "entries": 16, "ways": 4}], "psc": {"pde": {"in": "s"}}"#,
        os: "{}",
        accesses: mixed,
        observer: Observer::Stats,
    },
    Case {
        route: "Both, Single, no lines",
        machine: r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "d", "serves": ["load", "store"], "entries": 4}],
            "l2": [{"name": "s", "entries": 16, "ways": 4}], "psc": {"unified": {"entries": 4}}"#,
        os: "{}",
        accesses: mixed,
        observer: Observer::Stats,
    },
    Case {
        route: "Both, CachesFirst, no lines",
        machine: LEVELS,
        os: "{}",
        accesses: mixed,
        observer: Observer::Endings,
    },
    Case {
        route: "Both, Native, no lines",
        machine: LEVELS,
        os: "{}",
        accesses: mixed,
        observer: Observer::Stats,
    },
    // One kind and one page size: batches go through both levels in one loop.
    Case {
        route: "Both, Native, no lines",
        machine: LEVELS,
        os: "{}",
        accesses: random_loads,
        observer: Observer::Stats,
    },
    Case {
        route: "Both, Nested, no lines",
        machine: LEVELS,
        os: r#"{"virt": "ept"}"#,
        accesses: mixed,
        observer: Observer::Stats,
    },
    Case {
        route: "16 slots, Both, Native, no lines",
        machine: r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 32, "ways": 2}, {"name": "d", "serves": ["load", "store"], "entries": 32, "ways": 2}]"#,
        os: "{}",
        accesses: returning,
        observer: Observer::Stats,
    },
    Case {
        route: "4 slots, Both, Native, no lines",
        machine: LEVELS,
        os: "{}",
        accesses: returning,
        observer: Observer::Stats,
    },
    Case {
        route: "Both, Native, lines in late order",
        machine: r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "d", "serves": ["load", "store"], "entries": 4}],
            "memory": {"data": true, "caches": [{"name": "a", "size": "8K", "ways": 2, "latency": 4}]}"#,
        os: "{}",
        accesses: repeated_lines,
        observer: Observer::Stats,
    },
    // More than 16 ways: the order of use cannot be computed late.
    Case {
        route: "Both, Native, lines in order",
        machine: r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "d", "serves": ["load", "store"], "entries": 4}],
            "memory": {"data": true, "caches": [{"name": "a", "size": "128K", "ways": 32, "latency": 4}]}"#,
        os: "{}",
        accesses: repeated_lines,
        observer: Observer::Stats,
    },
    Case {
        route: "Both, Native, each line",
        machine: r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "d", "serves": ["load", "store"], "entries": 4}],
            "memory": {"data": true, "caches": [{"name": "a", "size": "8K", "ways": 2, "latency": 4}]}"#,
        os: "{}",
        accesses: random_loads,
        observer: Observer::Stats,
    },
];

/// Two TLB levels with 4 and 8 sets, and separate paging-structure caches.
const LEVELS: &str = r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 8, "ways": 2}, {"name": "d", "serves": ["load", "store"], "entries": 16, "ways": 4}],
    "l2": [{"name": "s", "entries": 32, "ways": 4}], "psc": {"pdpte": {"entries": 1}, "pde": {"entries": 2}}"#;

/// Levels as AMD's: four pages may share an entry, level 2 also has entries of page tables, and pages of a size may be in
/// some of its ways only.
const COALESCING: &str = r#""coalescing": {"4K": 4}, "inclusion": "nine",
    "l1": [{"name": "i", "serves": ["fetch"], "pages": ["4K", "16K"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "pages": ["4K", "16K"], "entries": 6}],
    "l2": [{"name": "s", "pages": ["4K", "16K"], "entries": 16, "ways": 8, "ways_of": {"4K": 4, "16K": 2}}], "psc": {"pde": {"in": "s"}}"#;

const COALESCING_LINES: &str = r#""coalescing": {"4K": 4}, "inclusion": "nine",
    "l1": [{"name": "i", "serves": ["fetch"], "pages": ["4K", "16K"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "pages": ["4K", "16K"], "entries": 6}],
    "l2": [{"name": "s", "pages": ["4K", "16K"], "entries": 16, "ways": 4}],
    "memory": {"data": true, "caches": [{"name": "a", "size": "8K", "ways": 2, "latency": 4}]}"#;

/// Returns a pseudo-random number for access `n`.
fn scattered(n: u64) -> u64 {
    n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

/// Returns access `n` of a mix: fetches, loads and stores on 40 pages for each, with repeats.
fn mixed(n: u64) -> Access {
    let draw = scattered(n / 2);
    let kind = [Kind::Fetch, Kind::Load, Kind::Load, Kind::Store][(draw >> 8) as usize % 4];
    let base = if kind.is_fetch() { 0x40_0000 } else { 0x60_0000 };
    Access::new(kind, base + ((draw % 40) << 12) + draw % 64 * 8, 8)
}

/// Returns access `n` of a sequence that uses two pages in turn, three times each, and moves on after 60 accesses.
fn returning(n: u64) -> Access {
    mixed(n / 3 % 2 * 2 + n / 60 * 4)
}

/// Returns access `n` of a sequence of loads at random addresses in 4 MiB.
fn random_loads(n: u64) -> Access {
    Access::new(Kind::Load, 0x60_0000 + scattered(n) % (4 << 20) / 8 * 8, 8)
}

/// Returns access `n` of a sequence of fetches and stores. Groups of 16 use one pair of lines, which are in two
/// sets.
fn repeated_lines(n: u64) -> Access {
    let line = (scattered(n / 16) % (40 << 6)) << 6;
    let (kind, base) =
        if n.is_multiple_of(2) { (Kind::Fetch, 0x40_0000) } else { (Kind::Store, 0x60_0040) };
    Access::new(kind, base + line + n % 8, 1)
}

/// Returns the name of a route, and the numbers of its parts. A new variant does not compile until it has a
/// number below [`N_PARTS`], and the test fails until a case reaches it.
fn describe(route: &Route<'_>) -> (String, Vec<usize>) {
    let Runs { slots, levels, walks, touches } = match route {
        Route::Single => return ("single".to_owned(), vec![0]),
        Route::Runs(runs) => runs,
    };
    let number = SLOTS.iter().position(|n| slots.is_some_and(|slots| slots.n_slots == *n));
    let with_slots = number.map(|number| (format!("{} slots, ", SLOTS[number]), 2 + number));
    let (slots, slots_part) = with_slots.unwrap_or((String::new(), 1));
    let levels_part = match levels {
        Levels::First => 4,
        Levels::Both => 5,
        Levels::Alone => 14,
    };
    let walks_part = match walks {
        Walks::Single => 6,
        Walks::CachesFirst => 7,
        Walks::Native => 8,
        Walks::Nested => 9,
    };
    let (touches, touches_part) = match touches {
        TouchRoute::None => ("no lines", 10),
        TouchRoute::LateOrder(_) => ("lines in late order", 11),
        TouchRoute::InOrder(_) => ("lines in order", 12),
        TouchRoute::Single(_) => ("each line", 13),
    };
    let name = format!("{slots}{levels:?}, {walks:?}, {touches}");
    (name, vec![slots_part, levels_part, walks_part, touches_part])
}

const N_PARTS: usize = 15;

#[test]
fn every_route_is_reached_and_leaves_what_single_accesses_do() {
    const { assert!(SLOTS.len() == 2, "describe numbers two slots") };
    let mut is_reached = [false; N_PARTS];
    for case in CASES {
        let config = parse_json(&format!("{{{}}}", case.machine)).unwrap();
        let machine = Machine::new(&config, &parse_json(case.os).unwrap()).unwrap();
        let trace = build(&(0..20_000).map(case.accesses).collect::<Vec<_>>());
        let wanted = Wanted { whole: true, sums: case.observer != Observer::Endings };
        // The first run of a chunk has no slots.
        check(&machine, &trace, case.observer);
        let (name, parts) = describe(&route(&machine, trace.chunk_of(0), wanted));
        assert_eq!(name, case.route, "{} {}", case.machine, case.os);
        for part in parts {
            is_reached[part] = true;
        }
        check(&machine, &trace, case.observer);
    }
    let missing: Vec<usize> = (0..N_PARTS).filter(|part| !is_reached[*part]).collect();
    assert!(missing.is_empty(), "no case reaches the parts {missing:?} of `describe`");
}

/// If the range is only a part of a chunk, every machine takes the route `single`.
#[test]
fn a_part_of_a_chunk_has_no_fast_path() {
    let machine = Machine::new(&parse_json("{}").unwrap(), &parse_json("{}").unwrap()).unwrap();
    let trace = build(&[mixed(0), mixed(1)]);
    let wanted = Wanted { whole: false, sums: true };
    assert_eq!(describe(&route(&machine, trace.chunk_of(0), wanted)).0, "single");
}

/// Runs a trace along its route, then one access after the other, and compares.
fn check(machine: &Machine, trace: &Trace, observer: Observer) {
    let (mut fast, mut single) = (machine.clone(), machine.clone());
    let (mut stats, mut single_stats) = (Stats::default(), Stats::default());
    let end = trace.len();
    match observer {
        Observer::Stats => advance(&mut fast, trace, 0, end, &mut stats),
        Observer::Endings => advance(&mut fast, trace, 0, end, &mut Endings(&mut |_| {})),
    }
    for (index, access) in (0..).zip(trace.accesses_from(0)) {
        single.access(index, &access, &mut single_stats);
    }
    if observer != Observer::Endings {
        let [report, expected] = [(&stats, &fast), (&single_stats, &single)]
            .map(|(stats, machine)| stats.report(machine, Completeness::Complete));
        assert_eq!(report, expected);
    }
    // Both machines run one more access, because the operating system keeps the range that it looked up last.
    let [fast, single] = [fast, single].map(|mut machine| {
        machine.access(end, &Access::new(Kind::Load, 0x60_0000, 1), &mut ());
        format!("{machine:#?}")
    });
    let line = fast.lines().zip(single.lines()).position(|(fast, single)| fast != single);
    assert!(fast == single, "the machines differ in line {line:?}");
}

fn build(accesses: &[Access]) -> Trace {
    let mut builder = TraceBuilder::default();
    for access in accesses {
        builder.push(access).unwrap();
    }
    builder.finish(Completeness::Complete).unwrap()
}
