/* The runtime of programs that `pagewalk cc` compiled, in one file for the compiler. */
#include "ring.c"
#include "calls.c"
#include "hooks.c"
#include "atomics.c"
#include "allocations.c"
