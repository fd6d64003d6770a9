/*
 * Other C libraries that copy between layouts, found when the program runs: FFTW's shared libraries where the system
 * has them, and HPTT by the object that make makes of hptt.cpp.
 */
#ifndef BENCH_COPY_PEERS_H
#define BENCH_COPY_PEERS_H

#include "copy_cases.h"
#include "race.h"

enum { BENCH_PEERS = 4 };

/* hptt: path, or NULL. measure: also what they choose after measuring. False, with a line on stderr, without hptt. */
bool bench_peers_open(const char *hptt, bool measure, int threads);

/* Those that can do this copy, as racers; returns how many. Planning may write to both sides. */
int bench_peers_plan(const struct bench_case *c, void *dst, void *src, struct bench_racer *racers);
void bench_peers_release(int count, struct bench_racer *racers);

/* Versions as JSON: "FFTW": "3.3.10". */
const char *bench_peers_versions(void);

#endif
