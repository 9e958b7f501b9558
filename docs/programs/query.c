/* A join of SQLite over an index: the orders look up their customers. The tables are in memory.
   query CUSTOMERS ORDERS */
#include "support.h"
#include "sqlite3.h"

static sqlite3 *db;

static int print(void *unused, int n, char **values, char **names) {
  (void)unused, (void)names;
  for (int i = 0; i < n; i++) printf("%s ", values[i]);
  puts("");
  return 0;
}

static void run(const char *sql) {
  char *error = 0;
  if (sqlite3_exec(db, sql, print, 0, &error)) {
    fprintf(stderr, "%s\n", error);
    exit(1);
  }
}

int main(int argc, char **argv) {
  long customers = argc > 1 ? atol(argv[1]) : 20000, orders = argc > 2 ? atol(argv[2]) : 100000;
  char sql[512];
  double begin = now();
  sqlite3_open(":memory:", &db);
  run("create table customer(id integer primary key, name text, city int, note text);"
      "create table orders(id integer primary key, customer int, amount int);");
  snprintf(sql, sizeof sql,
           "with recursive n(i) as (select 1 union all select i+1 from n where i<%ld) insert into customer "
           "select i, 'customer '||i, i*7919%%1000, printf('%%080d',i) from n",
           customers);
  run(sql);
  snprintf(sql, sizeof sql,
           "with recursive n(i) as (select 1 union all select i+1 from n where i<%ld) insert into orders "
           "select i, 1+((i*2654435761)%%%ld), i%%100 from n",
           orders, customers);
  run(sql);
  double loaded = now();
  pagewalk_start();
  run("select count(*), sum(amount), sum(length(note)) from orders "
      "join customer on customer.id = orders.customer where city < 900");
  pagewalk_stop();
  double end = now();
  fprintf(stderr, "load %.3f query %.3f\n", loaded - begin, end - loaded);
  print_huge();
}
