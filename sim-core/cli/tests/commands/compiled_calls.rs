//! The calls that led to the accesses of programs that `pagewalk cc` compiles. Without a C compiler, nothing is tested.

use expect_test::expect;

use crate::compiled::{compiled, recorded, shown};
use crate::support::printed;

const CALLS: &str = "
#include <pthread.h>
#include <setjmp.h>
#include <unistd.h>
static volatile long cells[1000];
static jmp_buf place;
__attribute__((noinline)) long probe(int i) { return cells[i]; }
__attribute__((noinline)) long join(int n) {
  long sum = 0;
  for (int i = 0; i < n; i++) sum += probe(i);
  cells[0] = sum;
  return sum;
}
__attribute__((noinline)) void give_up(void) {
  cells[1] = 1;
  longjmp(place, 1);
}
__attribute__((noinline)) void go_on(void) { cells[1] = 2; }
__attribute__((noinline)) long nest(int n) {
  long below = n > 0 ? nest(n - 1) : 0;
  return below + cells[n];
}
void *work(void *of) {
  cells[2] = join(3);
  return 0;
}
int main(void) {
  long sum = join(10);
  cells[3] = sum;
  if (!setjmp(place)) give_up();
  go_on();
  sum += join(20);
  sum += nest(2);
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  cells[4] = sum;
  // The recorder looks at the memory map from time to time.
  usleep(500000);
  return 0;
}
";

/// Each access counts for the function that makes it, also after longjmp and in another thread.
#[test]
fn accesses_have_the_calls_that_led_to_them() {
    let options = ["-O1", "-g", "-fno-inline"];
    let Some(folder) = compiled("calls", ("cc", "calls.c"), &options, CALLS) else { return };
    let output = recorded(&folder, &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let trace = folder.join("prog.pagewalk");
    let line = format!("run -c intel-skylake -t {} --by stack --folded accesses", trace.display());
    let mut lines: Vec<String> = printed(&line).lines().map(str::to_owned).collect();
    lines.sort();
    expect![[r"
        main 3
        main;give_up 1
        main;go_on 1
        main;join 2
        main;join;probe 30
        main;nest 1
        main;nest;nest 1
        main;nest;nest;nest 1
        work 1
        work;join 1
        work;join;probe 3"]]
    .assert_eq(&lines.join("\n"));
}

const DEEP: &str = "
static volatile int cell;
__attribute__((noinline)) int nest(int n) { return n == 0 ? cell : nest(n - 1) + cell; }
int main(void) { return nest(999) == 0 ? 0 : 1; }
";

#[test]
fn deep_calls_count_for_the_deepest_that_is_kept() {
    let options = ["-O1", "-fno-optimize-sibling-calls"];
    let Some(folder) = compiled("deep", ("cc", "deep.c"), &options, DEEP) else { return };
    let output = recorded(&folder, &[]);
    let warned = shown(&output);
    assert!(warned.contains("Functions deeper than 256 calls"), "{warned}");
    let trace = folder.join("prog.pagewalk");
    let line = format!("run -c intel-skylake -t {} --by stack --folded accesses", trace.display());
    let text = printed(&line);
    let deepest = text.lines().max_by_key(|line| line.matches(';').count()).unwrap();
    assert_eq!(deepest.matches(';').count(), 255);
    assert!(deepest.ends_with(" 746"), "{deepest}");
}
