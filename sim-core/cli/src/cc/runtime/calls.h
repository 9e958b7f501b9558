/* The calls that led to where a thread is. The recorder knows them, or is told before the next access. */

/* One call more than the recorder keeps, so that it notices deeper ones. */
#define CALLS 257

struct call {
  uintptr_t frame; /* where the stack was when the function began */
  uint64_t ip;     /* an instruction of the function */
};

struct calls {
  struct call *all;  /* the first CALLS; none before the thread calls a function that is recorded */
  uint32_t depth;    /* all calls */
  uint32_t same;     /* if the recorder has others: the number of the outermost calls that it has right */
  uint32_t is_other; /* whether the recorder has other calls than these */
  uint64_t told;     /* entries of calls since the accesses of the window were counted */
};
/* The calls are not thread-local themselves: dlopen has little room for such variables of a library. */
#define CALLS_BYTES (CALLS * sizeof(struct call))

static __thread struct calls calls __attribute__((tls_model("initial-exec")));

/* The recorder has `n` calls right, or fewer. */
static inline void differ(uint32_t n) {
  if (!calls.is_other || calls.same > n) calls.same = n;
  calls.is_other = 1;
}
