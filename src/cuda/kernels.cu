// All kernels, compiled for each generation of devices into what fatbin.S embeds. kernel_list.h has their names.
#include "kernels/line.cu"
#include "kernels/tile.cu"
#include "kernels/box.cu"
#include "kernels/flat.cu"
#include "kernels/row.cu"
#include "kernels/fill.cu"
#include "kernels/batched.cu"
#include "kernels/cast.cu"
