/* Reports the heap blocks of a program to valgrind, whose log has them in order with the accesses. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
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

void *malloc(size_t bytes) {
  void *block = __libc_malloc(bytes);
  REPORT("malloc", block, bytes);
  return block;
}

void *calloc(size_t n, size_t bytes) {
  void *block = __libc_calloc(n, bytes);
  if (block)
    REPORT("calloc", block, n * bytes);
  return block;
}

/* The report comes first, because another thread may get the memory at once. */
void free(void *block) {
  if (block)
    VALGRIND_PRINTF("pagewalk free %lx\n", (unsigned long)block);
  __libc_free(block);
}

/* The old block may move, which frees it. If there is no room, it stays. */
void *realloc(void *old, size_t bytes) {
  if (old)
    VALGRIND_PRINTF("pagewalk free %lx\n", (unsigned long)old);
  void *block = __libc_realloc(old, bytes);
  if (block)
    REPORT("realloc", block, bytes);
  else if (old && bytes)
    REPORT("realloc", old, malloc_usable_size(old));
  return block;
}

void *memalign(size_t alignment, size_t bytes) {
  void *block = __libc_memalign(alignment, bytes);
  REPORT("memalign", block, bytes);
  return block;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  void *block = __libc_memalign(alignment, bytes);
  REPORT("aligned_alloc", block, bytes);
  return block;
}

int posix_memalign(void **block, size_t alignment, size_t bytes) {
  if (alignment % sizeof(void *) || alignment & (alignment - 1) || !alignment)
    return EINVAL;
  void *made = __libc_memalign(alignment, bytes);
  if (!made)
    return ENOMEM;
  REPORT("posix_memalign", made, bytes);
  *block = made;
  return 0;
}

/* `new` and `new[]` of C++. Without memory, the real one throws. */
void *_Znwm(size_t bytes) {
  void *block = __libc_malloc(bytes ? bytes : 1);
  if (!block) {
    void *(*real)(size_t) = (void *(*)(size_t))dlsym(RTLD_NEXT, "_Znwm");
    return real(bytes);
  }
  REPORT("new", block, bytes);
  return block;
}

void *_Znam(size_t bytes) {
  void *block = __libc_malloc(bytes ? bytes : 1);
  if (!block) {
    void *(*real)(size_t) = (void *(*)(size_t))dlsym(RTLD_NEXT, "_Znam");
    return real(bytes);
  }
  REPORT("new", block, bytes);
  return block;
}
