/* A merge sort of pointers to records, as a library sorts rows.
   sort RECORDS [madvise] */
#include "support.h"

typedef struct {
  uint64_t key;
  char text[56];
} Row;

static void merge(Row **a, Row **b, size_t n) {
  size_t mid = n / 2, i = 0, j = mid, k = 0;
  while (i < mid && j < n) b[k++] = a[i]->key <= a[j]->key ? a[i++] : a[j++];
  while (i < mid) b[k++] = a[i++];
  while (j < n) b[k++] = a[j++];
  for (k = 0; k < n; k++) a[k] = b[k];
}

static void sort(Row **a, Row **b, size_t n) {
  if (n < 2) return;
  sort(a, b, n / 2);
  sort(a + n / 2, b, n - n / 2);
  merge(a, b, n);
}

int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], 0, 10) : 200000;
  Row *rows = aligned_alloc(HUGE, WHOLE_PAGES(n * sizeof *rows));
  Row **order = aligned_alloc(HUGE, WHOLE_PAGES(n * sizeof *order));
  Row **spare = aligned_alloc(HUGE, WHOLE_PAGES(n * sizeof *spare));
  check(rows), check(order), check(spare);
  if (argc > 2) madvise(rows, n * sizeof *rows, MADV_HUGEPAGE);
  double begin = now();
  for (size_t i = 0; i < n; i++) {
    rows[i].key = mix(i);
    order[i] = &rows[i];
  }
  double touched = now();
  pagewalk_start();
  sort(order, spare, n);
  pagewalk_stop();
  double end = now();
  printf("%lu\n", n ? order[n / 2]->key : 0);
  fprintf(stderr, "touch %.3f sort %.3f\n", touched - begin, end - touched);
  print_huge();
}
