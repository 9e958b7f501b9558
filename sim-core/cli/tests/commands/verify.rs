//! `pagewalk verify`: statements with known answers.

use expect_test::expect;
use pagewalk_base::csv::cells;
use pagewalk_experiments::experiment::oracles;

use crate::support::{check, json, printed};

#[test]
fn every_statement_has_a_line_and_all_agree() {
    let text = printed("verify");
    let (lines, sum) = text.split_once("\n\n").unwrap();
    assert_eq!(lines.lines().count(), oracles().len());
    assert!(lines.lines().all(|line| line.contains(" agree ")), "{text}");
    assert!(sum.starts_with(&format!("{} statements, ", oracles().len())), "{sum}");
    assert!(sum.ends_with(" expectations: all agree\n"), "{sum}");
}

#[test]
fn one_statement_is_shown_with_its_source_and_all_its_checks() {
    check(
        "verify O21",
        expect![[r"
            O21: The address 0x7f3a1c2b5e48 has the indices 254, 232, 225 and 181, and its offset is 0xe48
            Derived on paper: computed by hand: nine bits a level, from bit 47 on, as in Intel SDM vol. 3A, 4.5.

            check                                                                                                                       known answer                                                                                 simulated
            the indices from the root down                                                                                              254 232 225 181                                                                              254 232 225 181                                                                              agrees
            the entries' places in their tables, in bytes                                                                               2032 1856 1800 1448                                                                          2032 1856 1800 1448                                                                          agrees
            the address and the value of each entry, with the tables and the page where the example has them, and the physical address  0x1a3c7f0 0x2b4d027 0x2b4d740 0x3e12027 0x3e12708 0x5f07027 0x5f075a8 0x1388b067 0x1388be48  0x1a3c7f0 0x2b4d027 0x2b4d740 0x3e12027 0x3e12708 0x5f07027 0x5f075a8 0x1388b067 0x1388be48  agrees
            the offset in a page of 4K                                                                                                  3656                                                                                         3656                                                                                         agrees
            the offset in a page of 2M                                                                                                  745032                                                                                       745032                                                                                       agrees
            the offset in a page of 1G                                                                                                  472604232                                                                                    472604232                                                                                    agrees
        "]],
    );
}

#[test]
fn the_json_has_both_answers() {
    let all = json("verify 27 --json");
    let first = &all["oracles"][0]["checks"][0];
    assert_eq!(first["expected"], "9");
    assert_eq!(first["got"], "9");
}

#[test]
fn the_table_says_what_each_answer_rests_on() {
    for (number, basis) in
        [(6, "expected"), (8, "manual"), (27, "published"), (42, "transcription")]
    {
        let text = printed(&format!("verify {number} --csv -"));
        let mut rows = text.lines().map(cells);
        let head = rows.next().unwrap();
        let column = |name: &str| head.iter().position(|cell| cell == name).unwrap();
        let row = rows.next().unwrap();
        assert_eq!(row[column("basis")], basis, "O{number}");
        assert!(!row[column("source")].is_empty(), "O{number}");
    }
}

#[test]
fn a_wrong_number_is_one_line() {
    check(
        "verify 38",
        expect![[r"
            exit code 1: pagewalk: there is no oracle 38: `pagewalk verify` lists all
        "]],
    );
    check(
        "verify lru",
        expect![[r"
        exit code 1: pagewalk: invalid value 'lru' for '[NUMBERS]...': give the number of a statement, such as 30 or O30 (see `pagewalk verify --help`)
    "]],
    );
}
