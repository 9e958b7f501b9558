/* Writes the calls of functions into the ring of the calling thread. */

/* Tells the recorder the calls that it does not have. */
static void tell_calls(struct ring *r) {
  if (!calls.is_other) return;
  uint32_t end = calls.depth < CALLS ? calls.depth : CALLS;
  if (calls.same >= end) put(r, end, 0, LEAVE);
  for (uint32_t n = calls.same; n < end; n++) put(r, n, calls.all[n].ip, ENTER);
  calls.is_other = 0;
}

static inline __attribute__((always_inline)) void call(uint32_t n, uint64_t ip, unsigned code) {
  struct ring *r = mine;
  uint64_t *at, tag;
  do {
    tag = r->tag;
    at = r->at;
    if (unlikely(at >= r->end || calls.is_other)) {
      if (unlikely(r->busy)) take_back(r, PLACE);
      differ(n);
      return;
    }
  } while (unlikely(!take(r, at)));
  fill(at, tag, n, ip, code);
  calls.told++;
}

/* Makes room for the calls of this thread, if it can be recorded. The destructor of `key` gives it back. */
static __attribute__((noinline)) int make_room(void) {
  if (!shared || has_ended) return 0;
  int error = errno;
  void *at = mmap(0, CALLS_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at != MAP_FAILED) {
    calls.all = at;
    pthread_setspecific(key, (void *)(uintptr_t)PTHREAD_DESTRUCTOR_ITERATIONS);
  }
  errno = error;
  return at != MAP_FAILED;
}

void __tsan_func_entry(void *caller) {
  (void)caller;
  if (unlikely(!calls.all) && !make_room()) return;
  uintptr_t frame = (uintptr_t)__builtin_dwarf_cfa();
  uint32_t n = calls.depth, kept = n < CALLS ? n : CALLS;
  /* Functions that longjmp has left have their frames below this one, or here. */
  while (unlikely(kept > 0 && calls.all[kept - 1].frame <= frame)) n = --kept;
  calls.depth = n + 1;
  if (unlikely(n >= CALLS)) return;
  calls.all[n].frame = frame;
  calls.all[n].ip = (uint64_t)HERE;
  call(n, (uint64_t)HERE, ENTER);
}

void __tsan_func_exit(void) {
  uint32_t n = calls.depth;
  if (unlikely(n == 0)) return;
  calls.depth = --n;
  if (unlikely(n >= CALLS)) return;
  call(n, 0, LEAVE);
}
