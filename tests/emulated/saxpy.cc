// A user's own kernel, the example as it is, with hooks on all its accesses.
#include "../../examples/kernels/saxpy.cu"

#include "kernels.h"
#include "saxpy.h"

using target = strideview::array<float, 2>;
using source = strideview::array<const float, 2>;

// The block of sv_view_kernel_arg(), which C writes, is the structure that the kernel takes.
static_assert(sizeof(target) == sizeof(block_of_2) && offsetof(target, address) == offsetof(block_of_2, address) &&
                  offsetof(target, shape) == offsetof(block_of_2, shape) &&
                  offsetof(target, steps) == offsetof(block_of_2, strides),
              "the block has another layout");

static const target &target_of(const block_of_2 &block)
{
    return reinterpret_cast<const target &>(block);
}

static const source &source_of(const block_of_2 &block)
{
    return reinterpret_cast<const source &>(block);
}

EMULATED_KERNEL(run_saxpy, saxpy_arguments, saxpy(target_of(a.y), source_of(a.x), a.a))
