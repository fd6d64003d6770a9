-- Pixels (height x width x colour) read as planes (colour x height x width), and copied out as such, as numbers of
-- another type.
--
--     cd examples/luajit && LUA_PATH="../../bindings/?.lua" luajit main.lua
local ffi = require("ffi")
local sv = require("sv")

local function text_of(status)
    return ffi.string(sv.sv_status_name(status)) .. ": " .. ffi.string(sv.sv_last_message())
end

local function check(status)
    if status ~= sv.SV_OK then error(text_of(status), 2) end
end

-- Calls f(..., out) and gives the view that it makes to the collector.
local function new_view(f, ...)
    local out = ffi.new("sv_view *[1]")
    local arguments = {...}
    arguments[select("#", ...) + 1] = out
    check(f(unpack(arguments, 1, select("#", ...) + 1)))
    return ffi.gc(out[0], sv.sv_view_release)
end

local pixels, planes = ffi.new("uint8_t[12]"), ffi.new("float[12]")
for i = 0, 11 do pixels[i] = i end

local interleaved, planar = ffi.new("int64_t[3]", 2, 2, 3), ffi.new("int64_t[3]", 3, 2, 2)
local picture = new_view(sv.sv_view_from_host, sv.SV_UINT8, 3, interleaved, nil, pixels, sv.SV_READ_ONLY)
local source = new_view(sv.sv_view_permute, picture, 3, ffi.new("int32_t[3]", 2, 0, 1))
local target = new_view(sv.sv_view_from_host, sv.SV_FLOAT32, 3, planar, nil, planes, 0)
print(text_of(sv.sv_copy(target, source, 0, 0))) -- which says what is missing
check(sv.sv_copy(target, source, sv.SV_COPY_CAST, 0))

local numbers = {}
for i = 0, 11 do numbers[i + 1] = planes[i] end
print("[" .. table.concat(numbers, ", ") .. "]")
