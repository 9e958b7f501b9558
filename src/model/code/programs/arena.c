// The same lists, each with an arena: one block of memory for all of its nodes.
// Look at the line that sums up a list: its nodes are next to each other.
#include <stdio.h>
#include <stdlib.h>

#define LISTS 1000 // 100..2000
#define NODES 100

struct node {
  struct node *next;
  long value;
};

static struct node *lists[LISTS];

static struct node *arenas[LISTS];
static int used[LISTS];

static struct node *make(int list) {
  if (!arenas[list])
    arenas[list] = malloc(NODES * sizeof(struct node));
  return &arenas[list][used[list]++];
}

int main(void) {
  for (int i = 0; i < NODES; i++)
    for (int list = 0; list < LISTS; list++) {
      struct node *node = make(list);
      node->value = i;
      node->next = lists[list];
      lists[list] = node;
    }
  long sum = 0;
  for (int list = 0; list < LISTS; list++)
    for (struct node *at = lists[list]; at; at = at->next)
      sum += at->value;
  printf("sum: %ld\n", sum);
  return 0;
}
