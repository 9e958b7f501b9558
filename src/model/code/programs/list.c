// A linked list whose nodes are linked in the order of their allocation.
// Look at the line of the sum: neighbours in the list share a page.
#include <stdio.h>
#include <stdlib.h>

#define N 120000 // 10000..200000
#define SHUFFLED 0

struct node {
  struct node *next;
  long value;
  char more[112];
};

static struct node *order[N];

static unsigned next_random(void) {
  static unsigned state = 1;
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

static struct node *make(void) {
  for (int i = 0; i < N; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = i;
    order[i] = node;
  }
  for (int i = N - 1; SHUFFLED && i > 0; i--) {
    int j = next_random() % (i + 1);
    struct node *other = order[j];
    order[j] = order[i];
    order[i] = other;
  }
  for (int i = 0; i < N; i++)
    order[i]->next = i + 1 < N ? order[i + 1] : NULL;
  return order[0];
}

int main(void) {
  struct node *first = make();
  long long sum = 0;
  for (int round = 0; round < 2; round++)
    for (struct node *at = first; at; at = at->next)
      sum += at->value;
  printf("sum: %lld\n", sum);
  return 0;
}
