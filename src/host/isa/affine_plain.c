#include "affine_plain.h"

#define SVI_AFFINE svi_affine_plain
#include "affine_loops.h"
