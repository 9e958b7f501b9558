//! Each mistake explains a wrong answer.

use pagewalk_quiz::Mistake;
use ts_rs::TS as _;

use crate::support::{On, replay, verdict};

/// A machine with accesses, and questions about the last one: the question, a wrong answer, and the verdict.
type Case = (On, &'static str, &'static [(&'static str, &'static str, &'static str)]);

const BOOK: On = On::Model("csapp-14bit");
const X86: On = On::Json("{}", "{}");
const HUGE: On = On::Json("{}", r#"{"default": "2M"}"#);
const NESTED: On = On::Json("{}", r#"{"virt": "ept"}"#);
const XOR: On =
    On::Json(r#"{"l1": [{"name": "d", "entries": 8, "ways": 2, "index": "xor"}]}"#, "{}");
/// Masks choose the set, so no part of the page number is a tag.
const MASKS: On = On::Json(
    r#"{"l1": [{"name": "d", "entries": 8, "ways": 2, "index": {"xor-masks": ["0x5", "0xa"]}}]}"#,
    "{}",
);
const ONE: On = On::Json(r#"{"l1": [{"name": "d", "entries": 1}]}"#, "{}");
const LRU: On = On::Json(r#"{"l1": [{"name": "d", "entries": 3}]}"#, "{}");
const FIFO: On = On::Json(r#"{"l1": [{"name": "d", "entries": 3, "replacement": "fifo"}]}"#, "{}");
const PLRU: On =
    On::Json(r#"{"l1": [{"name": "d", "entries": 4, "replacement": "tree-plru"}]}"#, "{}");
const SETS: On = On::Json(r#"{"l1": [{"name": "d", "entries": 2, "ways": 1}]}"#, "{}");
const LEVELS: On = On::Json(
    r#"{"l1": [{"name": "d", "entries": 4, "ways": 1}], "l2": [{"name": "s", "entries": 16, "ways": 1}],
        "psc": {"pde": {"entries": 4}}, "latency": {"l2_hit": 9, "walk_overhead": 5}}"#,
    "{}",
);

const CASES: &[Case] = &[
    (
        BOOK,
        "load 0xadd",
        &[
            ("set TLB", "29", "wrong 3: offset-for-set"),
            ("set TLB", "10", "wrong 3: tag-for-set"),
            ("set TLB", "43", "wrong 3: page-for-set"),
            ("set TLB", "11", "wrong 3: other-base"),
            ("set TLB", "0b11", "wrong 3: other-base"),
            ("field set:TLB", "1", "wrong 3: offset-for-set"),
            ("field tag:TLB", "3", "wrong 0xa: set-for-tag"),
            ("field tag:TLB", "2b", "wrong 0xa: page-for-tag"),
            ("field tag:TLB", "1d", "wrong 0xa: offset-for-tag"),
            ("field page-number", "a", "wrong 0x2b: tag-for-page"),
            ("field page-number", "1d", "wrong 0x2b: offset-for-page"),
            ("field page-number", "0xadd", "wrong 0x2b: address-for-page"),
            ("field page-number", "34", "wrong 0x2b: frame-for-page"),
            ("field page-number", "43", "wrong 0x2b: decimal-for-hexadecimal"),
            ("field offset", "2b", "wrong 0x1d: page-for-offset"),
            ("field offset", "add", "wrong 0x1d: address-for-offset"),
            ("way TLB", "3", "wrong 1: set-for-way"),
            ("physical", "0xd00", "wrong 0xd1d: offset-lost"),
            ("physical", "0xadd", "wrong 0xd1d: virtual-for-physical"),
            ("physical", "34", "wrong 0xd1d: frame-for-physical"),
            ("physical", "0x341d", "wrong 0xd1d: glued-frame-and-offset"),
            ("physical", "34001d", "wrong 0xd1d: glued-frame-and-offset"),
            ("outcome", "miss", "wrong hit: miss-for-hit"),
            ("outcome", "Fault ", "wrong hit: fault-for-hit"),
            ("outcome", "walk", "wrong hit"),
            ("physical", "", "wrong 0xd1d"),
        ],
    ),
    (
        BOOK,
        "load 0x175",
        &[
            ("entry-address 1", "605", "wrong 0x60a: index-without-size"),
            ("entry-address 1", "600", "wrong 0x60a: table-for-entry"),
            ("entry-address 1", "5", "wrong 0x60a: index-for-address"),
            ("entry-address 1", "2cf", "wrong 0x60a: value-for-address"),
            ("outcome", "hit", "wrong miss: hit-for-miss"),
            ("outcome", "fault", "wrong miss: first-touch-for-miss"),
        ],
    ),
    (
        BOOK,
        "load 0x2ea",
        &[
            ("outcome", "hit", "wrong fault: hit-for-fault"),
            ("outcome", "miss", "wrong fault: miss-for-fault"),
            ("fault-code", "5", "wrong 0x4: present-bit"),
            ("fault-code", "6", "wrong 0x4: write-bit"),
            ("fault-code", "0", "wrong 0x4: user-bit"),
            ("fault-code", "0x14", "wrong 0x4: fetch-bit"),
        ],
    ),
    (
        X86,
        "load 0x7f3a1c2b5e48",
        &[
            ("field index-2", "232", "wrong 225: other-level"),
            ("field index-2", "34152235701", "wrong 225: page-for-index"),
            ("field index-2", "3656", "wrong 225: offset-for-index"),
            ("field index-2", "e1", "wrong 225: hexadecimal-for-decimal"),
            ("references", "5", "wrong 4: one-table-too-many"),
        ],
    ),
    (
        HUGE,
        "load 0x40201234",
        &[
            ("field page-number", "0x40201", "wrong 0x201: other-page-size"),
            ("field offset", "0x234", "wrong 0x1234: other-page-size"),
            ("page-size", "4k", "wrong 2M: other-page-size"),
            ("references", "4", "wrong 3: one-table-too-many"),
        ],
    ),
    (NESTED, "load 0x1234", &[("references", "4", "wrong 24: guest-for-nested")]),
    (XOR, "load 0x5000", &[("set d", "1", "wrong 0: low-bits-for-xor")]),
    (
        MASKS,
        "load 0x1e000",
        &[
            ("set d", "2", "wrong 1: low-bits-for-xor"),
            ("set d", "7", "wrong 1"),
            ("set d", "30", "wrong 1: page-for-set"),
        ],
    ),
    (
        ONE,
        "load 0x1000; load 0x2000; load 0x1000",
        &[("outcome", "fault", "wrong miss: fault-for-miss")],
    ),
    (
        LRU,
        "load 0x1000; load 0x2000; load 0x3000; load 0x1000; load 0x3000; load 0x4000",
        &[
            ("victim d", "1", "wrong 0x2: first-in-for-least-recent"),
            ("victim d", "3", "wrong 0x2: newest-for-oldest"),
            ("victim d", "none", "wrong 0x2: empty-for-victim"),
            ("victim d", "2000", "wrong 0x2: address-for-page"),
            ("way d", "0", "wrong 1: first-in-for-least-recent"),
            ("way d", "2", "wrong 1: newest-for-oldest"),
        ],
    ),
    (
        LRU,
        "load 0x1000; load 0x2000; load 0x3000",
        &[
            ("victim d", "1", "wrong none: victim-for-empty"),
            ("way d", "0", "wrong 2: victim-for-empty"),
        ],
    ),
    (
        FIFO,
        "load 0x1000; load 0x2000; load 0x3000; load 0x1000; load 0x3000; load 0x4000",
        &[("victim d", "2", "wrong 0x1: least-recent-for-first-in")],
    ),
    (
        PLRU,
        "load 0x1000; load 0x2000; load 0x3000; load 0x4000; load 0x1000; load 0x5000",
        &[
            ("victim d", "2", "wrong 0x3: least-recent-for-policy"),
            ("victim d", "1", "wrong 0x3: newest-for-oldest"),
        ],
    ),
    (SETS, "load 0x1000; load 0x2000; load 0x3000", &[("victim d", "2", "wrong 0x1: other-set")]),
    (
        LEVELS,
        "load 0x1000; load 0x9000",
        &[
            ("set d", "9", "wrong 1: page-for-set"),
            ("set s", "1", "wrong 9: other-level"),
            ("references", "4", "wrong 1: levels-for-references"),
            ("references", "2", "wrong 1: one-table-too-many"),
            ("cycles", "205", "wrong 214: lookup-lost"),
            ("cycles", "209", "wrong 214: overhead-lost"),
            ("cycles", "1", "wrong 214: references-for-cycles"),
        ],
    ),
    (
        ONE,
        "load 0x1000; load 0x2000; load 0x1000; load 0x1000; load 0x2000; load 0x3000",
        &[
            ("number misses:d", "4", "wrong 5: one-access-short"),
            ("number misses:d", "1", "wrong 5: hits-for-misses"),
            ("number misses:d", "3", "wrong 5: pages-for-misses"),
            ("number hits:d", "5", "wrong 1: misses-for-hits"),
            ("number pages", "6", "wrong 3: accesses-for-pages"),
            ("number references", "5", "wrong 20: walks-for-references"),
            ("number references", "4", "wrong 20: access-for-total"),
            ("number references", "19", "wrong 20: one-off"),
            ("number misses:d", "6", "wrong 5: one-off"),
            ("number references", "16", "wrong 20: one-access-short"),
        ],
    ),
    (
        LEVELS,
        "load 0x1000; load 0x11000; load 0x1000; load 0x2000; load 0x6000; load 0x2000; load 0x2000",
        &[
            ("number walks", "6", "wrong 5: misses-for-walks"),
            ("number walks", "4", "wrong 5: pages-for-misses"),
            ("number misses:d", "5", "wrong 6: walks-for-misses"),
            ("number hits:s", "1", "right"),
            ("number hits:s", "5", "wrong 1: misses-for-hits"),
        ],
    ),
    (
        BOOK,
        "load 0x175; load 0x2ea; load 0x2ea; load 0x175",
        &[("number faults", "1", "wrong 2: walks-for-faults")],
    ),
];

/// A guest whose pages are as large as the host's, so that a page has two physical addresses.
#[test]
fn the_address_that_the_guest_believes_in_is_not_that_of_memory() {
    let mut replay = replay(NESTED, "load 0x1234");
    let step = replay.seek(0).unwrap();
    let data = step.translations[0].nested.as_ref().unwrap().rows.last().unwrap().clone();
    let [guest, host] = [data.guest_physical, data.host_physical].map(|hex| hex.0 & !0xfff | 0x234);
    assert_ne!(guest, host);
    let found = verdict(&mut replay, 0, "physical", &format!("{guest:#x}"));
    assert_eq!(found, format!("wrong {host:#x}: guest-for-host"));
}

#[test]
fn the_access_after_the_question_does_not_count() {
    let mut replay = replay(ONE, "load 0x1000; load 0x2000; load 0x3000");
    assert_eq!(verdict(&mut replay, 1, "number walks", "3"), "wrong 2: one-access-more");
}

#[test]
fn a_wrong_answer_has_its_mistake() {
    for (on, lines, rows) in CASES {
        let mut replay = replay(*on, lines);
        let last = replay.trace().len() - 1;
        for (asked, given, expected) in *rows {
            assert_eq!(
                verdict(&mut replay, last, asked, given),
                *expected,
                "{lines}: {asked} {given}"
            );
        }
    }
}

#[test]
fn each_mistake_has_a_case() {
    let verdicts = CASES.iter().flat_map(|(.., rows)| *rows).map(|(.., verdict)| *verdict);
    let verdicts: Vec<&str> =
        verdicts.chain(["wrong: guest-for-host", "wrong: one-access-more"]).collect();
    let all = Mistake::inline(&ts_rs::Config::default()).replace('"', "");
    let missing = all.split(" | ").filter(|mistake| {
        !verdicts.iter().any(|verdict| verdict.ends_with(&format!(": {mistake}")))
    });
    let missing: Vec<&str> = missing.collect();
    assert!(all.contains("other-base") && missing.is_empty(), "{missing:?}");
}

#[test]
fn the_site_has_the_names_of_mistakes() {
    cases::typescript("mistakes.ts", &["Mistake"])
        .words::<Mistake>("The mistakes that explain wrong answers.", "MISTAKES")
        .write();
}
