/* Writes entries into the ring of the calling thread. */
#define _GNU_SOURCE
#include "ring.h"
#include "calls.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* `pagewalk record` looks for this text in a program. */
__attribute__((used)) static const char mark[] = "pagewalk hooks, version 1";

#define HERE __builtin_extract_return_addr(__builtin_return_address(0))
/* Where the function that uses it has its return address on the stack. */
#define PLACE ((uintptr_t)__builtin_dwarf_cfa() - sizeof(void *))
#define unlikely(x) __builtin_expect(x, 0)
#define IP_BITS 56
#define IP(ip) ((uint64_t)(ip) & (((uint64_t)1 << IP_BITS) - 1))
/* Entries that a thread writes before it looks at the clock again. */
#define STRETCH 256
#define LAP ((uint64_t)1 << 63)

/* The ring of threads that have none: it is full. */
static struct ring none;
static __thread struct ring *mine __attribute__((tls_model("initial-exec"))) = &none;
/* After its last destructor, a thread gets no ring again. Nor does a signal handler while the thread claims one. */
static __thread char has_ended __attribute__((tls_model("initial-exec")));
/* The signals, all below number 65, that were blocked before the thread began to wait for the recorder. */
static __thread uint64_t held __attribute__((tls_model("initial-exec")));
static __thread char holds __attribute__((tls_model("initial-exec")));
/* Whether the thread could be cancelled before that. */
static __thread int cancel_state __attribute__((tls_model("initial-exec")));
static struct shared *shared;
static _Atomic int is_on;
static _Atomic int has_threads;
static _Atomic int is_alone;
static pthread_key_t key;

/* The section that pagewalk.h makes. Without it, recording begins at the start of the program. */
extern const char __start_pagewalk_later[] __attribute__((weak));

static struct ring *ring(unsigned number) {
  return (struct ring *)((char *)shared + RINGS_AT) + number;
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static int has_room(struct ring *r) {
  return (uint8_t)(r->entered - atomic_load(&r->read)) < SEGMENTS_IN_USE;
}

union signals {
  sigset_t set;
  uint64_t first;
};

/* Holds signals back until the ring is ready again: their handlers could write nothing. An access is no place where a
   thread may be cancelled, but the wait for the recorder is one. */
static void hold_signals(void) {
  sigset_t all;
  union signals before;
  sigfillset(&all);
  if (holds || pthread_sigmask(SIG_BLOCK, &all, &before.set) != 0) return;
  held = before.first;
  holds = 1;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
}

/* Waits until the recorder has read a segment. If the recorder is gone, the program goes on alone. */
static int await_recorder(struct ring *r) {
  if (has_room(r)) return 1;
  hold_signals();
  for (unsigned n = 1; !has_room(r); n++) {
    struct timespec time = {0, 50000};
    nanosleep(&time, 0);
    if (n % 1024 == 0 && kill(shared->recorder, 0) != 0 && errno == ESRCH) {
      atomic_store(&is_on, 0);
      atomic_store(&is_alone, 1);
    }
    if (atomic_load(&is_alone)) return 0;
  }
  return 1;
}

/* Makes room for an entry. */
static int enter(struct ring *r) {
  if (!await_recorder(r)) return 0;
  if ((char *)r->limit == (char *)r->base + RING_BYTES) {
    r->tag ^= LAP;
    r->limit = r->base;
    __atomic_store_n(&r->at, r->base, __ATOMIC_RELEASE);
  }
  r->limit += SEGMENT / sizeof(uint64_t);
  r->entered++;
  return 1;
}

/* Fills the place of an entry. Its lap is written last. */
static inline __attribute__((always_inline)) void fill(uint64_t *at, uint64_t tag, uint64_t word,
                                                       uint64_t ip, unsigned code) {
  at[0] = word;
  __atomic_store_n(&at[1], IP(ip) | (uint64_t)code << IP_BITS | tag, __ATOMIC_RELEASE);
}

static void put(struct ring *r, uint64_t word, uint64_t ip, unsigned code) {
  if (unlikely(r->at >= r->limit) && !enter(r)) return;
  uint64_t *at = r->at;
  fill(at, r->tag, word, ip, code);
  __atomic_store_n(&r->at, at + 2, __ATOMIC_RELEASE);
}

static void tell_calls(struct ring *r);

/* Takes the place of an entry, unless a signal handler has moved `at` since it was read. A single instruction is
   enough: no other thread writes `at`. */
static inline __attribute__((always_inline)) int take(struct ring *r, uint64_t *at) {
#ifdef __x86_64__
  char is_taken;
  uint64_t *seen = at;
  __asm__ volatile("cmpxchgq %3, %1"
                   : "=@ccz"(is_taken), "+m"(r->at), "+a"(seen)
                   : "r"(at + 2)
                   : "memory");
  return is_taken;
#else
  return __atomic_compare_exchange_n(&r->at, &at, at + 2, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
}

/* Makes the next access of each thread a checked one. */
static void check_all(void) {
  for (unsigned n = 0; n < atomic_load(&shared->rings); n++)
    __atomic_store_n(&ring(n)->end, 0, __ATOMIC_SEQ_CST);
}

/* A signal handler that jumped away from here would leave a ring that nobody uses. */
static void claim_held(void);
static void claim(void) {
  sigset_t all, before;
  sigfillset(&all);
  int is_held = pthread_sigmask(SIG_BLOCK, &all, &before) == 0;
  claim_held();
  if (is_held) pthread_sigmask(SIG_SETMASK, &before, 0);
}

static void claim_held(void) {
  has_ended = 1;
  for (unsigned n = 0; n < RINGS; n++) {
    struct ring *r = ring(n);
    uint8_t unused = 0;
    if (!atomic_compare_exchange_strong(&r->used, &unused, 1)) continue;
    if (!r->base) {
      r->base = (uint64_t *)((char *)shared + ENTRIES_AT + n * RING_BYTES);
      r->at = r->limit = r->base;
      r->tag = LAP;
    }
    r->left = shared->keep;
    r->skip = 0;
    r->from = r->at;
    uint32_t known = atomic_load(&shared->rings);
    while (known < n + 1 && !atomic_compare_exchange_weak(&shared->rings, &known, n + 1)) {}
    uint32_t thread = atomic_fetch_add(&shared->threads, 1) + 1;
    if (thread > 1) {
      atomic_store(&has_threads, 1);
      check_all();
    }
    put(r, now(), 0, TIME);
    put(r, thread, 0, THREAD);
    pthread_setspecific(key, (void *)(uintptr_t)PTHREAD_DESTRUCTOR_ITERATIONS);
    mine = r;
    has_ended = 0;
    return;
  }
}

static void repair(struct ring *r);

static void release(void *rounds) {
  uintptr_t left = (uintptr_t)rounds - 1;
  /* Other destructors may still access memory. */
  if (left > 1 && pthread_setspecific(key, (void *)left) == 0) return;
  struct ring *r = mine;
  has_ended = 1;
  mine = &none;
  struct call *kept = calls.all;
  calls.all = 0;
  calls.depth = 0;
  if (kept) munmap(kept, CALLS_BYTES);
  if (r == &none) return;
  /* A signal handler may have ended the thread in the middle of an entry. */
  if (r->busy) repair(r);
  r->end = 0;
  atomic_store(&r->used, 0);
}

/* Brings the ring back to a state between two entries. The number of segments was written last, so the rest follows from
   it. */
static void repair(struct ring *r) {
  uint8_t segment = r->entered - 1;
  uint64_t *start = r->base + (uint64_t)(segment % SEGMENTS) * (SEGMENT / sizeof(uint64_t));
  r->tag = segment / SEGMENTS % 2 ? 0 : LAP;
  r->limit = start + SEGMENT / sizeof(uint64_t);
  if (r->at < start || r->at > r->limit) __atomic_store_n(&r->at, r->limit, __ATOMIC_RELEASE);
  r->from = r->at;
  r->end = 0;
  calls.told = 0;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  r->busy = 0;
}

/* Returns whether a signal handler has left the hook that made the ring busy, by siglongjmp: the stack is above it again,
   or another function has been called in its place. Handlers on a stack of their own are somewhere else. */
static int is_left(struct ring *r, uintptr_t here) {
#ifdef __x86_64__
  if (here < r->owner) return *(volatile uintptr_t *)r->owner != r->returns;
#else
  if (here < r->owner) return 0;
#endif
  stack_t other;
  if (sigaltstack(0, &other) != 0 || !(other.ss_flags & SS_ONSTACK)) return 1;
  return r->owner - (uintptr_t)other.ss_sp < other.ss_size;
}

/* Takes back a ring that a signal handler has left busy. */
static __attribute__((noinline)) void take_back(struct ring *r, uintptr_t here) {
  int error = errno;
  if (is_left(r, here)) repair(r);
  errno = error;
}

/* Returns the ring of this thread, ready for entries, or null. `here` is the place of the hook. */
static struct ring *begin(uintptr_t here) {
  if (!shared || atomic_load_explicit(&is_alone, memory_order_relaxed)) return 0;
  if (unlikely(mine == &none)) {
    if (!has_ended) claim();
    if (mine == &none) {
      atomic_fetch_add(&shared->lost, 1);
      return 0;
    }
  }
  struct ring *r = mine;
  if (unlikely(r->busy)) take_back(r, here);
  if (r->busy) {
    atomic_fetch_add(&shared->lost, 1);
    return 0;
  }
  r->owner = here;
  r->returns = *(volatile uintptr_t *)here;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  r->busy = 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  /* A signal handler may have used the ring in between. */
  r->owner = here;
  r->returns = *(volatile uintptr_t *)here;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  /* The accesses of a signal handler are checked from here on, find the ring busy, and are counted as lost. */
  r->until = r->end;
  __atomic_store_n(&r->end, 0, __ATOMIC_SEQ_CST);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (shared->of) {
    uint64_t n = (uint64_t)(r->at - r->from) / 2 - calls.told;
    calls.told = 0;
    r->left -= n < r->left ? n : r->left;
  }
  return r;
}

/* Decides up to where accesses need no check. */
static void finish(struct ring *r) {
  if ((!shared->of || r->left) && atomic_load_explicit(&is_on, memory_order_relaxed)) tell_calls(r);
  uint64_t *end = r->limit;
  int threads = atomic_load(&has_threads);
  if (threads && end > r->at + 2 * STRETCH) end = r->at + 2 * STRETCH;
  if (shared->of && r->left < (uint64_t)(end - r->at) / 2) end = r->at + 2 * r->left;
  r->from = r->at;
  __atomic_store_n(&r->end, end, __ATOMIC_SEQ_CST);
  if (!atomic_load(&is_on) || threads != atomic_load(&has_threads)) r->end = 0;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  r->busy = 0;
  if (unlikely(holds)) {
    holds = 0;
    pthread_setcancelstate(cancel_state, 0);
    union signals before;
    sigemptyset(&before.set);
    before.first = held;
    pthread_sigmask(SIG_SETMASK, &before.set, 0);
  }
}

/* Says when the next entries are written, so that they can be ordered among those of other threads. */
static void stamp(struct ring *r) {
  if (atomic_load_explicit(&has_threads, memory_order_relaxed)) put(r, now(), 0, TIME);
}

/* Returns whether the window leaves this access out. */
static int is_left_out(struct ring *r) {
  if (!shared->of) return 0;
  if (r->left == 0 && r->skip == 0) r->skip = shared->of - shared->keep;
  if (r->skip == 0) {
    r->left--;
    return 0;
  }
  if (--r->skip == 0) r->left = shared->keep;
  return 1;
}

/* Writes an access, and the rest of it if it has one. */
static __attribute__((noinline)) void checked(uint64_t word, uint64_t ip, unsigned code,
                                              const uint64_t *rest, uintptr_t place) {
  int error = errno;
  struct ring *r = begin(place);
  if (!r) return;
  if (!is_left_out(r)) {
    if (r->at >= r->until) stamp(r);
    tell_calls(r);
    put(r, word, ip, code);
    if (rest) put(r, rest[0], rest[1], REST);
  }
  finish(r);
  errno = error;
}

static inline __attribute__((always_inline)) void note(uint64_t word, const void *ip, unsigned code) {
  struct ring *r = mine;
  uint64_t *at, tag;
  do {
    tag = r->tag;
    at = r->at;
    if (unlikely(at >= r->end)) {
      if (atomic_load_explicit(&is_on, memory_order_relaxed)) checked(word, (uint64_t)ip, code, 0, PLACE);
      return;
    }
  } while (unlikely(!take(r, at)));
  fill(at, tag, word, (uint64_t)ip, code);
}

/* Says that what other threads did before may be seen from here on. */
static void acquired(void) {
  if (!atomic_load_explicit(&has_threads, memory_order_relaxed) || !atomic_load(&is_on)) return;
  int error = errno;
  struct ring *r = begin(PLACE);
  if (!r) return;
  stamp(r);
  finish(r);
  errno = error;
}

/* Writes that memory was allocated, also while nothing is recorded: it may be accessed later. The time orders it after
   the thread that freed the memory. */
static void allocated(const void *block, uint64_t bytes, const void *ip) {
  if (!shared || !block) return;
  int error = errno;
  struct ring *r = begin(PLACE);
  if (!r) return;
  stamp(r);
  put(r, (uint64_t)block, (uint64_t)ip, BLOCK);
  put(r, bytes, 0, REST);
  finish(r);
  errno = error;
}

/* Writes that a block is about to be freed: before, because another thread may get the memory at once. */
static void freed(const void *block) {
  if (!shared || !block) return;
  int error = errno;
  struct ring *r = begin(PLACE);
  if (!r) return;
  stamp(r);
  put(r, (uint64_t)block, 0, FREED);
  finish(r);
  errno = error;
}

void pagewalk_runtime_start(void) {
  if (shared) atomic_store(&is_on, 1);
}

void pagewalk_runtime_stop(void) {
  if (!shared) return;
  atomic_store(&is_on, 0);
  check_all();
}

/* The child of a fork runs on unrecorded. */
static void forked(void) {
  if (shared) atomic_fetch_add(&shared->forks, 1);
  atomic_store(&is_on, 0);
  mine = &none;
  shared = 0;
}

static struct shared *mapped(int file) {
  struct shared head;
  if (pread(file, &head, sizeof head, 0) != sizeof head) return 0;
  if (memcmp(&head.magic, "PWRING01", 8) != 0) return 0;
  void *at = mmap(0, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  return at == MAP_FAILED ? 0 : at;
}

/* A library has a runtime of its own, and begins first. Its hooks and this function are those of the program, if that has
   a runtime, too: `weak` keeps the compiler from calling its own. */
__attribute__((weak)) void pagewalk_runtime_begin(void) {
  const char *text = getenv("PAGEWALK_RING");
  if (!text || shared) return;
  int file = atoi(text);
  unsetenv("PAGEWALK_RING");
  struct shared *found = mapped(file);
  if (!found) return;
  close(file);
  /* The recorder would take the number of this process for that of another one. */
  struct stat own;
  if (found->space && stat("/proc/self/ns/pid", &own) == 0 && own.st_ino != found->space) {
    atomic_fetch_add(&found->elsewhere, 1);
    munmap(found, SHARED_BYTES);
    return;
  }
  uint32_t nobody = 0;
  if (found->version != VERSION || pthread_key_create(&key, release) != 0 ||
      !atomic_compare_exchange_strong(&found->process, &nobody, (uint32_t)getpid())) {
    munmap(found, SHARED_BYTES);
    return;
  }
  pthread_atfork(0, 0, forked);
  shared = found;
  shared->later = __start_pagewalk_later != 0;
  atomic_store(&is_on, !shared->later);
  /* The main thread gets the number 1. */
  claim();
}

__attribute__((constructor(101))) static void begin_program(void) { pagewalk_runtime_begin(); }
