// The same join by sorting both tables and merging them.
// Look at the sort: it has many more accesses than the hash join, and each pass goes through memory in order.
#include <stdio.h>
#include <stdlib.h>

#define SMALL 10000 // 1000..50000
#define LARGE 20000

struct row {
  unsigned key, value;
};

static unsigned next_random(void) {
  static unsigned state = 7;
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

static struct row *make(int n) {
  struct row *rows = malloc(n * sizeof *rows);
  for (int i = 0; i < n; i++)
    rows[i] = (struct row){next_random() % SMALL, i};
  return rows;
}

static struct row *sorted(struct row *from, int n) {
  struct row *to = malloc(n * sizeof *to);
  for (int width = 1; width < n; width *= 2) {
    for (int low = 0; low < n; low += 2 * width) {
      int middle = low + width < n ? low + width : n;
      int high = low + 2 * width < n ? low + 2 * width : n;
      for (int i = low, j = middle, k = low; k < high; k++)
        to[k] = i < middle && (j >= high || from[i].key <= from[j].key)
                    ? from[i++]
                    : from[j++];
    }
    struct row *other = from;
    from = to;
    to = other;
  }
  return from;
}

int main(void) {
  struct row *small = sorted(make(SMALL), SMALL);
  struct row *large = sorted(make(LARGE), LARGE);
  long pairs = 0;
  for (int i = 0, first = 0; i < LARGE; i++) {
    while (first < SMALL && small[first].key < large[i].key)
      first++;
    for (int j = first; j < SMALL && small[j].key == large[i].key; j++)
      pairs++;
  }
  printf("%ld pairs\n", pairs);
  return 0;
}
