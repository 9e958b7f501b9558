/* Reports the heap blocks of a program to valgrind, whose log has them in order with the accesses. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>
#include <valgrind/valgrind.h>

#ifndef __GLIBC__
#error "only glibc has these names"
#endif
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);
extern size_t malloc_usable_size(void *);

#define REPORT(how, block, bytes)                                              \
  VALGRIND_PRINTF("pagewalk " how " %lx %lx %lx\n", (unsigned long)(block),    \
                  (unsigned long)(bytes),                                      \
                  (unsigned long)__builtin_return_address(0))

#define OF_THREAD static __thread __attribute__((tls_model("initial-exec")))
OF_THREAD int is_searching;
OF_THREAD int is_in_new;

/* Finds the function that the program calls without this library. Its `free` belongs to it: the C library's, or another
   allocator's. The search itself may allocate, and then gets the spare function. */
static void *next(void **known, const char *name, void *spare) {
  void *found = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (found)
    return found;
  if (is_searching)
    return spare;
  is_searching = 1;
  found = dlsym(RTLD_NEXT, name);
  is_searching = 0;
  if (!found)
    found = spare;
  __atomic_store_n(known, found, __ATOMIC_RELAXED);
  return found;
}

#define NEXT(name, spare)                                                      \
  ({                                                                           \
    static void *known;                                                        \
    (__typeof__(&name)) next(&known, #name, (void *)(spare));                  \
  })

/* Returns whether `new` makes this call. The library then reports the block as one of `new`. */
static int is_inner(void) {
  int is = is_in_new;
  is_in_new = 0;
  return is;
}

void *malloc(size_t bytes) {
  int inner = is_inner();
  void *block = NEXT(malloc, __libc_malloc)(bytes);
  if (!inner)
    REPORT("malloc", block, bytes);
  return block;
}

void *calloc(size_t n, size_t bytes) {
  int inner = is_inner();
  void *block = NEXT(calloc, __libc_calloc)(n, bytes);
  if (block && !inner)
    REPORT("calloc", block, n * bytes);
  return block;
}

/* The report comes first, because another thread may get the memory at once. */
void free(void *block) {
  if (block)
    VALGRIND_PRINTF("pagewalk free %lx\n", (unsigned long)block);
  NEXT(free, __libc_free)(block);
}

/* The old block may move, which frees it. If there is no room, it stays. */
void *realloc(void *old, size_t bytes) {
  if (old)
    VALGRIND_PRINTF("pagewalk free %lx\n", (unsigned long)old);
  void *block = NEXT(realloc, __libc_realloc)(old, bytes);
  if (block)
    REPORT("realloc", block, bytes);
  else if (old && bytes)
    REPORT("realloc", old, malloc_usable_size(old));
  return block;
}

void *memalign(size_t alignment, size_t bytes) {
  int inner = is_inner();
  void *block = NEXT(memalign, __libc_memalign)(alignment, bytes);
  if (!inner)
    REPORT("memalign", block, bytes);
  return block;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  int inner = is_inner();
  void *block = NEXT(aligned_alloc, __libc_memalign)(alignment, bytes);
  if (!inner)
    REPORT("aligned_alloc", block, bytes);
  return block;
}

int posix_memalign(void **block, size_t alignment, size_t bytes) {
  int inner = is_inner();
  __typeof__(&posix_memalign) real = NEXT(posix_memalign, NULL);
  int error = real ? real(block, alignment, bytes) : ENOMEM;
  if (!error && !inner)
    REPORT("posix_memalign", *block, bytes);
  return error;
}

/* `new` and `new[]` of C++. Without memory, the real one throws. A library that was loaded later may have it where the
   search does not find it. */
#define NEW(name)                                                              \
  void *name(size_t bytes) {                                                   \
    int inner = is_in_new;                                                     \
    void *(*real)(size_t) = NEXT(name, NULL);                                  \
    is_in_new = 1;                                                             \
    void *block =                                                              \
        real ? real(bytes) : NEXT(malloc, __libc_malloc)(bytes ? bytes : 1);   \
    is_in_new = 0;                                                             \
    if (!inner)                                                                \
      REPORT("new", block, bytes);                                             \
    return block;                                                              \
  }
void *_Znwm(size_t);
void *_Znam(size_t);
NEW(_Znwm)
NEW(_Znam)
