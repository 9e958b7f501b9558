/* Atomic operations. They are done in the strongest order, and before what they saw is written. */
#define ATOMICS(bits, log, type)                                           \
  type __tsan_atomic##bits##_load(const volatile type *at, int order) {    \
    (void)order;                                                           \
    type value = LOADED(at);                                               \
    acquired();                                                            \
    note((uint64_t)at, HERE, LOAD + log);                                  \
    return value;                                                          \
  }                                                                        \
  void __tsan_atomic##bits##_store(volatile type *at, type value, int order) { \
    (void)order;                                                           \
    note((uint64_t)at, HERE, STORE + log);                                 \
    STORED(at, value);                                                     \
  }                                                                        \
  MODIFY(bits, log, type, exchange, value)                                 \
  MODIFY(bits, log, type, fetch_add, old + value)                          \
  MODIFY(bits, log, type, fetch_sub, old - value)                          \
  MODIFY(bits, log, type, fetch_and, old &value)                           \
  MODIFY(bits, log, type, fetch_or, old | value)                           \
  MODIFY(bits, log, type, fetch_xor, old ^ value)                          \
  MODIFY(bits, log, type, fetch_nand, ~(old & value))                      \
  type __tsan_atomic##bits##_compare_exchange_val(                         \
      volatile type *at, type expected, type value, int order, int other) { \
    (void)order, (void)other;                                              \
    type seen = __sync_val_compare_and_swap(at, expected, value);          \
    acquired();                                                            \
    note((uint64_t)at, HERE, LOAD + log);                                  \
    if (seen == expected) note((uint64_t)at, HERE, STORE + log);           \
    return seen;                                                           \
  }                                                                        \
  EXCHANGES(bits, log, type, strong)                                       \
  EXCHANGES(bits, log, type, weak)

#define EXCHANGES(bits, log, type, strength)                               \
  int __tsan_atomic##bits##_compare_exchange_##strength(                   \
      volatile type *at, type *expected, type value, int order, int other) { \
    (void)order, (void)other;                                              \
    type seen = __sync_val_compare_and_swap(at, *expected, value);         \
    int is_done = seen == *expected;                                       \
    acquired();                                                            \
    note((uint64_t)at, HERE, LOAD + log);                                  \
    if (is_done) note((uint64_t)at, HERE, STORE + log);                    \
    *expected = seen;                                                      \
    return is_done;                                                        \
  }

#define MODIFY(bits, log, type, name, result)                              \
  type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) { \
    (void)order;                                                           \
    type old = *at, seen;                                                  \
    while ((seen = __sync_val_compare_and_swap(at, old, (type)(result))) != old) old = seen; \
    acquired();                                                            \
    note((uint64_t)at, HERE, LOAD + log);                                  \
    note((uint64_t)at, HERE, STORE + log);                                 \
    return old;                                                            \
  }

#define LOADED(at) __atomic_load_n(at, __ATOMIC_SEQ_CST)
#define STORED(at, value) __atomic_store_n(at, value, __ATOMIC_SEQ_CST)
ATOMICS(8, 0, uint8_t)
ATOMICS(16, 1, uint16_t)
ATOMICS(32, 2, uint32_t)
ATOMICS(64, 3, uint64_t)

#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
#undef LOADED
#undef STORED
#define LOADED(at) __sync_val_compare_and_swap((volatile wide *)at, 0, 0)
#define STORED(at, value)                                                  \
  for (wide old = *at, seen; (seen = __sync_val_compare_and_swap(at, old, value)) != old;) old = seen
typedef unsigned __int128 wide;
ATOMICS(128, 4, wide)
#endif

void __tsan_atomic_thread_fence(int order) {
  (void)order;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  acquired();
}
void __tsan_atomic_signal_fence(int order) {
  (void)order;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Functions after which a thread may see what others did. */
#define ACQUIRES(type, name, parameters, arguments)                        \
  type __real_##name parameters __attribute__((weak));                     \
  type __wrap_##name parameters {                                          \
    type result = __real_##name arguments;                                 \
    acquired();                                                            \
    return result;                                                         \
  }
#define WAITS(name, parameters, arguments)                                 \
  void __real_##name parameters __attribute__((weak));                     \
  void __wrap_##name parameters {                                          \
    __real_##name arguments;                                               \
    acquired();                                                            \
  }
#define OF_ONE(name) ACQUIRES(int, name, (void *one), (one))
#define OF_TWO(name) ACQUIRES(int, name, (void *one, void *two), (one, two))
#define OF_THREE(name) ACQUIRES(int, name, (void *one, void *two, void *three), (one, two, three))
#define OF_FOUR(name) \
  ACQUIRES(int, name, (void *one, void *two, void *three, void *four), (one, two, three, four))
OF_ONE(pthread_mutex_lock)
OF_ONE(pthread_mutex_trylock)
OF_TWO(pthread_mutex_timedlock)
OF_THREE(pthread_mutex_clocklock)
OF_ONE(pthread_rwlock_rdlock)
OF_ONE(pthread_rwlock_tryrdlock)
OF_TWO(pthread_rwlock_timedrdlock)
OF_THREE(pthread_rwlock_clockrdlock)
OF_ONE(pthread_rwlock_wrlock)
OF_ONE(pthread_rwlock_trywrlock)
OF_TWO(pthread_rwlock_timedwrlock)
OF_THREE(pthread_rwlock_clockwrlock)
OF_ONE(pthread_spin_lock)
OF_ONE(pthread_spin_trylock)
OF_ONE(pthread_barrier_wait)
OF_TWO(pthread_cond_wait)
OF_THREE(pthread_cond_timedwait)
OF_FOUR(pthread_cond_clockwait)
OF_TWO(pthread_join)
OF_TWO(pthread_once)
OF_ONE(sem_wait)
OF_ONE(sem_trywait)
OF_TWO(sem_timedwait)
OF_THREE(sem_clockwait)
OF_ONE(mtx_lock)
OF_ONE(mtx_trylock)
OF_TWO(mtx_timedlock)
OF_TWO(cnd_wait)
OF_THREE(cnd_timedwait)
OF_TWO(thrd_join)
/* std::thread::join, std::condition_variable::wait and the guards of static variables */
WAITS(_ZNSt6thread4joinEv, (void *one), (one))
WAITS(_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE, (void *one, void *two), (one, two))
OF_ONE(__cxa_guard_acquire)
