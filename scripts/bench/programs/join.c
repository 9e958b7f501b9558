// Joins n tuples with twice as many: builds a table of chains, and looks up each key.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
struct tuple { uint64_t key; uint64_t value; };
struct node { uint64_t key; uint64_t value; struct node *next; };
static uint64_t x = 88172645463325252ull;
static uint64_t rnd(void) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; return x; }
int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], 0, 0) : 1000000, m = 2 * n;
  size_t mask = 1; while (mask < n) mask <<= 1; mask--;
  struct tuple *r = malloc(n * sizeof *r), *s = malloc(m * sizeof *s);
  struct node **buckets = calloc(mask + 1, sizeof *buckets);
  struct node *pool = malloc(n * sizeof *pool);
  for (size_t i = 0; i < n; i++) { r[i].key = rnd() % n; r[i].value = i; }
  for (size_t i = 0; i < m; i++) { s[i].key = rnd() % n; s[i].value = i; }
  for (size_t i = 0; i < n; i++) {
    size_t h = (r[i].key * 0x9e3779b97f4a7c15ull) >> 20 & mask;
    pool[i].key = r[i].key; pool[i].value = r[i].value;
    pool[i].next = buckets[h]; buckets[h] = &pool[i];
  }
  uint64_t sum = 0, found = 0;
  for (size_t i = 0; i < m; i++) {
    size_t h = (s[i].key * 0x9e3779b97f4a7c15ull) >> 20 & mask;
    for (struct node *p = buckets[h]; p; p = p->next)
      if (p->key == s[i].key) { sum += p->value + s[i].value; found++; }
  }
  printf("%lu %lu\n", found, sum);
}
