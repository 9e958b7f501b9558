//! Recorded programs with libraries, with descendants that outlive their parent, with huge pages, and with timed waits.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use expect_test::{Expect, expect};

use crate::compiled::{compiled, counts, recorded, rows, shown, succeed};
use crate::support::{pagewalk, printed};

/// Links what `compiled` left in a folder as a program.
fn link(folder: &Path, command: &mut Command, words: &[&str]) {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    succeed(command.args(words).current_dir(folder).env("XDG_CACHE_HOME", cache));
}

#[track_caller]
fn check_libraries(folder: &Path, expected: &Expect) {
    let output = recorded(folder, &["--with", "cc"]);
    expected.assert_eq(&format!("{}{}", shown(&output), counts(folder, false)));
}

#[test]
fn a_library_is_recorded_in_any_program() {
    // More accesses than a ring has entries: the program lives until its map is read.
    let library = "
#include <stdlib.h>
void fill(void) {
  volatile int *kept = malloc(400);
  for (int i = 0; i < 100000; i++) kept[i % 100] = i;
}
";
    let program = "
static volatile char bytes[50];
void fill(void);
int main(void) {
  for (int i = 0; i < 100000; i++) bytes[i % 50] = i;
  fill();
}
";
    let options = ["-g", "-fPIC", "-shared", "-Wl,-z,defs"];
    let source = ("cc", "library.c");
    let Some(folder) = compiled("library", source, &options, library) else { return };
    fs::rename(folder.join("prog"), folder.join("libfill.so")).unwrap();
    fs::write(folder.join("main.c"), program).unwrap();
    let words = ["-o", "prog", "main.c", "-L.", "-lfill", "-Wl,-rpath,$ORIGIN"];
    link(&folder, &mut pagewalk(["cc"]), &words);
    check_libraries(
        &folder,
        &expect![[r"
            exit Some(0)
            prog.pagewalk: 200,000
            store  1: 100000
            store  4: 100000
        "]],
    );
    let trace = folder.join("prog.pagewalk");
    let objects = printed(&format!("run -c intel-skylake -t {} --by object", trace.display()));
    assert!(objects.contains("kept (malloc, library.c:4)"), "{objects}");
    // A program without hooks.
    link(&folder, &mut Command::new("cc"), &words);
    check_libraries(
        &folder,
        &expect![[r"
            exit Some(0)
            prog.pagewalk: 100,000
            store  4: 100000
        "]],
    );
}

#[test]
fn a_library_that_a_thread_loads_and_unloads_is_recorded() {
    let library = "
int sum(volatile int *all) {
  int sum = 0;
  for (int i = 0; i < 1000; i++) sum += all[i];
  return sum;
}
";
    let program = "
#include <dlfcn.h>
#include <pthread.h>
static int all[1000];
static void *work(void *none) {
  void *library = dlopen(\"./libsum.so\", RTLD_NOW);
  if (!library) return &all;
  ((int (*)(int *))dlsym(library, \"sum\"))(all);
  dlclose(library);
  return none;
}
int main(void) {
  for (int i = 0; i < 3; i++) {
    pthread_t thread;
    void *failed;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, &failed);
    if (failed) return 1;
  }
}
";
    let source = ("cc", "library.c");
    let options = ["-O1", "-fPIC", "-shared"];
    let Some(folder) = compiled("loaded", source, &options, library) else { return };
    fs::rename(folder.join("prog"), folder.join("libsum.so")).unwrap();
    fs::write(folder.join("main.c"), program).unwrap();
    link(&folder, &mut Command::new("cc"), &["-o", "prog", "main.c", "-pthread", "-ldl"]);
    check_libraries(
        &folder,
        &expect![[r"
            exit Some(0)
            prog.pagewalk: 3,000
            load  4: 3000
        "]],
    );
}

#[test]
fn a_process_that_outlives_the_program_is_recorded_to_its_end() {
    let text = "
#include <unistd.h>
static volatile char bytes[1000];
int main(void) {
  usleep(300000);
  for (int i = 0; i < 200000; i++) bytes[i % 1000] = i;
}
";
    let Some(folder) = compiled("daemon", ("cc", "daemon.c"), &["-O1"], text) else { return };
    let output = recorded(&folder, &["--with", "cc", "sh", "-c", "./prog & exit 3"]);
    expect![[r"
        exit Some(3)
        prog.pagewalk: 200,000
        store  1: 200000
    "]]
    .assert_eq(&format!("{}{}", shown(&output), counts(&folder, false)));
}

#[test]
fn a_recording_has_the_huge_pages_of_the_program() {
    // The program says whether the system gave it one.
    let text = "
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
  volatile char *bytes = aligned_alloc(2 << 20, 8 << 20);
  madvise((void *)bytes, 8 << 20, MADV_HUGEPAGE);
  for (int i = 0; i < 8 << 20; i += 4096) bytes[i] = 1;
  usleep(2000000);
  char line[1000];
  long kib;
  for (FILE *file = fopen(\"/proc/self/smaps\", \"r\"); file && fgets(line, sizeof line, file);)
    if (sscanf(line, \"AnonHugePages: %ld\", &kib) == 1 && kib > 0) return 0;
  return 1;
}
";
    let Some(folder) = compiled("huge", ("cc", "huge.c"), &["-O1"], text) else { return };
    let has_huge = recorded(&folder, &[]).status.success();
    let mut run = pagewalk(["run", "-c", "intel-skylake", "--pages", "recorded", "-t"]);
    let output = run.arg(folder.join("prog.pagewalk")).output().unwrap();
    assert_eq!(output.status.success(), has_huge, "{output:?}");
}

#[test]
fn threads_that_wait_with_a_time_limit_are_in_order() {
    let text = "
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
static sem_t turns[2];
static volatile int sum;
static void *work(void *number) {
  struct timespec end = {2000000000, 0};
  for (int i = 0; i < 500; i++) {
    sem_timedwait(&turns[(long)number], &end);
    sum++;
    sem_post(&turns[1 - (long)number]);
  }
  return 0;
}
int main(void) {
  pthread_t threads[2];
  sem_init(&turns[0], 0, 1);
  sem_init(&turns[1], 0, 0);
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
";
    let source = ("cc", "turns.c");
    let Some(folder) = compiled("turns", source, &["-O1", "-pthread"], text) else { return };
    assert!(recorded(&folder, &[]).status.success());
    let rows = rows(&folder);
    let threads = rows.iter().filter(|[kind, _, size, _]| kind == "store" && size == "4");
    let threads: Vec<_> = threads.map(|[.., thread]| thread.as_str()).collect();
    assert_eq!(threads.len(), 1000);
    for pair in threads.windows(2) {
        assert_ne!(pair[0], pair[1]);
    }
}

#[test]
fn every_operator_new_and_every_aligned_block_has_a_name() {
    let text = "
#include <cstdlib>
#include <malloc.h>
#include <new>
static volatile char *all[4];
int main() {
  all[0] = static_cast<char *>(valloc(5000));
  all[1] = static_cast<char *>(pvalloc(5000));
  all[2] = static_cast<char *>(::operator new(5000, std::align_val_t(64), std::nothrow));
  all[3] = static_cast<char *>(::operator new[](5000, std::align_val_t(64), std::nothrow));
  // The program must live until its map is read: more accesses than a ring has entries.
  for (auto *one : all) for (int i = 0; i < 50000; i++) one[i % 5000] = 1;
}
";
    let options = ["-g", "-O1", "-std=c++17"];
    let Some(folder) = compiled("new", ("c++", "new.cpp"), &options, text) else { return };
    assert!(recorded(&folder, &[]).status.success());
    let trace = folder.join("prog.pagewalk");
    let regions = printed(&format!("run -c intel-skylake -t {} --by object", trace.display()));
    for line in 7..=10 {
        assert!(regions.contains(&format!("new.cpp:{line}")), "{line}: {regions}");
    }
}

/// The handler leaves the clock of the runtime, which has made the ring busy, and comes back at another depth of the stack.
#[test]
fn a_signal_handler_that_jumps_out_of_the_runtime_loses_nothing_later() {
    let text = "
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <time.h>
static sigjmp_buf back;
static volatile sig_atomic_t is_armed;
static volatile int bytes[1000];
static volatile char deep;
#define RAW __attribute__((no_sanitize(\"thread\"))) __attribute__((no_sanitize_thread))
RAW static void jump(int number) { (void)number; siglongjmp(back, 1); }
int __clock_gettime(clockid_t, struct timespec *);
RAW int clock_gettime(clockid_t id, struct timespec *time) {
  (void)id;
  if (is_armed) { is_armed = 0; raise(SIGUSR1); }
  static long n;
  time->tv_sec = 0;
  time->tv_nsec = ++n;
  return 0;
}
static void *one_access(void *none) { deep = 1; return none; }
__attribute__((noinline)) static void touch(int depth) {
  if (depth > 0) { touch(depth - 1); deep = 1; return; }
  for (int i = 0; i < 100000; i++) bytes[i % 1000] = i;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, one_access, 0);
  pthread_join(thread, 0);
  signal(SIGUSR1, jump);
  for (int round = 0; round < 20; round++) {
    if (sigsetjmp(back, 1) == 0) {
      is_armed = 1;
      for (int i = 0; i < 1000000; i++) deep = 1;
      return 1;
    }
    touch(round);
  }
}
";
    let source = ("cc", "jump.c");
    let options = ["-O1", "-pthread"];
    let Some(folder) = compiled("jump", source, &options, text) else { return };
    let output = recorded(&folder, &["--with", "cc"]);
    assert!(output.status.success(), "{}", shown(&output));
    let counts = counts(&folder, false);
    // With the 20 stores that arm the handler.
    assert!(counts.contains("store  4: 2000020\n"), "{counts}{}", shown(&output));
}

#[test]
fn a_program_in_another_pid_namespace_is_refused() {
    let text = "
static volatile char bytes[50];
int main(void) { for (int i = 0; i < 1000; i++) bytes[i % 50] = i; }
";
    let Some(folder) = compiled("elsewhere", ("cc", "main.c"), &["-O1"], text) else { return };
    let words = ["unshare", "--user", "--map-root-user", "--pid", "--fork"];
    let can = Command::new(words[0]).args(&words[1..]).arg("true").status();
    if !can.is_ok_and(|status| status.success()) {
        return;
    }
    let output = recorded(&folder, &[["--with", "cc"].as_slice(), &words, &["./prog"]].concat());
    let said = shown(&output);
    assert!(said.contains("another PID namespace") && said.contains("exit Some(1)"), "{said}");
    assert!(!folder.join("prog.pagewalk").exists());
}

/// `kill -INT` reaches `record` alone, also if it runs in the foreground of a terminal.
#[test]
fn ctrl_c_that_only_record_gets_ends_the_program_and_keeps_its_trace() {
    // The program says when it has made its accesses.
    let text = "
#include <fcntl.h>
#include <unistd.h>
static volatile char bytes[50];
int main(void) {
  for (int i = 0; i < 100000; i++) bytes[i % 50] = i;
  creat(\"made\", 0600);
  for (;;) pause();
}
";
    let Some(folder) = compiled("interrupted", ("cc", "main.c"), &["-O1"], text) else { return };
    // `script` makes a terminal. Its shell prints the number of `record`, which runs in its place.
    let record = format!("{} record -o prog.pagewalk -- ./prog", env!("CARGO_BIN_EXE_pagewalk"));
    let inner = format!("echo $$ > pid; exec {record}");
    let script = Command::new("script")
        .args(["-qec", &inner, "/dev/null"])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn();
    let Ok(mut script) = script else { return };
    let pid =
        wait_for(|| fs::read_to_string(folder.join("pid")).ok().filter(|text| !text.is_empty()));
    wait_for(|| folder.join("made").exists().then_some(()));
    succeed(Command::new("kill").args(["-INT", pid.trim()]));
    let ended = wait_for(|| script.try_wait().unwrap());
    assert_eq!(ended.code(), Some(130));
    assert_eq!(counts(&folder, false), "store  1: 100000\n");
}

/// The exit code is that of the program, which does not say how the process ended that it left behind. A shell lets such
/// processes ignore Ctrl-C, but not `kill`.
#[test]
fn a_signal_for_a_process_that_outlives_the_program_leaves_a_partial_trace() {
    let text = "
#include <fcntl.h>
#include <unistd.h>
static volatile char bytes[50];
int main(void) {
  usleep(300000);
  for (int i = 0; i < 1000; i++) bytes[i % 50] = i;
  creat(\"made\", 0600);
  for (;;) pause();
}
";
    let source = ("cc", "main.c");
    let Some(folder) = compiled("left-behind", source, &["-O1"], text) else { return };
    let words = ["--with", "cc", "-o", "prog.pagewalk", "--", "sh", "-c", "./prog & exit 3"];
    let mut record = pagewalk(["record"]);
    let child = record.args(words).current_dir(&folder).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(|| folder.join("made").exists().then_some(()));
    succeed(Command::new("kill").args(["-TERM", &child.id().to_string()]));
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("stopped before the program ended"), "{said}");
    assert_eq!(counts(&folder, false), "store  1: 1000\n");
}

/// Waits until a value is there, at most a minute: a slow computer is no error.
fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..1200 {
        if let Some(found) = look() {
            return found;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("it does not end");
}
