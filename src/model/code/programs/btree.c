// A search tree whose nodes have the size of a page: 4 KiB, with up to 63 keys and values each.
// Look at the search: three nodes, and so at most three pages, for each key.
#include <stdio.h>
#include <stdlib.h>

#define KEYS 150000 // 20000..300000
#define SEARCHES 30000
#define WIDTH 63

struct node {
  int n, is_leaf;
  int key[WIDTH];
  char value[WIDTH][52];
  struct node *child[WIDTH + 1];
};

static unsigned next_random(void) {
  static unsigned state = 3;
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

// Builds the tree of the keys 2 × low to 2 × (high − 1).
static struct node *build(int low, int high) {
  struct node *node = aligned_alloc(4096, sizeof *node);
  int n = high - low;
  node->is_leaf = n <= WIDTH;
  node->n = n <= WIDTH ? n : n / (WIDTH + 1) < WIDTH ? n / (WIDTH + 1) : WIDTH;
  int before = low;
  for (int i = 0; i < node->n; i++) {
    int at = node->is_leaf ? low + i : low + (int)((long long)n * (i + 1) / (node->n + 1));
    node->key[i] = 2 * at;
    if (!node->is_leaf) {
      node->child[i] = build(before, at);
      before = at + 1;
    }
  }
  if (!node->is_leaf)
    node->child[node->n] = build(before, high);
  return node;
}

static int contains(const struct node *node, int key) {
  for (;;) {
    int low = 0, high = node->n;
    while (low < high) {
      int middle = (low + high) / 2;
      if (node->key[middle] < key)
        low = middle + 1;
      else
        high = middle;
    }
    if (low < node->n && node->key[low] == key)
      return 1;
    if (node->is_leaf)
      return 0;
    node = node->child[low];
  }
}

int main(void) {
  struct node *root = build(0, KEYS);
  int found = 0;
  for (int i = 0; i < SEARCHES; i++)
    found += contains(root, next_random() % (2 * KEYS));
  printf("%d of %d keys found\n", found, SEARCHES);
  return 0;
}
