#define SVI_AFFINE svi_affine_plain
#include "affine_loops.h"
