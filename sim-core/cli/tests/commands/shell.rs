//! What a shell's user expects: help, completions, manual pages, short options and counts with units.

use expect_test::expect;

use crate::support::{check, json, pagewalk, printed};

#[test]
fn without_a_command_the_help_is_printed() {
    let help = printed("");
    assert_eq!(help, printed("--help"));
    assert!(help.contains("Commands:") && help.contains("completions"), "{help}");
}

#[test]
fn completions_and_manual_pages_name_the_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = printed(&format!("completions {shell}"));
        assert!(script.contains("samples") && script.contains("warmup"), "{shell}");
    }
    let page = printed("man");
    assert!(page.contains(".TH pagewalk 1") && page.contains("pagewalk\\-sweep(1)"), "{page}");
    let page = printed("man run");
    assert!(page.contains(".TH pagewalk-run 1") && page.contains("warmup"), "{page}");
    assert!(page.contains("Examples:"), "{page}");
    check(
        "man walk",
        expect![[r"
            exit code 1: pagewalk: there is no command `walk`: choose one of run, explain, curve, phases, huge, record, cc, c++, open, import, samples, convert, stat, measure, sweep, gen, experiment, verify, exercise, cpus, completions, man, version, help
        "]],
    );
    check(
        "completions csh",
        expect![[r"
        exit code 1: pagewalk: invalid value 'csh' for '<SHELL>' [possible values: bash, elvish, fish, powershell, zsh]; tip: a similar value exists: 'zsh' (see `pagewalk completions --help`)
    "]],
    );
}

#[test]
fn short_options_are_the_long_ones() {
    for (short, long) in [
        (
            "run -m tiny.json -t walk.lackey -n 5",
            "run --machine tiny.json --trace walk.lackey --limit 5",
        ),
        (
            "huge -c amd-zen2 -w uniform -p accesses=900 bytes=1M",
            "huge --cpu amd-zen2 --workload uniform --param accesses=900 --param bytes=1M",
        ),
        ("gen strided -p accesses=3 -o -", "gen strided --param accesses=3 --out -"),
    ] {
        assert_eq!(printed(short), printed(long), "{short}");
    }
    assert_eq!(json("curve -t walk.lackey -j"), json("curve --trace walk.lackey --json"));
}

#[test]
fn counts_may_have_units() {
    let run = |options: &str| json(&format!("run -m tiny.json -w uniform {options} -j"));
    let digits = run("--param accesses=30000 --skip 1000 --warmup 2000 --limit 20000");
    assert_eq!(digits, run("--param accesses=30k --skip 1e3 --warmup 2K --limit 0.02M"));
    assert_eq!(digits["trace"]["accesses"], 20_000);
    check(
        "run -m tiny.json -t walk.lackey --limit 1T",
        expect![[r"
        exit code 1: pagewalk: invalid value '1T' for '--limit <N>': give a number of accesses, such as 1000000, 20k, 1M or 1e6 (see `pagewalk run --help`)
    "]],
    );
}

#[test]
fn a_cpu_that_is_misspelled_is_guessed() {
    check(
        "explain --cpu graviton --va 0x1000",
        expect![[r"
        exit code 1: pagewalk: there is no CPU `graviton`: did you mean arm-cortex-a72 or arm-neoverse-n1 or arm-neoverse-v1 or arm-neoverse-v2? `pagewalk cpus` lists all
    "]],
    );
    check(
        "run --cpu EPYC --trace walk.lackey",
        expect![[r"
        exit code 1: pagewalk: `EPYC` names no generation: give the number of the product, such as EPYC 7763, or native for this machine
    "]],
    );
    check(
        "curve --cpu Raptor-Lke --trace walk.lackey",
        expect![[r"
        exit code 1: pagewalk: there is no CPU `Raptor-Lke`: did you mean intel-goldencove? `pagewalk cpus` lists all
    "]],
    );
    check(
        "cpus epycmilan",
        expect![[r"
        exit code 1: pagewalk: there is no CPU `epycmilan`: did you mean amd-zen3? `pagewalk cpus` lists all
    "]],
    );
    check(
        "run --cpu intel-skylak --trace walk.lackey",
        expect![[r"
        exit code 1: pagewalk: there is no CPU `intel-skylak`: did you mean intel-skylake or intel-skylake-sp? `pagewalk cpus` lists all
    "]],
    );
    check(
        "cpus amd-zne4",
        expect![[r"
        exit code 1: pagewalk: there is no CPU `amd-zne4`: did you mean amd-zen4? `pagewalk cpus` lists all
    "]],
    );
    check(
        "cpus intel-skylake:smt-onn",
        expect![[r"
        exit code 1: pagewalk: there is no variant `smt-onn` of `intel-skylake`: choose one of intel-skylake:smt-on
    "]],
    );
}

#[test]
fn a_cpu_may_have_the_name_that_users_know() {
    let run = |cpu: &str| {
        let args = ["run", "--cpu", cpu, "--workload", "uniform", "--param", "accesses=1000", "-j"];
        let output = pagewalk(args).output().unwrap();
        let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let note = String::from_utf8(output.stderr).unwrap();
        (result["about"]["machine"].clone(), result["walks"].clone(), note)
    };
    let (machine, walks, note) = run("cascade lake");
    assert_eq!(
        note,
        "Cascade Lake is simulated as intel-skylake-sp (InstLatx64, GenuineIntel0050657_CascadeLakeSP_CPUID1.txt).\n"
    );
    assert_eq!(machine["id"], "intel-skylake-sp");
    assert_eq!((machine, walks, String::new()), run("intel-skylake-sp"));
    assert!(run("RaptorLake").2.ends_with("Its efficiency cores are `intel-gracemont`.\n"));
    for (name, id) in
        [("Zen 4", "amd-zen4"), ("ice-lake", "intel-sunnycove"), ("Graviton 3", "arm-neoverse-v1")]
    {
        assert_eq!(run(name).0["id"], id);
    }
}

#[test]
fn a_nested_walk_says_why_it_is_short() {
    let explain = |options: &str| {
        let text = printed(&format!("explain --cpu intel-skylake --va 0x7f3a1c2b5e48 {options}"));
        text.lines().rev().take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    let why = "The walk itself fills the walk caches, so it reads 14 references and not 24. --no-walk-caches leaves the caches out.";
    assert_eq!(explain("--virt ept")[0], why);
    for all in ["--virt ept --no-walk-caches", ""] {
        assert!(explain(all)[0].contains(" cycles (a model, not a measurement)"), "{all}");
    }
}

/// Only a terminal gets colours.
#[test]
fn a_pipe_gets_no_colours() {
    let output = pagewalk(["run", "-m", "tiny.json", "-t", "walk.lackey"]).output().unwrap();
    assert!(!output.stdout.contains(&0x1b));
}

/// `script` runs the program on a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_coloured_headings_unless_its_user_declines() {
    let program = env!("CARGO_BIN_EXE_pagewalk");
    let on_terminal = |no_color: Option<&str>| {
        let mut command = std::process::Command::new("script");
        command.args(["-qec", &format!("{program} run -m tiny.json -t walk.lackey"), "/dev/null"]);
        command.current_dir(crate::support::fixtures()).env_remove("NO_COLOR");
        command.envs(no_color.map(|value| ("NO_COLOR", value)));
        let output = command.stdin(std::process::Stdio::null()).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    // Without the program `script` there is no terminal to test with.
    let Some(text) = on_terminal(None) else { return };
    assert!(text.contains("\u{1b}[1m\u{1b}[36mKind   Accesses"), "{text:?}");
    assert!(!text.contains("\u{1b}[36mPage faults, minor"), "{text:?}");
    assert!(on_terminal(Some("")).is_some_and(|text| text.contains("\u{1b}[36mKind")));
    assert!(on_terminal(Some("1")).is_some_and(|text| text.contains("\nKind   Accesses")));
}
