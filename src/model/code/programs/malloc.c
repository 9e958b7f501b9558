// Lists of many requests, built at the same time, with one malloc for each node.
// Look at the line that sums up a list: its nodes lie between those of all other lists.
#include <stdio.h>
#include <stdlib.h>

#define LISTS 1000 // 100..2000
#define NODES 100

struct node {
  struct node *next;
  long value;
};

static struct node *lists[LISTS];

static struct node *make(int list) {
  (void)list;
  return malloc(sizeof(struct node));
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
