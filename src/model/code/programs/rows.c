// The sum of a matrix, row after row: the order in which C stores it.
// Look at the line of the sum: one walk serves the 512 numbers of a page.
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
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      s += m[i][j];
  return s;
}

int main(void) {
  fill();
  printf("sum by rows: %g\n", sum());
  return 0;
}
