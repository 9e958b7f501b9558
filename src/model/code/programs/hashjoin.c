// A hash join: the small table goes into a hash table, the large one probes it.
// Look at the lines of build and probe: a hash goes to any page of the table.
#include <stdio.h>
#include <stdlib.h>

#define SMALL 10000 // 1000..50000
#define LARGE 20000
#define BUCKETS 65536

struct row {
  unsigned key, value;
};

static unsigned next_random(void) {
  static unsigned state = 7;
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

static unsigned hash(unsigned key) {
  return (key * 2654435761u >> 9) % BUCKETS;
}

static struct row *make(int n) {
  struct row *rows = malloc(n * sizeof *rows);
  for (int i = 0; i < n; i++)
    rows[i] = (struct row){next_random() % SMALL, i};
  return rows;
}

int main(void) {
  struct row *small = make(SMALL), *large = make(LARGE);
  int *heads = calloc(BUCKETS, sizeof *heads);
  int *chain = calloc(SMALL + 1, sizeof *chain);
  for (int i = 0; i < SMALL; i++) {
    unsigned h = hash(small[i].key);
    chain[i + 1] = heads[h];
    heads[h] = i + 1;
  }
  long pairs = 0;
  for (int i = 0; i < LARGE; i++)
    for (int at = heads[hash(large[i].key)]; at; at = chain[at])
      pairs += small[at - 1].key == large[i].key;
  printf("%ld pairs\n", pairs);
  return 0;
}
