// An array of structs: each particle has 64 bytes, and the loop needs 8 of them.
// Look at the line of the sum: a page holds 64 particles.
#include <stdio.h>

#define N 400000 // 10000..800000

struct particle {
  double x, y, z, mass;
  double vx, vy, vz, charge;
};

static struct particle particles[N];

int main(void) {
  for (int i = 0; i < N; i++)
    particles[i].mass = i % 7;
  double sum = 0;
  for (int round = 0; round < 5; round++)
    for (int i = 0; i < N; i++)
      sum += particles[i].mass;
  printf("mass: %g\n", sum / 5);
  return 0;
}
