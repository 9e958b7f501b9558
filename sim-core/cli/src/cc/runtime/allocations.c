/* Functions that allocate and free memory: the recorder names a block by the place that allocates it, until it is freed. */
#include <malloc.h>

#define BLOCK_OF(name, parameters, arguments, bytes)                       \
  void *__real_##name parameters REAL;                                     \
  void *__wrap_##name parameters {                                         \
    void *block = __real_##name arguments;                                 \
    allocated(block, bytes, HERE);                                         \
    return block;                                                          \
  }

/* A program that never calls one need not link it. */
#define REAL __attribute__((weak))
BLOCK_OF(malloc, (size_t bytes), (bytes), bytes)
BLOCK_OF(calloc, (size_t n, size_t bytes), (n, bytes), n *bytes)
BLOCK_OF(aligned_alloc, (size_t at, size_t bytes), (at, bytes), bytes)
BLOCK_OF(strdup, (const char *text), (text), block ? strlen(block) + 1 : 0)
BLOCK_OF(strndup, (const char *text, size_t most), (text, most), block ? strlen(block) + 1 : 0)

BLOCK_OF(memalign, (size_t at, size_t bytes), (at, bytes), bytes)
BLOCK_OF(valloc, (size_t bytes), (bytes), bytes)
BLOCK_OF(pvalloc, (size_t bytes), (bytes), bytes)

/* The old block may move, which frees it. If there is no room, it stays. */
#define MOVED_OF(name, parameters, arguments, bytes)                       \
  void *__real_##name parameters REAL;                                     \
  void *__wrap_##name parameters {                                         \
    freed(old);                                                            \
    void *block = __real_##name arguments;                                 \
    if (!block && old && bytes)                                            \
      allocated(old, malloc_usable_size(old), HERE);                       \
    allocated(block, bytes, HERE);                                         \
    return block;                                                          \
  }
MOVED_OF(realloc, (void *old, size_t bytes), (old, bytes), bytes)
MOVED_OF(reallocarray, (void *old, size_t n, size_t bytes), (old, n, bytes), n *bytes)

int __real_posix_memalign(void **, size_t, size_t) REAL;
int __wrap_posix_memalign(void **block, size_t at, size_t bytes) {
  int error = __real_posix_memalign(block, at, bytes);
  if (error == 0) allocated(*block, bytes, HERE);
  return error;
}

/* operator new and operator new[]: plain, without exceptions, aligned, and both */
BLOCK_OF(_Znwm, (size_t bytes), (bytes), bytes)
BLOCK_OF(_Znam, (size_t bytes), (bytes), bytes)
BLOCK_OF(_ZnwmRKSt9nothrow_t, (size_t bytes, void *tag), (bytes, tag), bytes)
BLOCK_OF(_ZnamRKSt9nothrow_t, (size_t bytes, void *tag), (bytes, tag), bytes)
BLOCK_OF(_ZnwmSt11align_val_t, (size_t bytes, size_t at), (bytes, at), bytes)
BLOCK_OF(_ZnamSt11align_val_t, (size_t bytes, size_t at), (bytes, at), bytes)
BLOCK_OF(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t bytes, size_t at, void *tag), (bytes, at, tag), bytes)
BLOCK_OF(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t bytes, size_t at, void *tag), (bytes, at, tag), bytes)

#define FREED_OF(name, parameters, arguments)                              \
  void __real_##name parameters REAL;                                      \
  void __wrap_##name parameters {                                          \
    freed(block);                                                          \
    __real_##name arguments;                                               \
  }
FREED_OF(free, (void *block), (block))

/* operator delete and operator delete[]: plain, with a size, with an alignment, and both */
FREED_OF(_ZdlPv, (void *block), (block))
FREED_OF(_ZdaPv, (void *block), (block))
FREED_OF(_ZdlPvm, (void *block, size_t bytes), (block, bytes))
FREED_OF(_ZdaPvm, (void *block, size_t bytes), (block, bytes))
FREED_OF(_ZdlPvSt11align_val_t, (void *block, size_t at), (block, at))
FREED_OF(_ZdaPvSt11align_val_t, (void *block, size_t at), (block, at))
FREED_OF(_ZdlPvmSt11align_val_t, (void *block, size_t bytes, size_t at), (block, bytes, at))
FREED_OF(_ZdaPvmSt11align_val_t, (void *block, size_t bytes, size_t at), (block, bytes, at))
