//! Programs that `pagewalk cc` compiles, and `pagewalk record` records. Without a C compiler, nothing is tested.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use expect_test::{Expect, expect};

use crate::support::{json, pagewalk, printed};

/// A folder with a program, or `None` without a compiler.
pub(crate) fn compiled(
    name: &str,
    (command, file): (&str, &str),
    options: &[&str],
    text: &str,
) -> Option<PathBuf> {
    compiled_by(if command == "cc" { "cc" } else { "c++" }, name, (command, file), options, text)
}

/// A folder with a program of this compiler, or `None` without it.
pub(crate) fn compiled_by(
    compiler: &str,
    name: &str,
    (command, file): (&str, &str),
    options: &[&str],
    text: &str,
) -> Option<PathBuf> {
    if Command::new(compiler).arg("--version").output().is_err() {
        say(&format!("{name} is not tested: there is no {compiler}"));
        return None;
    }
    let tests = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = tests.join(format!("compiled-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(file), text).unwrap();
    let words = [command].into_iter().chain(options.iter().copied()).chain(["-o", "prog", file]);
    let mut compile = pagewalk(words);
    compile.env(if command == "cc" { "CC" } else { "CXX" }, compiler);
    succeed(compile.current_dir(&folder).env("XDG_CACHE_HOME", tests.join("cache")));
    Some(folder)
}

#[expect(clippy::print_stderr, reason = "says why a test does nothing")]
fn say(text: &str) {
    eprintln!("{text}");
}

pub(crate) fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

pub(crate) fn recorded(folder: &Path, args: &[&str]) -> Output {
    let words = ["record", "-o", "prog.pagewalk"].into_iter().chain(args.iter().copied());
    pagewalk(words.chain(["./prog"])).current_dir(folder).output().unwrap()
}

/// Returns the rows of a trace: kind, address, size and thread.
pub(crate) fn rows(folder: &Path) -> Vec<[String; 4]> {
    let trace = folder.join("prog.pagewalk");
    let csv = folder.join("prog.csv");
    printed(&format!("convert {} --to csv --out {}", trace.display(), csv.display()));
    let text = fs::read_to_string(csv).unwrap();
    let rows = text.lines().skip(1).filter(|line| !line.starts_with('#')).map(|line| {
        let mut words = line.split(',').map(str::to_owned);
        let mut word = || words.next().unwrap();
        let (kind, address, size, _pid, tid) = (word(), word(), word(), word(), word());
        [kind, address, size, tid]
    });
    rows.collect()
}

/// The numbers of accesses by kind and size, or by a thread as well.
pub(crate) fn counts(folder: &Path, by_thread: bool) -> String {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for [kind, _, size, tid] in rows(folder) {
        let thread = if by_thread { format!(" by {tid}") } else { String::new() };
        *counts.entry(format!("{kind} {size:>2}{thread}")).or_default() += 1;
    }
    let lines: Vec<String> = counts.into_iter().map(|(what, n)| format!("{what}: {n}\n")).collect();
    lines.concat()
}

/// What the command printed besides times, sizes and limits.
pub(crate) fn shown(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    // Only some users see the frames of pages.
    let usual = ["Only code that pagewalk cc", "the kernel hides them"];
    let lines = text.lines().filter(|line| usual.iter().all(|usual| !line.contains(usual)));
    let lines =
        lines.map(|line| line.split(" accesses in ").next().unwrap_or(line).to_owned() + "\n");
    format!("exit {:?}\n{}", output.status.code(), lines.collect::<String>())
}

#[track_caller]
fn check(name: &str, source: (&str, &str, &str), args: &[&str], expected: &Expect) {
    let (command, file, text) = source;
    let Some(folder) = compiled(name, (command, file), &["-O1", "-g"], text) else { return };
    let output = recorded(&folder, args);
    let warned = shown(&output);
    let accesses =
        if folder.join("prog.pagewalk").exists() { counts(&folder, true) } else { String::new() };
    expected.assert_eq(&format!("{warned}{accesses}"));
}

const COUNTS: &str = "
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
static volatile uint8_t one[100];
static volatile uint16_t two[100];
static volatile uint32_t four[100];
static volatile uint64_t eight[100];
struct whole { _Alignas(64) char bytes[4096]; };
static struct whole from, to;
static _Alignas(64) char text[256], copy[256];
static _Atomic int n;
__attribute__((noinline)) void assign(struct whole *x, const struct whole *y) { *x = *y; }
int main(void) {
  for (int i = 0; i < 100; i++) one[i] = i;
  for (int i = 0; i < 90; i++) two[i]++;
  for (int i = 0; i < 80; i++) four[i] = i;
  for (int i = 0; i < 70; i++) (void)eight[i];
  assign(&to, &from);
  memcpy(copy, text, 100);
  memset(copy, 1, 130);
  for (int i = 0; i < 5; i++) n++;
  return n + to.bytes[5];
}
";

#[test]
fn every_load_and_store_of_a_program_is_counted_once() {
    for level in ["-O1", "-O2"] {
        let Some(folder) = compiled("counts", ("cc", "counts.c"), &[level], COUNTS) else { return };
        let output = recorded(&folder, &[]);
        assert_eq!(output.status.code(), Some(5), "{output:?}");
        // 64: the assignment, and a whole line each of memcpy and of memset, which has two.
        expect![[r"
            load  1: 1
            load  2: 90
            load  4: 6
            load  8: 70
            load 36: 1
            load 64: 65
            store  1: 100
            store  2: 91
            store  4: 85
            store 36: 1
            store 64: 67
        "]]
        .assert_eq(&counts(&folder, false));
    }
}

const THREADS: &str = "
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int sum;
static volatile long own[4];
static void *work(void *number) {
  for (int i = 0; i < 3000; i++) {
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    if (i % 100 == 0) usleep(1);
    own[(long)number] = i;
  }
  return 0;
}
int main(void) {
  pthread_t threads[4];
  for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  if (fork() == 0) {
    sum = 1;
    _exit(0);
  }
  wait(0);
  if (sum == 12000) abort();
  return 1;
}
";

#[test]
fn the_accesses_of_threads_come_in_an_order_in_which_they_can_have_happened() {
    let Some(folder) = compiled("threads", ("cc", "threads.c"), &["-O1"], THREADS) else { return };
    let output = recorded(&folder, &[]);
    expect![[r"
        exit Some(134)
        prog.pagewalk: 36,005
        Warning: 1 forked process is not recorded, only the process that forked
    "]]
    .assert_eq(&shown(&output));
    // Each load of the sum is followed by the store of the same thread.
    let rows = rows(&folder);
    let of_sum: Vec<_> = rows.iter().filter(|[.., size, _]| size == "4").collect();
    assert_eq!(of_sum.len(), 24_001);
    for pair in of_sum[..24_000].chunks(2) {
        let [[first, .., by], [second, .., too]] = [pair[0], pair[1]];
        assert_eq!((&**first, &**second, by), ("load", "store", too));
    }
    let [last, .., by] = of_sum[24_000];
    assert_eq!((&**last, &**by), ("load", "1"));
}

#[test]
fn a_program_that_includes_the_header_is_recorded_between_start_and_stop() {
    let part = "
#include <pagewalk.h>
#include <mutex>
#include <thread>
#include <vector>
static std::mutex lock;
static volatile long sum;
int main() {
  std::vector<long> all(1000);
  for (auto &one : all) one = 1;
  pagewalk_start();
  std::vector<std::thread> threads;
  threads.reserve(2);
  auto work = [] { for (int i = 0; i < 100; i++) { std::lock_guard<std::mutex> held(lock); sum += 1; } };
  for (int i = 0; i < 2; i++) threads.emplace_back(work);
  for (auto &thread : threads) thread.join();
  pagewalk_stop();
  for (auto &one : all) one = 2;
  try { throw 3; } catch (int thrown) { return thrown; }
}
";
    let source = ("c++", "part.cpp");
    let Some(folder) = compiled("part", source, &["-O1"], part) else { return };
    let output = recorded(&folder, &[]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let counts = counts(&folder, true);
    for line in ["load  8 by 2: 100\n", "load  8 by 3: 100\n"] {
        assert!(counts.contains(line), "{counts}");
    }
    assert!(!counts.contains("00 by 1"), "{counts}");
    let never = "#include <pagewalk.h>\nint main(int n, char **all) { if (n > 5) pagewalk_start(); return !**all; }";
    check(
        "never",
        ("cc", "never.c", never),
        &[],
        &expect![[r"
            exit Some(1)
            pagewalk: nothing was recorded: the program includes pagewalk.h and never calls pagewalk_start(): call it before the part to record
        "]],
    );
}

const LOOP: &str = "
static volatile char bytes[1000];
int main(void) {
  for (int round = 0; round < 100; round++)
    for (int i = 0; i < 1000; i++) bytes[i] = i;
}
";

#[test]
fn a_window_and_a_limit_record_a_part() {
    check(
        "window",
        ("cc", "window.c", LOOP),
        &["--window", "100/1k"],
        &expect![[r"
            exit Some(0)
            prog.pagewalk: 10,000
            Warning: --window kept the first 100 of every 1,000 accesses of a thread
            store  1 by 1: 10000
        "]],
    );
    check(
        "limit",
        ("cc", "limit.c", LOOP),
        &["-n", "1500"],
        &expect![[r"
            exit Some(0)
            prog.pagewalk: 1,500
            Warning: The recording ended the program after 1,500 accesses, as --limit asks. A larger --limit keeps more, --skip N keeps later ones
            store  1 by 1: 1500
        "]],
    );
    check(
        "skip",
        ("cc", "skip.c", LOOP),
        &["--skip", "99k", "--window", "1/1"],
        &expect![[r"
            exit Some(0)
            prog.pagewalk: 1,000
            Warning: --skip left out the first 99,000 accesses of the program
            Warning: --window kept the first 1 of every 1 access of a thread
            store  1 by 1: 1000
        "]],
    );
    check(
        "skip-all",
        ("cc", "skip-all.c", LOOP),
        &["--skip", "100k"],
        &expect![[r"
            exit Some(1)
            pagewalk: nothing was recorded: the program made only 100,000 accesses: give --skip a smaller number
        "]],
    );
}

#[test]
fn the_memory_that_a_program_allocates_has_a_name() {
    let text = "
#include <stdlib.h>
int main(void) {
  volatile char *one = malloc(100000);
  volatile char *two = calloc(1000, 100);
  for (int i = 0; i < 100000; i++) one[i] = two[i];
}
";
    let Some(folder) = compiled("blocks", ("cc", "blocks.c"), &["-g", "-O1"], text) else { return };
    assert!(recorded(&folder, &[]).status.success());
    let trace = folder.join("prog.pagewalk");
    let run = format!("run -c intel-skylake -t {} --by object --json", trace.display());
    let rows = json(&run)["breakdown"]["rows"].clone();
    let names = rows.as_array().unwrap().iter().map(|of| of["name"].as_str().unwrap().to_owned());
    let mut names: Vec<String> = names.filter(|name| name.contains("alloc")).collect();
    names.sort();
    assert_eq!(names, ["one (malloc, blocks.c:4)", "two (calloc, blocks.c:5)"], "{rows}");
}

/// The linker joins equal literals, so they have no symbols. Two names can have one address.
#[test]
fn variables_that_share_an_address_have_all_their_names() {
    // The pause gives the recording time to read the memory map.
    let text = "
#include <unistd.h>
static const int squares[64] = {0, 1, 4, 9};
int common[64], table[64] = {1};
extern int same[64] __attribute__((alias(\"table\")));
const char *volatile text = \"a literal that is long enough to have a row of its own in the table of rows, with 80 letters\";
int main(int n, char **words) {
  int sum = 0;
  usleep(900000);
  for (int i = 0; i < 64; i++) common[i] = table[i] = ((volatile const int *)squares)[i];
  const char *at = text;
  for (int i = 0; i < 80; i++) sum += ((volatile const char *)at)[i];
  return sum == n + (words == 0);
}
";
    let options = ["-O1", "-fcommon"];
    let Some(folder) = compiled("shared", ("cc", "shared.c"), &options, text) else { return };
    assert!(recorded(&folder, &[]).status.success());
    let trace = folder.join("prog.pagewalk");
    let run = format!("run -c intel-skylake -t {} --by object --json", trace.display());
    let found = json(&run);
    let rows = found["breakdown"]["rows"].as_array().unwrap().iter();
    let rows = rows.filter(|row| row["accesses"].as_u64() > Some(9));
    let mut lines: Vec<String> =
        rows.map(|row| format!("{} of {}\n", row["accesses"], row["name"])).collect();
    lines.sort();
    expect![[r#"
        64 of "common (global)"
        64 of "same, table (global)"
        64 of "squares (global)"
        80 of ".rodata of prog (constants)"
    "#]]
    .assert_eq(&lines.concat());
}

#[test]
fn the_memory_that_a_program_frees_has_the_name_of_the_map() {
    let text = "
#include <stdlib.h>
static volatile char *volatile kept;
int main(void) {
  char *one = malloc(8192);
  char *two = malloc(8192);
  kept = one;
  for (int i = 0; i < 8192; i++) kept[i] = two[i] = i;
  free(one);
  for (int i = 32; i < 8192; i++) kept[i] = 1;
  two = realloc(two, 20000);
  for (int i = 0; i < 20000; i++) ((volatile char *)two)[i] = 2;
}
";
    let Some(folder) = compiled("freed", ("cc", "freed.c"), &["-g", "-O1"], text) else { return };
    assert!(recorded(&folder, &[]).status.success());
    let run = format!(
        "run -c intel-skylake -t {} --by object --json",
        folder.join("prog.pagewalk").display()
    );
    let rows = json(&run)["breakdown"]["rows"].clone();
    let rows = rows.as_array().unwrap().iter().filter(|row| row["accesses"].as_u64() > Some(99));
    let line = |row: &serde_json::Value| {
        let blocks = row["blocks"].as_u64().map(|n| format!(", {n} blocks")).unwrap_or_default();
        let name = row["name"].as_str().unwrap().rsplit('/').next().unwrap();
        format!("{} of {name}{blocks}\n", row["accesses"])
    };
    let mut lines: Vec<String> = rows.map(line).collect();
    lines.sort();
    expect![[r"
        16353 of prog
        20000 of two (realloc, freed.c:11), 1 blocks
        8160 of [heap]
        8192 of one (malloc, freed.c:5), 1 blocks
        8192 of two (malloc, freed.c:6), 1 blocks
    "]]
    .assert_eq(&lines.concat());
}

/// Where the kernel shows frames, the trace has them, and the text form says the same.
#[test]
fn the_frames_of_a_program_are_kept() {
    let text = "
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  volatile char *one = malloc(1 << 20);
  for (int i = 0; i < 1 << 20; i += 4096) one[i] = 1;
  usleep(900000);
}
";
    let Some(folder) = compiled("frames", ("cc", "frames.c"), &["-O1"], text) else { return };
    let output = recorded(&folder, &["--pagemap", "prog.frames"]);
    assert!(output.status.success());
    let trace = folder.join("prog.pagewalk");
    let frames = |more: &str| {
        json(&format!("run -c amd-zen2 -t {} --json{more}", trace.display()))["frames"].clone()
    };
    if String::from_utf8_lossy(&output.stderr).contains("the kernel hides them") {
        say("frames are not tested: the kernel hides them");
        assert_eq!(frames(""), serde_json::Value::Null);
        return;
    }
    let found = frames("");
    assert!(found["with_frame"].as_u64() >= Some(256), "{found}");
    assert_eq!(frames(" --pages 4K"), serde_json::Value::Null);
    let csv = folder.join("prog.csv");
    printed(&format!("convert {} --to csv --out {}", trace.display(), csv.display()));
    let beside = folder.join("prog.frames");
    let run = format!("run -c amd-zen2 -t {} --pagemap {} --json", csv.display(), beside.display());
    assert_eq!(json(&run)["frames"], found);
}

#[test]
fn a_program_without_hooks_is_an_error_if_they_are_asked_for() {
    check(
        "plain",
        ("cc", "plain.c", "int main(void) { return 0; }"),
        &["--with", "cc", "sh", "-c", "exit 0"],
        &expect![[r"
            exit Some(1)
            pagewalk: nothing was recorded: no part of sh was compiled with `pagewalk cc`: compile it so, or leave out --with cc
        "]],
    );
}

#[test]
fn the_wrapper_passes_on_what_the_compiler_says() {
    let output = pagewalk(["cc", "-c", "nothing.c"]).env("CC", "pagewalk cc").output().unwrap();
    if Command::new("cc").arg("--version").output().is_ok() {
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains("nothing.c"), "{output:?}");
    }
    let output = pagewalk(["cc", "a.c"]).env("CC", "no-compiler").output().unwrap();
    expect![[r"
        pagewalk: no-compiler: there is no such compiler: install gcc or clang, or name one in CC: No such file or directory (os error 2)
    "]]
    .assert_eq(&String::from_utf8_lossy(&output.stderr));
}
