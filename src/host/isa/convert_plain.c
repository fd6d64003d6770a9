#define SVI_LOOPS svi_loops_plain
#include "loops.h"
