/* The memory that a program shares with `pagewalk record`: a header, then a ring of entries for each thread. The
   recorder reads it as a file, and maps nothing.

   entry   word 0   an address, or a number
           word 1   lap:1 code:7 instruction pointer:56

   The lap bit changes each time that the writer passes the end of a ring. So the recorder sees whether an entry is there:
   a thread takes its place first, and a signal handler may write others before it is filled. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define RINGS 1024
#define SEGMENT (128u << 10)
#define SEGMENTS 8
#define RING_BYTES ((uint64_t)SEGMENT * SEGMENTS)
/* Segments that may be in use. With all, a full ring would look like an empty one. */
#define SEGMENTS_IN_USE 7
#define RINGS_AT 256
#define ENTRIES_AT ((uint64_t)512 << 10)
#define SHARED_BYTES (ENTRIES_AT + RINGS * RING_BYTES)
#define VERSION 1

/* Codes of entries. */
enum {
  LOAD = 1, /* plus log2 of the size in bytes, up to 16 */
  STORE = 8,
  LOADS = 16,  /* of as many bytes as the next entry says */
  STORES = 17, /* of as many bytes as the next entry says */
  COPY = 18,   /* from the address in the next entry */
  REST = 19,   /* word 0: bytes; instruction pointer: another address */
  TIME = 20,   /* word 0: nanoseconds */
  THREAD = 21, /* word 0: the number of the thread that writes from here on */
  BLOCK = 22,  /* allocated, of as many bytes as the next entry says */
  FREED = 23,  /* word 0: the block */
  ENTER = 24,  /* a function begins; word 0: the number of the functions that led to it */
  LEAVE = 25   /* functions have ended; word 0: the number of those that are left */
};

struct ring {
  uint64_t *at;    /* where the next entry goes */
  uint64_t *end;   /* an access below needs no check */
  uint64_t tag;    /* the lap bit */
  uint64_t *base;  /* the first entry */
  uint64_t *limit; /* the end of the segment */
  uint64_t *from;  /* where the accesses of the window were last counted */
  uint64_t left;   /* accesses left of those to record */
  uint64_t skip;   /* accesses left of those to leave out */
  uint64_t *until; /* `end` before the ring became busy */
  uint8_t entered; /* segments until now, modulo 256 */
  uint8_t busy;    /* the ring changes: a signal handler must leave it alone */
  _Atomic uint8_t used;
  uintptr_t owner;   /* where the hook that made the ring busy has its return address on the stack */
  uintptr_t returns; /* that address */
  _Alignas(128) _Atomic uint8_t read; /* segments that the recorder has read, modulo 256 */
};
_Static_assert(sizeof(struct ring) == 256, "the recorder knows the size");

struct shared {
  uint64_t magic;
  uint32_t version;
  _Atomic uint32_t process;
  int32_t recorder;
  _Atomic uint32_t rings;  /* rings that were ever used */
  _Atomic uint32_t threads;
  _Atomic uint32_t forks;
  _Atomic uint64_t lost;   /* accesses of signal handlers that found the ring busy, and of threads without a ring */
  uint64_t keep, of;       /* record the first `keep` accesses of every `of`; 0: all */
  uint32_t later;          /* whether the program waits for pagewalk_start() */
  _Atomic uint32_t elsewhere; /* programs in another PID namespace, which are not recorded */
  uint64_t space;          /* the PID namespace of the recorder; 0: not known */
};
