// A struct of arrays: each field of the particles has an array of its own.
// Look at the line of the sum: a page holds 512 masses, so there is an eighth of the L1 misses.
#include <stdio.h>

#define N 400000 // 10000..800000

static struct {
  double x[N], y[N], z[N], mass[N];
  double vx[N], vy[N], vz[N], charge[N];
} particles;

int main(void) {
  for (int i = 0; i < N; i++)
    particles.mass[i] = i % 7;
  double sum = 0;
  for (int round = 0; round < 5; round++)
    for (int i = 0; i < N; i++)
      sum += particles.mass[i];
  printf("mass: %g\n", sum / 5);
  return 0;
}
