/* A hash join by two threads: each order looks up its customer.
   join CUSTOMERS_LOG2 ORDERS [madvise] */
#include "support.h"
#include <pthread.h>
#define THREADS 2

typedef struct Customer {
  uint64_t key, balance;
  struct Customer *next;
  uint64_t pad;
} Customer;
static Customer *customers, **buckets;
static uint64_t *orders;
static size_t n_customers, n_orders, mask;

static void build(void) {
  for (size_t i = 0; i < n_customers; i++) {
    Customer *c = &customers[i];
    size_t b = mix(i) & mask;
    c->key = i;
    c->balance = i * 3;
    c->next = buckets[b];
    buckets[b] = c;
  }
}

static void *probe(void *arg) {
  size_t part = (size_t)arg, from = n_orders / THREADS * part, to = from + n_orders / THREADS;
  uint64_t sum = 0;
  for (size_t i = from; i < to; i++) {
    uint64_t key = orders[i];
    for (Customer *c = buckets[mix(key) & mask]; c; c = c->next)
      if (c->key == key) {
        sum += c->balance;
        break;
      }
  }
  return (void *)sum;
}

int main(int argc, char **argv) {
  n_customers = (size_t)1 << (argc > 1 ? atoi(argv[1]) : 18);
  n_orders = argc > 2 ? strtoul(argv[2], 0, 10) : 1000000;
  size_t slots = n_customers * 2;
  mask = slots - 1;
  customers = aligned_alloc(HUGE, WHOLE_PAGES(n_customers * sizeof *customers));
  buckets = aligned_alloc(HUGE, WHOLE_PAGES(slots * sizeof *buckets));
  orders = aligned_alloc(HUGE, WHOLE_PAGES(n_orders * sizeof *orders));
  check(customers), check(buckets), check(orders);
  if (argc > 3) {
    madvise(customers, n_customers * sizeof *customers, MADV_HUGEPAGE);
    madvise(buckets, slots * sizeof *buckets, MADV_HUGEPAGE);
  }
  double begin = now();
  memset(buckets, 0, slots * sizeof *buckets);
  memset(customers, 0, n_customers * sizeof *customers);
  for (size_t i = 0; i < n_orders; i++) orders[i] = mix(i + 1) & (n_customers - 1);
  double touched = now();
  pagewalk_start();
  build();
  double built = now();
  pthread_t threads[THREADS];
  uint64_t sum = 0;
  for (size_t i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, probe, (void *)i);
  for (size_t i = 0; i < THREADS; i++) {
    void *of_thread;
    pthread_join(threads[i], &of_thread);
    sum += (uint64_t)of_thread;
  }
  pagewalk_stop();
  double end = now();
  printf("%lu\n", sum);
  fprintf(stderr, "touch %.3f build %.3f probe %.3f\n", touched - begin, built - touched, end - built);
  print_huge();
}
