/* Which part of a program `pagewalk record` records. A program that includes this file is recorded between
   pagewalk_start() and pagewalk_stop(). Compiled without `pagewalk cc`, both do nothing. */
#ifndef PAGEWALK_H
#define PAGEWALK_H

#ifdef __cplusplus
extern "C" {
#endif

void pagewalk_runtime_start(void) __attribute__((weak));
void pagewalk_runtime_stop(void) __attribute__((weak));

/* Records all threads from here on. */
static inline void pagewalk_start(void) {
  /* This section tells the runtime that recording begins here, not at the start of the program. */
  static const char later __attribute__((section("pagewalk_later"), used)) = 1;
  if (pagewalk_runtime_start) pagewalk_runtime_start();
}

/* Ends the recording of all threads. */
static inline void pagewalk_stop(void) {
  if (pagewalk_runtime_stop) pagewalk_runtime_stop();
}

#ifdef __cplusplus
}
#endif
#endif
