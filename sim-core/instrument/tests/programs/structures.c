// A program with a global array, a list on the heap, and a table from calloc.
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

static double matrix[16][32];
int counter;

static struct node *push(struct node *head, int value) {
  struct node *made = malloc(sizeof(struct node));
  made->next = head;
  made->value = value;
  return made;
}

int main(void) {
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 32; j++)
      matrix[i][j] = i + j;

  struct node *head = NULL;
  for (int i = 0; i < 10; i++)
    head = push(head, i);

  int *table = calloc(100, sizeof(int));
  for (struct node *at = head; at; at = at->next) {
    counter++;
    table[at->value * 10] = counter;
  }

  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  printf("%d %g\n", table[90], matrix[15][31]);
  free(table);
  return 0;
}
