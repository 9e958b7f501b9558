//! Recorded programs with libraries, with descendants that outlive their parent, with huge pages, and with timed waits.

use crate::compiled::{compiled, recorded, rows};
use crate::support::json;

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
    let run = format!("run -c intel-skylake -t {} --json", folder.join("prog.pagewalk").display());
    let regions = json(&run)["regions"].to_string();
    for line in 7..=10 {
        assert!(regions.contains(&format!("new.cpp:{line}")), "{line}: {regions}");
    }
}
