// The sum of the same matrix, column after column.
// Look at the line of the sum: each number is on another page than the one before.
#include <stdio.h>

#define N 2048 // 256..2048

static double m[N][N];

static void fill(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      m[i][j] = i - j;
}

static double sum(void) {
  double s = 0;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      s += m[i][j];
  return s;
}

int main(void) {
  fill();
  printf("sum by columns: %g\n", sum());
  return 0;
}
