/*
 * sv.hpp: libsv in C++17 and later.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 *
 * Owners that release the handles of libsv, errors as exceptions, and views of what C++ programs have, all inline. What
 * is not here is called by the C functions of sv.h, with get() for a handle and out() for one to come.
 *
 *     std::vector<float> picture(height * width * 3), planes(picture.size());
 *     const auto source = sv::view::of(picture, {height, width, 3}).permute({2, 0, 1});
 *
 *     sv::copy(sv::view::of(planes, {3, height, width}), source);
 *
 * Errors     A call that fails throws sv::error, with the status and the message. copy(), copy_scaled(), fill() and
 *            plan::execute() return the status instead when std::nothrow is their first argument, as C functions do.
 * Owners     A copy retains the handle; what was moved from is empty. An empty owner is refused (SV_ERROR_NULL), but
 *            as an allocator it stands for ordinary host memory. Flags and streams are those of the C function.
 * Elements   dtype_of<T> is the element type of T. Memory of const T is viewed as read-only.
 */
#ifndef SV_HPP
#define SV_HPP

#include <complex>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "sv.h"
#include "sv_kernel.hpp"

namespace sv {

class error : public std::runtime_error {
    sv_status number;
public:
    error(sv_status status, const char *message) : std::runtime_error(message), number(status) {}
    sv_status status() const noexcept { return number; }
};

inline void check(bool ok, sv_status status, const char *message) { if (!ok) throw error(status, message); }
inline void check(sv_status status) { check(status == SV_OK, status, sv_last_message()); } // of the last C function

// The element type of a number. Specialise it for those of other libraries, such as CUDA's __half.
template <typename T, typename = void> struct dtype_of;
template <typename T> struct dtype_of<T, std::enable_if_t<std::is_integral_v<T> && sizeof(T) <= 8>>
    : std::integral_constant<sv_dtype, 0x010000 + 0x0800 * sizeof(T) + std::is_unsigned_v<T>> {};
template <> struct dtype_of<bool> : std::integral_constant<sv_dtype, SV_BOOL> {};
template <> struct dtype_of<std::byte> : std::integral_constant<sv_dtype, SV_UINT8> {};
template <> struct dtype_of<float> : std::integral_constant<sv_dtype, SV_FLOAT32> {};
template <> struct dtype_of<double> : std::integral_constant<sv_dtype, SV_FLOAT64> {};
template <> struct dtype_of<std::complex<float>> : std::integral_constant<sv_dtype, SV_COMPLEX64> {};
template <> struct dtype_of<std::complex<double>> : std::integral_constant<sv_dtype, SV_COMPLEX128> {};

// Items that a call reads and does not keep: {2, 3}, an array, or a container that has them in a row.
template <typename T> class list {
    static constexpr T none{};
    const T *first = &none; // never null, which C functions can take for "not given"
    size_t count = 0;
public:
    list() noexcept = default;
    list(std::initializer_list<T> items) noexcept : list(items.begin(), items.size()) {}
    list(const T *items, size_t size) noexcept : first(size ? items : &none), count(size) {}
    template <typename C, typename P = decltype(std::data(std::declval<const C &>())),
              typename = std::enable_if_t<std::is_convertible_v<P, const T *>>>
    list(const C &items) noexcept : list(std::data(items), std::size(items)) {}
    const T *data() const noexcept { return first; }
    size_t size() const noexcept { return count; }
    int32_t ndim() const noexcept { return count <= 64 ? int32_t(count) : 65; } // which is refused
};

// Indices of an axis, counted as by sv_view_slice(): {1, 3}, {0, 10, 2}, all, reversed.
struct range { int64_t start = 0, stop = INT64_MAX, step = 1; };
inline constexpr range all{}, reversed{INT64_MAX, INT64_MIN, -1};

template <typename H, H *Retain(const H *), void Release(H *)> class owner {
    H *handle = nullptr;
public:
    owner() noexcept = default;
    explicit owner(H *taken) noexcept : handle(taken) {}
    owner(const owner &other) noexcept : handle(Retain(other.handle)) {}
    owner(owner &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
    owner &operator=(owner other) noexcept { return std::swap(handle, other.handle), *this; }
    ~owner() { Release(handle); }
    explicit operator bool() const noexcept { return handle != nullptr; }
    H *get() const noexcept { return handle; }
    H *release() noexcept { return std::exchange(handle, nullptr); } // to the caller
    H **out() noexcept { return Release(release()), &handle; }       // empty, for a C function to fill
};

// What a C function makes, which is its last parameter.
template <typename O, typename F, typename... A> O made(F function, A... arguments)
{
    O result;
    check(function(arguments..., result.out()));
    return result;
}

// What views and layouts do alike, by the C functions of either.
template <typename O, auto Permute, auto Slice, auto Index, auto Reshape, auto Broadcast> class rearranged {
    auto handle() const noexcept { return static_cast<const O &>(*this).get(); }
public:
    O permute(list<int32_t> axes) const { return made<O>(Permute, handle(), axes.ndim(), axes.data()); }
    O transpose() const { return made<O>(Permute, handle(), 0, nullptr); } // all axes, reversed
    O index(int32_t axis, int64_t at) const { return made<O>(Index, handle(), axis, at); }
    O reshape(list<int64_t> shape) const { return made<O>(Reshape, handle(), shape.ndim(), shape.data()); }
    O broadcast(list<int64_t> shape) const { return made<O>(Broadcast, handle(), shape.ndim(), shape.data()); }
    O slice(list<range> axes) const // the first axes; the others stay whole
    {
        int64_t start[64] = {}, stop[64] = {}, step[64] = {};
        for (size_t i = 0; i < axes.size() && i < 64; i++)
            start[i] = axes.data()[i].start, stop[i] = axes.data()[i].stop, step[i] = axes.data()[i].step;
        return made<O>(Slice, handle(), axes.ndim(), start, stop, step);
    }
};

struct allocator : owner<sv_allocator, sv_allocator_retain, sv_allocator_release> {
    using owner::owner;
    static allocator host(uint32_t flags = 0) { return made<allocator>(sv_allocator_host, flags); }
    static allocator pinned() { return made<allocator>(sv_allocator_pinned); }
    static allocator device(int32_t id = 0) { return made<allocator>(sv_allocator_device, id); }
    static allocator managed(int32_t id = 0) { return made<allocator>(sv_allocator_managed, id); }
};

struct buffer : owner<sv_buffer, sv_buffer_retain, sv_buffer_release> {
    using owner::owner;
    explicit buffer(int64_t nbytes, const allocator &a = {}, uint32_t flags = 0, uintptr_t stream = 0)
        { check(sv_buffer_new(a.get(), nbytes, 0, flags, stream, out())); }
    void *data() const noexcept { return sv_buffer_data(get()); }
    int64_t nbytes() const noexcept { return sv_buffer_nbytes(get()); }
};

struct layout : owner<sv_layout, sv_layout_retain, sv_layout_release>,
                rearranged<layout, sv_layout_permute, sv_layout_slice, sv_layout_index, sv_layout_reshape,
                           sv_layout_broadcast> {
    using owner::owner;
    layout(list<int64_t> shape, int64_t itemsize) // in C order, without gaps
        { check(sv_layout_new(shape.ndim(), shape.data(), nullptr, itemsize, out())); }
    layout(list<int64_t> shape, list<int64_t> strides, int64_t itemsize) // strides in elements
    {
        check(strides.size() == shape.size(), SV_ERROR_INVALID, "strides: not as many as there are extents");
        check(sv_layout_new(shape.ndim(), shape.data(), strides.data(), itemsize, out()));
    }
    // These two live as long as the handle.
    list<int64_t> shape() const noexcept { return {sv_layout_shape(get()), size_t(sv_layout_ndim(get()))}; }
    list<int64_t> byte_strides() const noexcept { return {sv_layout_byte_strides(get()), shape().size()}; }
    friend bool operator==(const layout &a, const layout &b) noexcept { return sv_layout_equal(a.get(), b.get()); }
};

class view : public owner<sv_view, sv_view_retain, sv_view_release>,
             public rearranged<view, sv_view_permute, sv_view_slice, sv_view_index, sv_view_reshape,
                               sv_view_broadcast> {
    template <typename T> static constexpr sv_dtype dtype_v = dtype_of<std::remove_const_t<T>>::value;
    template <typename T> static constexpr uint32_t flags_v = std::is_const_v<T> ? SV_READ_ONLY : 0;
    template <typename T> static void *address(T *data) noexcept { return const_cast<std::remove_const_t<T> *>(data); }
public:
    using owner::owner;
    // Memory that must outlive the view: of a container, whose size is checked, or from the address of the element with
    // all indices 0. Strides are in elements, of any sign.
    template <typename C, typename T = std::remove_pointer_t<decltype(std::data(std::declval<C &>()))>>
    static view of(C &items, list<int64_t> shape)
    {
        return made<view>(sv_view_from_pointer, sv::layout(shape, sizeof(T)).get(), dtype_v<T>,
                          address(std::data(items)), int64_t(std::size(items) * sizeof(T)), flags_v<T>);
    }
    template <typename C, typename = decltype(std::data(std::declval<C &>()))>
    static view of(C &items) { return of(items, {int64_t(std::size(items))}); }
    template <typename P, typename T = std::remove_pointer_t<P>, typename = std::enable_if_t<std::is_pointer_v<P>>>
    static view of(const P &data, list<int64_t> shape)
    {
        return made<view>(sv_view_from_host, dtype_v<T>, shape.ndim(), shape.data(), nullptr, address(data),
                          flags_v<T>);
    }
    template <typename T> static view of(T *data, list<int64_t> shape, list<int64_t> strides)
    {
        return made<view>(sv_view_from_host, dtype_v<T>, shape.ndim(), shape.data(),
                          sv::layout(shape, strides, sizeof(T)).byte_strides().data(), address(data), flags_v<T>);
    }
    // Memory of a buffer, which the view keeps; and a new array, in C order.
    static view of(const buffer &b, const sv::layout &l, sv_dtype dtype, int64_t offset = 0, uint32_t flags = 0)
        { return made<view>(sv_view_from_buffer, b.get(), l.get(), dtype, offset, flags); }
    template <typename T>
    static view empty(list<int64_t> shape, const allocator &a = {}, uint32_t flags = 0, uintptr_t stream = 0)
        { return made<view>(sv_empty, a.get(), dtype_v<T>, shape.ndim(), shape.data(), flags, stream); }

    sv_dtype dtype() const noexcept { return sv_view_dtype(get()); }
    void *data() const noexcept { return sv_view_data(get()); }
    sv::layout layout() const noexcept { return sv::layout(sv_layout_retain(sv_view_layout(get()))); }

    // Its elements along N axes, of T, or of const T to be read only, where the host reaches them: a(i, j).
    template <typename T, int N> strideview::array<T, N> elements() const
    {
        strideview::array<T, N> array{};
        const uint32_t flags = SV_KERNEL_HOST + (std::is_const_v<T> ? 0 : SV_KERNEL_WRITES);
        check(sv_view_kernel_arg(get(), N, sizeof(T), flags, sizeof array, &array));
        check(dtype() == dtype_v<T>, SV_ERROR_DTYPE, "elements(): the view has another element type");
        check(sv_device_traits(sv_view_device_type(get())) & SV_TRAIT_HOST, SV_ERROR_DEVICE,
              "elements(): the host does not reach the memory");
        return array;
    }
};

struct plan : owner<sv_plan, sv_plan_retain, sv_plan_release> {
    using owner::owner;
    plan(const view &dst, const view &src, uint32_t flags = 0)
        { check(sv_plan_new(dst.get(), src.get(), flags, out())); }
    sv_status execute(std::nothrow_t, const view &dst, const view &src, uintptr_t stream = 0) const noexcept
        { return sv_plan_execute_views(get(), dst.get(), src.get(), stream); }
    void execute(const view &dst, const view &src, uintptr_t stream = 0) const
        { check(execute(std::nothrow, dst, src, stream)); }
};

inline sv_status copy(std::nothrow_t, const view &dst, const view &src, uint32_t flags = 0,
                      uintptr_t stream = 0) noexcept
    { return sv_copy(dst.get(), src.get(), flags, stream); }
inline void copy(const view &dst, const view &src, uint32_t flags = 0, uintptr_t stream = 0)
    { check(copy(std::nothrow, dst, src, flags, stream)); }

// src * scale + bias: of no numbers, of one, or of one for each index along an axis of dst.
inline sv_status copy_scaled(std::nothrow_t, const view &dst, const view &src, list<double> scale,
    list<double> bias = {}, int32_t axis = 0, uint32_t flags = 0, uintptr_t stream = 0) noexcept
{
    return sv_copy_scaled(dst.get(), src.get(), scale.data(), int64_t(scale.size()), bias.data(), int64_t(bias.size()),
                          axis, flags, stream);
}
inline void copy_scaled(const view &dst, const view &src, list<double> scale,
    list<double> bias = {}, int32_t axis = 0, uint32_t flags = 0, uintptr_t stream = 0)
    { check(copy_scaled(std::nothrow, dst, src, scale, bias, axis, flags, stream)); }

// The item becomes every element. One of another type than the elements needs SV_COPY_CAST or SV_COPY_CAST_UNSAFE.
template <typename T>
sv_status fill(std::nothrow_t, const view &dst, const T &item, uint32_t flags = 0, uintptr_t stream = 0) noexcept
{
    view one;
    if (dst.dtype() == dtype_of<T>::value)
        return sv_fill(dst.get(), &item, sizeof item, flags & ~(0u + SV_COPY_CAST + SV_COPY_CAST_UNSAFE), stream);
    const sv_status status = sv_view_from_host(dtype_of<T>::value, 0, nullptr, nullptr, const_cast<T *>(&item),
                                               SV_READ_ONLY, one.out());
    return status == SV_OK ? sv_copy(dst.get(), one.get(), flags, stream) : status;
}
template <typename T> void fill(const view &dst, const T &item, uint32_t flags = 0, uintptr_t stream = 0)
    { check(fill(std::nothrow, dst, item, flags, stream)); }

} // namespace sv

#include "sv_mdspan.hpp"
#endif
