// The same keys in a binary tree: one key in each node.
// Look at the search: up to 18 nodes for each key, in any order of pages.
#include <stdio.h>

#define KEYS 150000 // 20000..300000
#define SEARCHES 30000

struct node {
  int key;
  char value[52];
  struct node *left, *right;
};

static struct node nodes[KEYS], *order[KEYS];

static unsigned next_random(void) {
  static unsigned state = 3;
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

// As after many insertions, the place of a node says nothing about its key.
static void make(void) {
  for (int i = 0; i < KEYS; i++)
    order[i] = &nodes[i];
  unsigned state = 9;
  for (int i = KEYS - 1; i > 0; i--) {
    state = state * 1664525u + 1013904223u;
    int j = (state >> 8) % (i + 1);
    struct node *other = order[j];
    order[j] = order[i];
    order[i] = other;
  }
}

static struct node *build(int low, int high) {
  if (low >= high)
    return NULL;
  int middle = (low + high) / 2;
  struct node *node = order[middle];
  node->key = 2 * middle;
  node->left = build(low, middle);
  node->right = build(middle + 1, high);
  return node;
}

static int contains(const struct node *node, int key) {
  while (node && node->key != key)
    node = key < node->key ? node->left : node->right;
  return node != NULL;
}

int main(void) {
  make();
  struct node *root = build(0, KEYS);
  int found = 0;
  for (int i = 0; i < SEARCHES; i++)
    found += contains(root, next_random() % (2 * KEYS));
  printf("%d of %d keys found\n", found, SEARCHES);
  return 0;
}
