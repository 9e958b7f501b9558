/* The hooks that a compiler calls with -fsanitize=thread, in the place of the sanitizer's. */

#define ACCESS(name, code)                                                 \
  void __tsan_##name(void *at) { note((uint64_t)at, HERE, code); }         \
  void __tsan_##name##_pc(void *at, void *ip) { note((uint64_t)at, ip, code); }
#define BOTH(name, load, store)                                            \
  void __tsan_##name(void *at) {                                           \
    note((uint64_t)at, HERE, load);                                        \
    note((uint64_t)at, HERE, store);                                       \
  }
#define SIZE(bytes, log)                                                   \
  ACCESS(read##bytes, LOAD + log)                                          \
  ACCESS(write##bytes, STORE + log)                                        \
  ACCESS(volatile_read##bytes, LOAD + log)                                 \
  ACCESS(volatile_write##bytes, STORE + log)                               \
  ACCESS(unaligned_read##bytes, LOAD + log)                                \
  ACCESS(unaligned_write##bytes, STORE + log)                              \
  ACCESS(unaligned_volatile_read##bytes, LOAD + log)                       \
  ACCESS(unaligned_volatile_write##bytes, STORE + log)                     \
  BOTH(read_write##bytes, LOAD + log, STORE + log)                         \
  BOTH(unaligned_read_write##bytes, LOAD + log, STORE + log)

SIZE(1, 0)
SIZE(2, 1)
SIZE(4, 2)
SIZE(8, 3)
SIZE(16, 4)

void __tsan_vptr_read(void **at) { note((uint64_t)at, HERE, LOAD + 3); }
void __tsan_vptr_update(void **at, void *value) {
  (void)value;
  note((uint64_t)at, HERE, STORE + 3);
}

void __tsan_init(void) {}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}
void __tsan_acquire(void *at) { (void)at; }
void __tsan_release(void *at) { (void)at; }

/* Ranges: objects that are copied, and the functions of the C library. */

static void range(const void *at, uint64_t bytes, const void *ip, unsigned code) {
  if (bytes == 0 || !atomic_load_explicit(&is_on, memory_order_relaxed)) return;
  uint64_t rest[2] = {bytes, 0};
  checked((uint64_t)at, (uint64_t)ip, code, rest, PLACE);
}

/* gcc announces the ranges of an assignment, and may then call memcpy or memset for it. */
struct announced {
  const void *loads, *stores;
  uint64_t loaded, stored;
  uintptr_t ip;
};
static __thread struct announced last __attribute__((tls_model("initial-exec")));
/* The most bytes of code between such calls. */
#define NEAR 128

static int is_announced(const void *to, const void *from, uint64_t bytes, const void *ip) {
  int is = last.stores == to && last.stored == bytes && (uintptr_t)ip - last.ip < NEAR &&
           (!from || (last.loads == from && last.loaded == bytes));
  last.stores = last.loads = 0;
  return is;
}

void __tsan_read_range(void *at, unsigned long bytes) {
  range(at, bytes, HERE, LOADS);
  last.loads = at;
  last.loaded = bytes;
  last.ip = (uintptr_t)HERE;
}
void __tsan_write_range(void *at, unsigned long bytes) {
  range(at, bytes, HERE, STORES);
  last.stores = at;
  last.stored = bytes;
  last.ip = (uintptr_t)HERE;
}
void __tsan_read_range_pc(void *at, unsigned long bytes, void *ip) { range(at, bytes, ip, LOADS); }
void __tsan_write_range_pc(void *at, unsigned long bytes, void *ip) { range(at, bytes, ip, STORES); }

static void copied(void *to, const void *from, uint64_t bytes, const void *ip) {
  /* A static program copies before its threads have memory of their own. */
  if (!atomic_load_explicit(&is_on, memory_order_relaxed)) return;
  if (is_announced(to, from, bytes, ip) || bytes == 0) return;
  uint64_t rest[2] = {bytes, (uint64_t)from};
  checked((uint64_t)to, (uint64_t)ip, COPY, rest, PLACE);
}
static void filled(void *to, uint64_t bytes, const void *ip) {
  if (!atomic_load_explicit(&is_on, memory_order_relaxed)) return;
  if (!is_announced(to, 0, bytes, ip)) range(to, bytes, ip, STORES);
}

#define COPIES(name, real)                                                 \
  void *name(void *to, const void *from, size_t bytes) {                   \
    copied(to, from, bytes, HERE);                                         \
    return real(to, from, bytes);                                          \
  }
#define FILLS(name, real)                                                  \
  void *name(void *to, int byte, size_t bytes) {                           \
    filled(to, bytes, HERE);                                               \
    return real(to, byte, bytes);                                          \
  }
void *__real_memcpy(void *, const void *, size_t);
void *__real_memmove(void *, const void *, size_t);
void *__real_memset(void *, int, size_t);
COPIES(__wrap_memcpy, __real_memcpy)
COPIES(__wrap_memmove, __real_memmove)
FILLS(__wrap_memset, __real_memset)
COPIES(__tsan_memcpy, __real_memcpy)
COPIES(__tsan_memmove, __real_memmove)
FILLS(__tsan_memset, __real_memset)
