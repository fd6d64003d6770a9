/*
 * Other C libraries that copy between layouts, found when the program runs: FFTW, OpenBLAS, MKL, oneDNN and libxsmm
 * where their shared libraries are, and HPTT by the object that make makes of hptt.cpp.
 */
#ifndef BENCH_COPY_PEERS_H
#define BENCH_COPY_PEERS_H

#include <stdio.h>

#include "peer.h"
#include "race.h"

/* False, with a line on stderr: a file that was given cannot be opened. */
bool bench_peers_open(const struct bench_peer_options *options);

/* Those that can do this copy, as racers; returns how many. Planning may write to both sides. */
int bench_peers_plan(const struct bench_case *c, void *dst, void *src, struct bench_racer *racers);
void bench_peers_release(int count, struct bench_racer *racers);

/* Versions of those that are there, and the names of others, as members of a JSON object. */
void bench_peers_write(FILE *file);

#endif
