//! Exact counts: of programs that fill their rings many times, alone, with threads and with signal handlers, and of copies.

use std::path::Path;
use std::process::Output;

use crate::compiled::{compiled, compiled_by, recorded};
use crate::support::json;

/// The accesses of a recording, and those that it says are missing.
fn tally(folder: &Path, output: &Output) -> (u64, u64) {
    let report = json(&format!("import {} --json", folder.join("prog.pagewalk").display()));
    let text = String::from_utf8_lossy(&output.stderr).replace(',', "");
    let missing = text.lines().find(|line| line.contains(" missing: signal handlers"));
    let lost = missing.map_or(0, |line| line.split(' ').nth(1).unwrap().parse().unwrap());
    assert_eq!(report["part"].as_bool().unwrap_or(false), lost > 0, "{text}");
    (report["accesses"].as_u64().unwrap(), lost)
}

/// Records a program with each compiler. `counts` gets what it prints, its accesses, and those that are missing.
fn check(name: &str, text: &str, counts: impl Fn(&[u64], u64, u64)) {
    for compiler in ["gcc", "clang"] {
        let name = format!("{name}-{compiler}");
        let options = ["-O1", "-pthread"];
        let Some(folder) = compiled_by(compiler, &name, ("cc", "prog.c"), &options, text) else {
            continue;
        };
        let output = recorded(&folder, &[]);
        assert!(output.status.success(), "{output:?}");
        let printed = String::from_utf8_lossy(&output.stdout);
        let printed: Vec<u64> = printed.split_whitespace().map(|n| n.parse().unwrap()).collect();
        let (accesses, lost) = tally(&folder, &output);
        counts(&printed, accesses, lost);
    }
}

#[test]
fn no_access_is_lost_when_the_rings_are_filled_many_times() {
    let text = "
#include <pthread.h>
static volatile long own[4][512];
static void *work(void *number) {
  for (int i = 0; i < N; i++) own[(long)number][i % 512] = i;
  return 0;
}
int main(void) {
  pthread_t threads[4];
  for (long i = 1; i < THREADS; i++) pthread_create(&threads[i], 0, work, (void *)i);
  work(0);
  for (int i = 1; i < THREADS; i++) pthread_join(threads[i], 0);
}
";
    for threads in [1, 4] {
        let n = 3_000_000 / threads;
        let text = format!("#define N {n}\n#define THREADS {threads}\n{text}");
        // main reads the number of each thread to join it.
        let expected = threads * n + (threads - 1);
        check(&format!("full-{threads}"), &text, |_, accesses, lost| {
            assert_eq!((accesses, lost), (expected, 0));
        });
    }
}

#[test]
fn the_accesses_of_signal_handlers_are_recorded_or_counted_as_missing() {
    // A handler that accesses more bytes than a ring has entries.
    let text = "
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
static volatile char bytes[1000], other[100000];
static volatile int runs;
static void handle(int signal) {
  for (int i = 0; i < 100000; i++) other[i] = i;
  runs++;
}
static const struct itimerval often = {{0, 20000}, {0, 20000}}, never;
int main(void) {
  long rounds = 0;
  signal(SIGALRM, handle);
  setitimer(ITIMER_REAL, &often, 0);
  do {
    for (int i = 0; i < 20000; i++) bytes[i % 1000] = i;
    rounds++;
  } while (runs < 30);
  setitimer(ITIMER_REAL, &never, 0);
  printf(\"%ld %d\\n\", rounds, runs);
}
";
    check("signals", text, |printed, accesses, lost| {
        let [rounds, runs] = printed else { panic!("{printed:?}") };
        // Each round reads the number of runs, each run changes it, and main prints it.
        assert_eq!(accesses + lost, rounds * 20_001 + runs * 100_002 + 1);
        assert!(lost < runs * 100_002 / 4, "{lost} of {runs} runs are missing");
    });
}

/// The functions that check the room at their destination have no hooks.
#[test]
fn copies_are_recorded_in_a_fortified_program() {
    let text = "
#include <string.h>
static _Alignas(64) char from[6400];
static _Alignas(64) char to[6400];
int main(int n, char **words) {
  volatile unsigned long bytes = 6400 + (words == 0);
  memcpy(to, from, bytes);
  memmove(from, to, bytes);
  memset(to, n, bytes);
}
";
    for how in ["-D_FORTIFY_SOURCE=2", "-Wp,-D_FORTIFY_SOURCE=2", "-U_FORTIFY_SOURCE"] {
        let options = ["-O1", how];
        let Some(folder) = compiled("fortified", ("cc", "prog.c"), &options, text) else { return };
        let output = recorded(&folder, &[]);
        // 100 lines are loaded and stored, then again, then stored.
        assert_eq!(tally(&folder, &output), (500, 0), "{how}");
    }
}

#[test]
fn a_thread_is_not_cancelled_while_it_waits_for_the_recorder() {
    // Each round has more accesses than a ring has entries.
    let text = "
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int all[1000];
static _Atomic int n_begun;
static void *work(void *none) {
  for (;;) {
    pthread_mutex_lock(&lock);
    n_begun++;
    for (int i = 0; i < 200000; i++) all[i % 1000] = i;
    pthread_mutex_unlock(&lock);
    pthread_testcancel();
  }
  return none;
}
int main(void) {
  int n_held = 0;
  for (int i = 0; i < 20; i++) {
    pthread_t thread;
    n_begun = 0;
    pthread_create(&thread, 0, work, 0);
    while (n_begun < 2) {}
    pthread_cancel(thread);
    pthread_join(thread, 0);
    if (pthread_mutex_trylock(&lock)) n_held++, pthread_mutex_init(&lock, 0);
    else pthread_mutex_unlock(&lock);
  }
  printf(\"%d\\n\", n_held);
}
";
    check("cancelled", text, |printed, _, lost| assert_eq!((printed, lost), (&[0][..], 0)));
}
