// HPTT's plans behind three C functions: what tests/bench/copy opens. make bench HPTT=DIR builds this with DIR's HPTT.
#include <complex>
#include <cstring>
#include <functional>
#include <memory>

#include <hptt.h>

namespace {

struct Plan {
    std::function<void()> run;
};

template <typename T>
void *make(int ndim, const int *perm, const int *shape, const int *src_outer, const int *dst_outer, const void *src,
           void *dst, int threads, int measure)
{
    const hptt::SelectionMethod method = measure ? hptt::MEASURE : hptt::ESTIMATE;
    auto plan = hptt::create_plan(perm, ndim, T(1), static_cast<const T *>(src), shape, src_outer, T(0),
                                  static_cast<T *>(dst), dst_outer, method, threads, nullptr, true);

    return new Plan{[plan] { plan->execute(); }};
}

} // namespace

extern "C" {

void *bench_hptt_plan(const char *dtype, int ndim, const int *perm, const int *shape, const int *src_outer,
                      const int *dst_outer, const void *src, void *dst, int threads, int measure)
{
    const auto plan = !std::strcmp(dtype, "float32")      ? make<float>
                      : !std::strcmp(dtype, "float64")    ? make<double>
                      : !std::strcmp(dtype, "complex64")  ? make<hptt::FloatComplex>
                      : !std::strcmp(dtype, "complex128") ? make<hptt::DoubleComplex>
                                                          : nullptr;

    return plan ? plan(ndim, perm, shape, src_outer, dst_outer, src, dst, threads, measure) : nullptr;
}

void bench_hptt_run(void *plan)
{
    static_cast<Plan *>(plan)->run();
}

void bench_hptt_release(void *plan)
{
    delete static_cast<Plan *>(plan);
}
}
