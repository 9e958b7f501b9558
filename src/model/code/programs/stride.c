// Eight pages that lie 16 pages apart: on Skylake-SP, all of them belong into one set of the first level.
// Look at the L1 misses of the load: eight pages miss each time, in a TLB of 64 entries.
#include <stdio.h>

#define PAGE 4096
#define STEP 16 // 1..32
#define PAGES 8
#define ROUNDS 20000

static char a[32 * PAGES * PAGE] __attribute__((aligned(65536)));

int main(void) {
  for (int i = 0; i < PAGES; i++)
    a[i * STEP * PAGE] = i;
  long sum = 0;
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < PAGES; i++)
      sum += ((volatile char *)a)[i * STEP * PAGE];
  printf("sum: %ld\n", sum);
  return 0;
}
