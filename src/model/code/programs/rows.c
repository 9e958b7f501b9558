// The sum of a matrix, row after row: the order in which C stores it.
// Look at the line of the sum: one walk serves the 512 numbers of a page.
#include <stdio.h>

#define ROWS 2048 // 256, 512, 1024, 1536, 2048, 4096
#define COLUMNS 512

static double m[ROWS][COLUMNS];

static void fill(void) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      m[i][j] = i - j;
}

static double sum(void) {
  double s = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      s += m[i][j];
  return s;
}

int main(void) {
  fill();
  printf("sum by rows: %g\n", sum());
  return 0;
}
