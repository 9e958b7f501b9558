// A transposition in tiles: a is read by rows, b is written by columns.
// Look at the L1 misses of the copy: a tile needs 32 pages of b, and they stay in the TLB.
#include <stdio.h>

#define N 512 // 128..1024
#define TILE 32 // 1..512

static double a[N][N], b[N][N];

static void fill(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i * 3 + j;
}

static void transpose(void) {
  for (int i0 = 0; i0 < N; i0 += TILE)
    for (int j0 = 0; j0 < N; j0 += TILE)
      for (int i = i0; i < i0 + TILE && i < N; i++)
        for (int j = j0; j < j0 + TILE && j < N; j++)
          b[j][i] = a[i][j];
}

int main(void) {
  fill();
  transpose();
  printf("b[3][5] = %g, b[5][3] = %g\n", b[3][5], b[5][3]);
  return 0;
}
