// Sorts n lines of text by merging.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static uint64_t x = 88172645463325252ull;
static uint64_t rnd(void) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; return x; }
static int less(const char *a, const char *b) { while (*a && *a == *b) a++, b++; return *a < *b; }
static void sort(char **v, char **t, size_t n) {
  if (n < 2) return;
  size_t h = n / 2; sort(v, t, h); sort(v + h, t, n - h);
  memcpy(t, v, n * sizeof *v);
  size_t i = 0, j = h, k = 0;
  while (i < h && j < n) { if (less(t[j], t[i])) v[k++] = t[j++]; else v[k++] = t[i++]; }
  while (i < h) v[k++] = t[i++];
  while (j < n) v[k++] = t[j++];
}
int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], 0, 0) : 500000;
  char **v = malloc(n * sizeof *v), **t = malloc(n * sizeof *t);
  for (size_t i = 0; i < n; i++) { v[i] = malloc(24); for (int k = 0; k < 20; k++) v[i][k] = 'a' + rnd() % 26; v[i][20] = 0; }
  sort(v, t, n);
  printf("%s %s\n", v[0], v[n - 1]);
}
