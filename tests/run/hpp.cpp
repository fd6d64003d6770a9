// sv.hpp: a table of cases. Each is run once more for each of its allocations, which then fails: it ends as before or
// with SV_ERROR_MEMORY, and libsv keeps nothing.
#include <cstdlib>
#include <limits>
#include <vector>

#include "hpp.h"

extern "C" {
#include "base/alloc.h"
#include "tap.h"
}

namespace {

using sv::view;
using shape_t = sv::list<int64_t>;

// --- memory of libsv -----------------------------------------------------------

long live, calls, failing; // blocks that are live; allocations of this run, and which of them fails, 0 none

void *count_allocation(void *pointer)
{
    live += pointer != nullptr;
    return pointer;
}

void *allocate(size_t nbytes)
{
    return ++calls == failing ? nullptr : count_allocation(std::malloc(nbytes));
}

void *allocate_zeros(size_t count, size_t nbytes)
{
    return ++calls == failing ? nullptr : count_allocation(std::calloc(count, nbytes));
}

void release(void *pointer)
{
    live -= pointer != nullptr;
    std::free(pointer);
}

// --- what cases ask --------------------------------------------------------------

// A case that answers false has found a fault; one that throws sv::error where no allocation failed, too.
struct test_case {
    const char *name;
    bool (*run)();
};

// The status that a call throws; 1 without a message; SV_OK.
template <typename F> sv_status thrown(F call)
{
    try {
        call();
    } catch (const sv::error &error) {
        if (error.status() == SV_ERROR_MEMORY)
            throw;
        return error.what()[0] ? error.status() : 1;
    }
    return SV_OK;
}

// A status that was returned. That of an allocation that failed ends the case, as an exception does.
sv_status told(sv_status status)
{
    if (status == SV_ERROR_MEMORY)
        sv::check(status);
    return status;
}

// What a device with a negative number is, where CUDA can be used or cannot.
bool is_no_device(sv_status status)
{
    return status == SV_ERROR_DEVICE || status == SV_ERROR_UNSUPPORTED;
}

bool is(const shape_t &got, const std::vector<int64_t> &wanted)
{
    return std::vector<int64_t>(got.data(), got.data() + got.size()) == wanted;
}

// Elements in C order, through a copy.
template <typename T> std::vector<T> elements(const view &from)
{
    std::vector<T> all(static_cast<size_t>(sv_layout_size(sv_view_layout(from.get()))));

    sv::copy(view::of(all, from.layout().shape()), from);
    return all;
}

std::vector<int> count_up(int count)
{
    std::vector<int> numbers;

    for (int i = 0; i < count; i++)
        numbers.push_back(i);
    return numbers;
}

// --- cases -----------------------------------------------------------------------

template <typename T> constexpr sv_dtype dtype = sv::dtype_of<T>::value;
static_assert(dtype<bool> == SV_BOOL && dtype<signed char> == SV_INT8 && dtype<short> == SV_INT16, "");
static_assert(dtype<int> == SV_INT32 && dtype<long> == SV_INT64 && dtype<long long> == SV_INT64, "");
static_assert(dtype<unsigned char> == SV_UINT8 && dtype<unsigned short> == SV_UINT16, "");
static_assert(dtype<unsigned> == SV_UINT32 && dtype<unsigned long> == SV_UINT64 && dtype<unsigned long long> == SV_UINT64, "");
static_assert(dtype<std::byte> == SV_UINT8 && dtype<float> == SV_FLOAT32 && dtype<double> == SV_FLOAT64, "");
static_assert(dtype<std::complex<float>> == SV_COMPLEX64 && dtype<std::complex<double>> == SV_COMPLEX128, "");
static_assert(dtype<char> == (std::numeric_limits<char>::is_signed ? SV_INT8 : SV_UINT8), "");
static_assert(std::is_nothrow_move_constructible_v<view> && std::is_nothrow_copy_constructible_v<view>, "");
static_assert(!std::is_convertible_v<sv_view *, view> && !std::is_convertible_v<view, bool>, "");

bool views_of_memory()
{
    std::vector<int> numbers = count_up(6);
    const std::vector<int> &fixed = numbers;
    int array[6] = {5, 4, 3, 2, 1, 0};
    const std::vector<size_t> none;
    const int64_t extents[] = {3, 2};
    const std::vector<int64_t> same = {3, 2}, most(64, 1), more(65, 1);

    return elements<int>(view::of(numbers)) == numbers && elements<int>(view::of(numbers, {2, 3})) == numbers &&
           elements<int>(view::of(numbers, extents)) == numbers &&
           is(view::of(numbers, same).layout().shape(), {3, 2}) &&
           elements<int>(view::of(array, {2, 3})) == std::vector<int>{5, 4, 3, 2, 1, 0} &&
           is(view::of(array).layout().shape(), {6}) && is(view::of(none).layout().shape(), {0}) &&
           !sv_view_is_readonly(view::of(numbers).get()) && sv_view_is_readonly(view::of(fixed).get()) &&
           sv_view_is_readonly(view::of(fixed.data(), {6}).get()) &&
           view::of(numbers.data() + 1, {2}).data() == &numbers[1] &&
           elements<int>(view::of(array + 5, {6}, {-1})) == numbers && // backwards
           elements<int>(view::of(array, {2, 2}, {0, 3})) == std::vector<int>{5, 2, 5, 2} &&
           elements<int>(view::of(&array[1], {}, {})) == std::vector<int>{4} && // without axes
           thrown([&] { view::of(numbers, {7}); }) == SV_ERROR_RANGE &&
           thrown([&] { view::of(none, {}); }) == SV_ERROR_RANGE &&
           elements<int>(view::of(array + 1, most)) == std::vector<int>{4} &&
           thrown([&] { view::of(array, more); }) == SV_ERROR_RANGE &&
           thrown([&] { view::of(array, {2, 3}, {1}); }) == SV_ERROR_INVALID &&
           thrown([&] { view::of(array, {-1}); }) == SV_ERROR_INVALID &&
           thrown([&] { view::of(array, {2}, {INT64_MAX}); }) == SV_ERROR_OVERFLOW;
}

bool rearrangements()
{
    std::vector<int> numbers = count_up(6);
    const view matrix = view::of(numbers, {2, 3});
    const std::vector<int32_t> axes = {1, 0};
    const std::vector<int> turned = {0, 3, 1, 4, 2, 5};
    const sv::layout layout({2, 3}, sizeof(int)), strided({2, 3}, {1, 2}, sizeof(int));

    return elements<int>(matrix.permute({1, 0})) == turned && elements<int>(matrix.permute(axes)) == turned &&
           elements<int>(matrix.transpose()) == turned && elements<int>(other_turned(matrix)) == turned &&
           elements<int>(matrix.index(0, -1)) == std::vector<int>{3, 4, 5} &&
           elements<int>(matrix.index(0, 1).index(0, 1)) == std::vector<int>{4} &&
           elements<int>(matrix.slice({sv::all, sv::reversed})) == std::vector<int>{2, 1, 0, 5, 4, 3} &&
           elements<int>(matrix.slice({{1, 2}})) == std::vector<int>{3, 4, 5} &&
           elements<int>(matrix.slice({{}, {0, 3, 2}})) == std::vector<int>{0, 2, 3, 5} &&
           elements<int>(matrix.slice({{0, 0}})).empty() && elements<int>(matrix.slice({})) == numbers &&
           elements<int>(matrix.reshape({3, -1})) == numbers &&
           elements<int>(matrix.index(1, 0).broadcast({2, 2})) == std::vector<int>{0, 3, 0, 3} &&
           layout == matrix.layout() && !(layout == strided) && layout.transpose().permute({1, 0}) == layout &&
           is(layout.byte_strides(), {12, 4}) && is(strided.byte_strides(), {4, 8}) &&
           is(layout.slice({{0, 1}}).reshape({3}).index(0, 0).broadcast({4}).shape(), {4});
}

bool refusals()
{
    std::vector<int> numbers = count_up(6);
    const std::vector<int> fixed = numbers;
    const view matrix = view::of(numbers, {2, 3});
    const std::vector<int32_t> none;
    const std::vector<int64_t> many(70, 1);
    const std::vector<sv::range> ranges(70);

    return thrown([&] { matrix.permute({0, 0}); }) == SV_ERROR_INVALID &&
           thrown([&] { matrix.permute({}); }) == SV_ERROR_INVALID &&
           thrown([&] { matrix.permute(none); }) == SV_ERROR_INVALID &&
           is_no_device(thrown([] { sv::allocator::device(-1); })) &&
           is_no_device(thrown([] { sv::allocator::managed(-1); })) &&
           thrown([] { sv::allocator::host(1U << 31); }) == SV_ERROR_INVALID &&
           thrown([] { sv::buffer(-1); }) == SV_ERROR_INVALID &&
           thrown([&] { matrix.index(2, 0); }) == SV_ERROR_INDEX &&
           thrown([&] { matrix.slice(ranges); }) == SV_ERROR_INDEX &&
           thrown([&] { matrix.slice({{0, 1, 0}}); }) == SV_ERROR_INVALID &&
           thrown([&] { matrix.transpose().reshape({6}); }) == SV_ERROR_LAYOUT &&
           thrown([&] { matrix.broadcast({5}); }) == SV_ERROR_LAYOUT &&
           thrown([&] { view::of(numbers, many); }) == SV_ERROR_RANGE &&
           thrown([&] { sv::layout({1}, 0); }) == SV_ERROR_RANGE &&
           thrown([] { view().transpose(); }) == SV_ERROR_NULL &&
           thrown([] { sv::layout().transpose(); }) == SV_ERROR_NULL &&
           thrown([&] { sv::copy(matrix, view()); }) == SV_ERROR_NULL &&
           thrown([&] { sv::copy(view::of(fixed, {2, 3}), matrix); }) == SV_ERROR_READ_ONLY &&
           thrown([&] { sv::fill(matrix, 1.0F); }) == SV_ERROR_DTYPE &&
           thrown([] { other_fails(); }) == SV_ERROR_INVALID &&
           thrown([] { sv::check(SV_OK); sv::check(true, SV_ERROR_STATE, "none"); }) == SV_OK;
}

bool statuses()
{
    std::vector<int> numbers = count_up(6);
    const std::vector<int> fixed = numbers;
    const view matrix = view::of(numbers, {2, 3}), read_only = view::of(fixed, {2, 3});
    const sv::plan plan(matrix, read_only);
    view out = matrix;

    static_assert(noexcept(sv::copy(std::nothrow, matrix, matrix)) && noexcept(sv::fill(std::nothrow, matrix, 1)), "");
    return told(sv::copy(std::nothrow, matrix, matrix.transpose())) == SV_ERROR_LAYOUT &&
           told(sv::copy(std::nothrow, matrix, read_only)) == SV_OK &&
           told(sv::copy_scaled(std::nothrow, read_only, matrix, {})) == SV_ERROR_READ_ONLY &&
           told(sv::fill(std::nothrow, matrix, short(1))) == SV_ERROR_DTYPE &&
           told(sv::fill(std::nothrow, matrix, 7)) == SV_OK && numbers == std::vector<int>(6, 7) &&
           told(plan.execute(std::nothrow, read_only, matrix)) == SV_ERROR_READ_ONLY &&
           told(plan.execute(std::nothrow, matrix, read_only)) == SV_OK && numbers == fixed &&
           told(sv_view_index(matrix.get(), 5, 0, out.out())) == SV_ERROR_INDEX && !out &&
           told(sv_view_index(matrix.get(), 0, 1, out.out())) == SV_OK &&
           elements<int>(out) == std::vector<int>{3, 4, 5};
}

bool copies()
{
    std::vector<uint8_t> pixels = {1, 2, 3, 4, 5, 6};
    std::vector<float> planes(6), wanted = {1, 4, 20, 50, 300, 600};
    const view source = view::of(pixels, {2, 3}).transpose(), target = view::of(planes, {3, 2});
    const view middle = target.index(0, 1), nothing = view::empty<float>({3, 0, 2});
    const sv::plan plan(target, source, SV_COPY_CAST);

    sv::copy_scaled(target, source, {1, 10, 100}, {}, 0);
    if (planes != wanted)
        return false;
    sv::copy_scaled(target, source, {0.5}, std::vector<double>{1, 2, 3}, -2);
    if (planes != std::vector<float>{1.5, 3, 3, 4.5, 4.5, 6})
        return false;
    plan.execute(target, source);
    if (planes != std::vector<float>{1, 4, 2, 5, 3, 6})
        return false;
    sv::fill(middle, 9.0F);
    sv::fill(target.index(0, 2), std::numeric_limits<int64_t>::max(), SV_COPY_CAST);
    sv::fill(target.index(0, 0).index(0, 0), 0.25F, SV_COPY_CAST | SV_COPY_BLOCKING);
    sv::fill(nothing, 1.0F);
    sv::copy(nothing, nothing);
    return planes == std::vector<float>{0.25, 4, 9, 9, 9223372036854775808.0F, 9223372036854775808.0F} &&
           thrown([&] { sv::copy(target, source); }) == SV_ERROR_DTYPE &&
           thrown([&] { sv::fill(view::of(pixels), 1, SV_COPY_CAST); }) == SV_ERROR_DTYPE &&
           thrown([&] { sv::plan(target, target.slice({{0, 2}})); }) == SV_ERROR_LAYOUT;
}

bool host_elements()
{
    std::vector<int> numbers = count_up(6);
    const std::vector<int> fixed = numbers;
    const view matrix = view::of(numbers, {2, 3}), read_only = view::of(fixed, {2, 3});
    const auto turned = matrix.transpose().slice({sv::reversed}).elements<int, 2>();
    const auto one = matrix.index(0, 1).index(0, 2).elements<const int, 0>();
    const view across = view::of(reinterpret_cast<const std::byte *>(fixed.data()), {2}, {1});
    view foreign;

    turned(0, 1) += 10;
    sv::check(sv_view_new(matrix.layout().get(), SV_INT32, numbers.data(), 0, 24, SV_DEVICE_CUDA, 0, 0, nullptr,
                          nullptr, foreign.out()));
    return numbers[5] == 15 && one() == 15 && turned.extent(0) == 3 && turned.stride(0) == -1 &&
           read_only.elements<const int, 2>()(1, 2) == 5 && view::empty<int>({0}).elements<int, 1>().size() == 0 &&
           across.elements<const std::byte, 1>().size() == 2 &&
           thrown([&] { read_only.elements<int, 2>(); }) == SV_ERROR_READ_ONLY &&
           thrown([&] { matrix.elements<int, 1>(); }) == SV_ERROR_LAYOUT &&
           thrown([&] { matrix.elements<unsigned, 2>(); }) == SV_ERROR_DTYPE &&
           thrown([&] { matrix.elements<double, 2>(); }) == SV_ERROR_DTYPE &&
           thrown([&] { foreign.elements<int, 2>(); }) == SV_ERROR_DEVICE &&
           thrown([] { view().elements<int, 2>(); }) == SV_ERROR_NULL;
}

bool ownership()
{
    const sv::allocator memory = sv::made<sv::allocator>(sv_allocator_tracked, sv::allocator::host().get(), "own", 0U);
    const sv::layout one({1}, 4);
    sv::buffer buffer(24, memory, SV_BUFFER_ZERO);
    const auto count = [&] { return sv_buffer_exports(buffer.get()); };
    view first = view::of(buffer, sv::layout({2, 3}, 4), SV_INT32), second = first;
    view third = std::move(first), empty;
    int64_t bytes = -1;

    if (first || !second || second.get() != third.get() || sv_view_references(third.get()) != 2 || count() != 1)
        return false;
    view &same = second;
    second = same;
    if (sv_view_references(third.get()) != 2 || count() != 1)
        return false;
    second = view::of(buffer, one, SV_INT32, 20);
    if (sv_view_references(third.get()) != 1 || count() != 2 ||
        thrown([&] { view::of(buffer, one, SV_INT32, 21); }) != SV_ERROR_RANGE)
        return false;
    second = empty;
    if (second || count() != 1)
        return false;
    std::swap(third, second);
    sv_view *const bare = second.release();
    if (second || third || count() != 1)
        return false;
    second = view(bare); // taken, not retained
    const view kept = second.index(0, 0);
    second = view();
    if (count() != 1 || kept.data() != buffer.data() || buffer.nbytes() != 24)
        return false;
    buffer = sv::buffer(); // the view keeps its memory
    sv::check(sv_allocator_stats(memory.get(), SV_STAT_LIVE_BYTES, &bytes));
    return bytes == 24 && elements<int>(kept) == std::vector<int>(3) &&
           sv_view_buffer(view::empty<int>({4}, memory).get()) != nullptr && !view() && sv::plan().get() == nullptr;
}

bool translation_units()
{
    return other_address_of_check() == reinterpret_cast<const void *>(static_cast<void (*)(sv_status)>(sv::check));
}

#ifdef __cpp_lib_mdspan
bool mdspans()
{
    std::vector<int> numbers = count_up(24);
    const std::mdspan<int, std::extents<short, 2, 3, 4>> cube(numbers.data());
    const std::mdspan<const int, std::dextents<size_t, 2>, std::layout_left> left(numbers.data(), 4, 6);
    const std::mdspan<int, std::extents<int>> one(&numbers[23]);
    const view from = sv::view_of(cube), strange = view::of(numbers, {4, 6}).slice({{1, 2}, {0, 6, 2}});
    const auto turned = sv::mdspan_of<int, 3>(from.transpose());
    const auto empty = sv::mdspan_of<int, 3>(view::empty<int>({3, 0, 5}));

    return elements<int>(from) == numbers && turned[3, 2, 1] == 23 && turned.stride(0) == 1 && turned.extent(0) == 4 &&
           sv::mdspan_of<const int, 2>(sv::view_of(left))[1, 2] == 9 && sv_view_is_readonly(sv::view_of(left).get()) &&
           sv::mdspan_of<int, 0>(sv::view_of(one))[] == 23 && empty.size() == 0 && empty.extent(2) == 5 &&
           sv::mdspan_of<int, 2>(strange)[0, 2] == 10 && elements<int>(sv::view_of(turned))[1] == 12 &&
           thrown([&] { sv::mdspan_of<int, 3>(from.slice({sv::reversed})); }) == SV_ERROR_LAYOUT &&
           thrown([&] { sv::mdspan_of<const int, 3>(from.index(0, 0).broadcast({2, 3, 4})); }) == SV_ERROR_LAYOUT &&
           thrown([&] { sv::mdspan_of<int, 2>(view::of(numbers.data(), {3, 3}, {2, 1})); }) == SV_ERROR_LAYOUT &&
           thrown([&] { sv::mdspan_of<int, 2>(from); }) == SV_ERROR_LAYOUT;
}
#endif

const test_case cases[] = {
    {"views of containers, arrays and pointers", views_of_memory},
    {"permute, transpose, index, slice, reshape, broadcast", rearrangements},
    {"what is refused throws its status", refusals},
    {"with std::nothrow the status is returned", statuses},
    {"copies, scaled ones, fills and plans", copies},
    {"elements of host memory", host_elements},
    {"owners retain, move and release", ownership},
    {"two translation units have one sv.hpp", translation_units},
#ifdef __cpp_lib_mdspan
    {"std::mdspan in and out", mdspans},
#endif
};

// Whether the case finds no fault, or its error is that of the allocation that failed; and leaves nothing.
bool passes(const test_case &one)
{
    const long before = live;
    bool ok = false;

    calls = 0;
    try {
        ok = one.run();
    } catch (const sv::error &error) {
        ok = failing != 0 && error.status() == SV_ERROR_MEMORY;
        if (!ok)
            tap_note("%s: %s", sv_status_name(error.status()), error.what());
    }
    if (live != before)
        tap_note("%ld blocks are left", live - before);
    return ok && live == before;
}

} // namespace

int main()
{
    svi_alloc = {allocate, release, allocate_zeros};
    for (const test_case &one : cases) {
        failing = 0;
        tap_ok(passes(one), "%s", one.name);
        const long count = calls;
        bool ok = count > 0 || one.run == translation_units;

        for (failing = 1; failing <= count && ok; failing++)
            if (!(ok = passes(one)))
                tap_note("allocation %ld of %ld failed", failing, count);
        tap_ok(ok, "%s, while memory is out", one.name);
    }
    return tap_done();
}
