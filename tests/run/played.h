/* Machines that are asked which loop does a copy, whatever this one is, and the plan of a copy of the benchmark's list. */
#ifndef RUN_PLAYED_H
#define RUN_PLAYED_H

#include "bench/copy_cases.h"
#include "host/dispatch/dispatch.h"

enum { PLAYED = 6 };

const char *played_name(int k);

/* Whether its loops can be asked, which those of another architecture cannot; and be run by this processor. */
bool is_played(int k);
bool runs_here(int k);

struct svi_machine played_machine(int k);
struct svi_plan played_plan(const struct bench_case *c);

#endif
