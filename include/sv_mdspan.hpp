/*
 * sv_mdspan.hpp: std::mdspan as views of libsv, and views as std::mdspan.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 *
 * A part of sv.hpp, which includes it. Where the C++ library has no <mdspan>, before C++23, nothing is declared here.
 */
#ifndef SV_MDSPAN_HPP
#define SV_MDSPAN_HPP

#include "sv.hpp"

#if __cplusplus > 202002L && __has_include(<mdspan>)
#include <mdspan>
#endif

#ifdef __cpp_lib_mdspan
#include <array>

namespace sv {

// The memory of a span, which must outlive the view. A mapping without strides is SV_ERROR_LAYOUT.
template <typename T, typename E, typename L> view view_of(const std::mdspan<T, E, L> &span)
{
    int64_t shape[E::rank() + 1] = {}, strides[E::rank() + 1] = {};

    check(span.is_strided(), SV_ERROR_LAYOUT, "span: its mapping has no strides");
    if constexpr (E::rank() > 0) // without axes a mapping need not have stride()
        for (size_t axis = 0; axis < E::rank(); axis++) {
            shape[axis] = int64_t(span.extent(axis));
            strides[axis] = int64_t(span.stride(axis));
        }
    return view::of(span.data_handle(), {shape, E::rank()}, {strides, E::rank()});
}

// The elements of a view, as view::elements() gives them. std::layout_stride wants strides of 1 or more, each no less
// than what the axes with smaller ones span: other views, such as reversed or repeated ones, are SV_ERROR_LAYOUT.
template <typename T, int N>
std::mdspan<T, std::dextents<int64_t, size_t(N)>, std::layout_stride> mdspan_of(const view &from)
{
    using extents = std::dextents<int64_t, size_t(N)>;
    const strideview::array<T, N> elements = from.elements<T, N>();
    std::array<int64_t, N> shape{}, strides{};
    int32_t order[N + 1] = {};
    int64_t least = 1;

    check(sv_layout_stride_order(sv_view_layout(from.get()), order));
    if constexpr (N > 0)
        for (int i = N - 1; i >= 0; i--) { // from the smallest stride on
            const int axis = order[i];
            const bool still = elements.size() == 0 || elements.extent(axis) == 1; // whose stride has no meaning

            check(still || elements.stride(axis) >= least, SV_ERROR_LAYOUT,
                  "mdspan_of(): std::layout_stride has no such strides");
            shape[axis] = elements.extent(axis);
            strides[axis] = still ? least : elements.stride(axis);
            if (shape[axis] > 1)
                least = strides[axis] > INT64_MAX / shape[axis] ? INT64_MAX : strides[axis] * shape[axis];
        }
    return {elements.data(), {extents(shape), strides}};
}

} // namespace sv

#endif
#endif
