// The same eight pages, 17 pages apart: each belongs into another set.
// Look at the L1 misses: the load has none, because the line before it has touched the eight pages.
#include <stdio.h>

#define PAGE 4096
#define STEP 17 // 1..32
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
