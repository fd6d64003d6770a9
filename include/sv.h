/*
 * libsv: strided array memory of every kind.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 *
 * Turn an interleaved picture (height x width x 3 bytes) into three planes:
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
 * Real code checks the status that each call returns, and releases each handle:
 * see examples/copy.c.
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
