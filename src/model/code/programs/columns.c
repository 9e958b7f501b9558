// The sum of the same matrix, column after column.
// Look at the line of the sum: each number is on another page than the one before.
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
  for (int j = 0; j < COLUMNS; j++)
    for (int i = 0; i < ROWS; i++)
      s += m[i][j];
  return s;
}

int main(void) {
  fill();
  printf("sum by columns: %g\n", sum());
  return 0;
}
