//! Tests of texts in different locales and forms, and of texts without counters.

use cases::cases;
use expect_test::{Expect, expect};
use pagewalk_sources::perf_stat::read;

use super::support::{fixture, names, show};

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the many places that call it")]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&show(text, 8));
}

#[test]
fn thousands_are_parted_as_the_locale_has_it() {
    // English, German, French (narrow no-break space), Swiss, Polish (no-break space), a plain blank, Indian.
    for (count, clock) in [
        ("12,345,678", "1,234.56"),
        ("12.345.678", "1.234,56"),
        ("12\u{202f}345\u{202f}678", "1\u{202f}234,56"),
        ("12\u{2019}345\u{2019}678", "1\u{2019}234.56"),
        ("12'345'678", "1'234.56"),
        ("12\u{a0}345\u{a0}678", "1\u{a0}234,56"),
        ("12 345 678", "1 234,56"),
        ("1,23,45,678", "1,234.56"),
        ("12345678", "1234.56"),
    ] {
        let text = format!(
            "     {count}      dTLB-loads:u    ( +-  0,16% )  (35.45%)\n     1.000831480   {clock} msec task-clock  #  0.885 CPUs utilized\n"
        );
        let stat = read(&text).unwrap();
        let values = [0, 1].map(|at| stat.counters[at].value);
        assert_eq!(values, [Some(12_345_678.0), Some(1234.56)], "{text}");
        assert_eq!(stat.counters[0].variance, Some(0.16));
        assert_eq!(stat.counters[1].interval, Some(1.000_831_48));
    }
}

#[test]
fn numbers_with_a_decimal_comma_are_read_in_every_form() {
    check(
        "     0,020260268,19,83,msec,task-clock,19825142,100,00,0,991,CPUs utilized\n     0,020260268,567,,page-faults,19825142,66,67,28,600,K/sec\nS0-D0-C0,1,2,34,msec,task-clock,0,22%,2339540,100,00,1,007,CPUs utilized\n",
        expect![[r"
            Csv, 3 counters
            19.83 msec task-clock at 0.020260268 running 100 # 0.991 CPUs utilized
            567 page-faults at 0.020260268 running 66.67 # 28.6 K/sec
            2.34 msec task-clock part S0-D0-C0 ± 0.22 running 100 # 1.007 CPUs utilized
        "]],
    );
    check(
        "1,58;msec;task-clock;2,32%;1420870;99,50;1,112;CPUs utilized\n",
        expect![[r"
            Csv, 1 counters
            1.58 msec task-clock ± 2.32 running 99.5 # 1.112 CPUs utilized
        "]],
    );
    check(
        r#"{"interval" : 0,024006216, "counter-value" : "23,776561", "unit" : "msec", "event" : "task-clock", "event-runtime" : 23776561, "pcnt-running" : 66,67, "metric-value" : 1,188828, "metric-unit" : "CPUs utilized"}"#,
        expect![[r"
            Json, 1 counters
            23.776561 msec task-clock at 0.024006216 running 66.67 # 1.188828 CPUs utilized
        "]],
    );
}

#[test]
fn parts_of_the_machine_and_threads_are_distinguished() {
    check(
        "S0-D0-C0           1             12,345      cycles\nS0-D0-C1           1      <not counted>      cycles   (0.00%)\nCPU0             401      page-faults\nN1     2     7 msec task-clock\na b: 7 [1]-1234       1,000      page-faults\n     1.000831480 S0    4   5   cycles\n",
        expect![[r"
            Text, 6 counters
            12345 cycles part S0-D0-C0
            NotCounted cycles part S0-D0-C1 running 0
            401 page-faults part CPU0
            7 msec task-clock part N1
            1000 page-faults part a b: 7 [1]-1234
            5 cycles part S0 at 1.00083148
        "]],
    );
    check(
        "CPU0,405,,page-faults,3024381,100.00,133.922,K/sec\na b-12,405,,page-faults,3024381,100.00,,\n1.000,S0,2,7,,cycles,3,100.00,,\n",
        expect![[r"
            Csv, 2 counters
            ! 1 unread, line 3: 1.000,S0,2,7,,cycles,3,100.00,,
            405 page-faults part CPU0 running 100 # 133.922 K/sec
            405 page-faults part a b-12 running 100
        "]],
    );
}

#[test]
fn cgroups_and_raw_events_are_read() {
    check(
        "     1,234      cycles  system.slice/a.service   #  0.5 GHz\n     7      r0108\n   8   cpu/event=0x08,umask=0x0e/u\n   9  armv8_pmuv3_0/l1d_tlb_refill/\n  1,234,567 ns duration_time\n  1.77 task-clock (msec)   #  0.9 CPUs utilized\n",
        expect![[r"
            Text, 6 counters
            1234 cycles cgroup system.slice/a.service # 0.5 GHz
            7 r0108
            8 event=0x08,umask=0x0e of cpu mode u
            9 l1d_tlb_refill of armv8_pmuv3_0
            1234567 ns duration_time
            1.77 msec task-clock # 0.9 CPUs utilized
        "]],
    );
    check(
        "12,,cycles,web.slice,3024381,100.00,,\n",
        expect![[r"
        Csv, 1 counters
        12 cycles cgroup web.slice running 100
    "]],
    );
}

#[test]
fn lines_without_a_counter_are_counted_and_reported() {
    check(
        "$ perf stat -e dTLB-loads ls\nfile\n\n Performance counter stats for 'ls' (3 runs):\n\n     17      dTLB-loads\n\n   0.1 +- 0.0 seconds time elapsed  ( +- 9.64% )\n",
        expect![[r"
            Text, 1 counters, of 'ls', 3 runs, 0.1 s
            ! 2 unread, line 1: $ perf stat -e dTLB-loads ls
            17 dTLB-loads
        "]],
    );
    check(
        &format!("  7   cycles\n{}\n", "S0 1 ".repeat(100_000)),
        expect![[r"
        Text, 1 counters
        ! 1 unread, line 2: S0 1 S0 1 S0 1 S0 1 S0 1 S0 1 S0 1 S0 1 S0 1 S0 1 S0 1 S0 1 …
        7 cycles
    "]],
    );
}

#[test]
fn a_text_without_a_counter_is_an_error_with_its_first_line() {
    check(
        "",
        expect![[r"
        UnknownFormat: the input is empty: give the output of perf stat: as text, with -x, or with -j
    "]],
    );
    check(
        "\n\n",
        expect![[r"
        UnknownFormat: the input is empty: give the output of perf stat: as text, with -x, or with -j
    "]],
    );
    check(
        "hello\nworld\n",
        expect![[r"
        UnknownFormat: line 1: there is no perf stat counter in this text, which begins with `hello`: give the output of perf stat: as text, with -x, or with -j
    "]],
    );
    check(
        "kind,address,size\nload,0x1000,8\n",
        expect![[r"
        UnknownFormat: line 1: there is no perf stat counter in this text, which begins with `kind,address,size`: give the output of perf stat: as text, with -x, or with -j
    "]],
    );
}

#[test]
fn every_beginning_of_a_text_ends() {
    for name in names() {
        let text = fixture(&name);
        for (end, _) in text.char_indices().filter(|(end, _)| *end < 300 || end % 13 == 0) {
            drop(read(&text[..end]));
        }
    }
}

#[test]
fn any_damage_ends() {
    let texts: Vec<String> = names().iter().map(|name| fixture(name)).collect();
    cases(350).check(|u| {
        let mut letters: Vec<char> = u.choose(&texts)?.chars().collect();
        for _ in 0..u.int_in_range(1..=8)? {
            let at = u.choose_index(letters.len())?;
            letters[at] =
                *u.choose(&[' ', ',', '.', '#', '(', '<', '\u{202f}', '0', '"', '\n', '/', 'a'])?;
        }
        drop(read(&letters.into_iter().collect::<String>()));
        Ok(())
    });
}
