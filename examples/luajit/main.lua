-- Pixels (height x width x colour) read as planes (colour x height x width), and copied out as such.
--
--     cd examples/luajit && luajit main.lua
local ffi = require("ffi")
local sv = require("sv")

local function check(status)
    if status ~= sv.SV_OK then error(ffi.string(sv.sv_last_message()), 2) end
end

-- Calls f(..., out) and gives what it makes to the collector.
local function new_layout(f, ...)
    local out = ffi.new("sv_layout *[1]")
    local arguments = {...}
    arguments[select("#", ...) + 1] = out
    check(f(unpack(arguments, 1, select("#", ...) + 1)))
    return ffi.gc(out[0], sv.sv_layout_release)
end

local function new_view(layout, memory, flags)
    local out = ffi.new("sv_view *[1]")
    check(sv.sv_view_from_pointer(layout, sv.SV_UINT8, memory, ffi.sizeof(memory), flags, out))
    return ffi.gc(out[0], sv.sv_view_release)
end

local pixels, copied = ffi.new("uint8_t[12]"), ffi.new("uint8_t[12]")
for i = 0, 11 do pixels[i] = i end

local hwc = new_layout(sv.sv_layout_new, 3, ffi.new("int64_t[3]", 2, 2, 3), nil, 1)
local chw = new_layout(sv.sv_layout_permute, hwc, 3, ffi.new("int32_t[3]", 2, 0, 1))
local dense = new_layout(sv.sv_layout_to_dense, chw, sv.SV_ORDER_C, 0, nil, 0)
check(sv.sv_copy(new_view(dense, copied, 0), new_view(chw, pixels, sv.SV_READ_ONLY), 0, 0))

local numbers = {}
for i = 0, 11 do numbers[i + 1] = copied[i] end
print("[" .. table.concat(numbers, ", ") .. "]")
