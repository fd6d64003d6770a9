/*
 * libsv: strided array memory of every kind.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 *
 * libsv describes an array as NumPy and DLPack do, by its memory, element type, shape and strides. It slices,
 * permutes and reshapes such arrays without moving an element, and copies any of them to any other of the same
 * shape: in host memory, on CUDA devices, and from one to the other.
 *
 * This turns an interleaved picture (height x width x 3 bytes) into three planes:
 *
 *     int64_t pixels[3] = {height, width, 3}, planes[3] = {3, height, width};
 *     int32_t axes[3] = {2, 0, 1};
 *     sv_view *picture, *source, *target;
 *
 *     sv_view_from_host(SV_UINT8, 3, pixels, NULL, in, 0, &picture);
 *     sv_view_permute(picture, 3, axes, &source);
 *     sv_view_from_host(SV_UINT8, 3, planes, NULL, out, 0, &target);
 *     sv_copy(target, source, 0, 0);
 *
 * Real code checks the status that each call returns, and releases each handle: see examples/copy.c.
 *
 *     sv/base.h    the rules that hold for every function, statuses, the version: read its first page first
 *     sv/dtype.h   element types, and their names in NumPy, DLPack and PEP 3118
 *     sv/layout.h  shapes and strides, and what can be asked of them and done to them without any memory
 *     sv/view.h    arrays: views of your memory, of other libraries' arrays and of new memory
 *     sv/copy.h    copies, conversions and fills; plans of copies that are repeated; copies by your threads
 *     sv/memory.h  buffers, which own bytes, and the allocators that they come from
 *     sv/device.h  which devices there are, what they can do, and the order of their streams
 *
 * Each of them can be included alone. Array code in host memory needs the first five only.
 */
#ifndef SV_H
#define SV_H

#include "sv/base.h"
#include "sv/dtype.h"
#include "sv/layout.h"
#include "sv/view.h"
#include "sv/copy.h"
#include "sv/memory.h"
#include "sv/device.h"

#endif /* SV_H */
