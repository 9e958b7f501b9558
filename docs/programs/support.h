/* What the programs of docs/proof.md share: a clock, memory at a multiple of 2M, and the huge pages that the kernel gave. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#ifdef PAGEWALK
#include <pagewalk.h>
#else
#define pagewalk_start()
#define pagewalk_stop()
#endif

#define HUGE ((size_t)2 << 20)
#define MIX 0xff51afd7ed558ccdULL

/* Returns the processor time of all threads in seconds. */
static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline uint64_t mix(uint64_t x) {
  x ^= x >> 33;
  x *= MIX;
  return x ^ x >> 33;
}

/* A size rounded up to a multiple of 2M. */
#define WHOLE_PAGES(bytes) (((bytes) + HUGE - 1) & ~(HUGE - 1))

static inline void check(const void *memory) {
  if (memory) return;
  fprintf(stderr, "no memory\n");
  exit(1);
}

static inline void print_huge(void) {
  FILE *f = fopen("/proc/self/smaps_rollup", "r");
  char line[256];
  while (f && fgets(line, sizeof line, f))
    if (!strncmp(line, "AnonHugePages", 13)) fputs(line, stderr);
  if (f) fclose(f);
}
