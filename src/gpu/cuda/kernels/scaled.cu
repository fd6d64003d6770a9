// Conversions that multiply by a scale and add a bias on the way: the kernels that convert, with steps of their own in
// the chain. The values are in the parameter block. Results have the same bits as the host's: products are rounded
// before the bias is added, and NaN keeps its payload as on processors of the x86 family.
#include "gpu/cuda/kernels/numbers.cuh"

// --- numbers ----------------------------------------------------------------------------------

#ifdef SVI_EMULATED
// The volatile product keeps a compiler from joining the two operations.
SVI_DEVICE uint32_t times_plus(uint32_t a, float scale, float bias)
{
    volatile float product = svi_float_of_bits(a) * scale;

    if (SVI_HAS_FAULT(FUSED))
        return svi_bits_of_float(__builtin_fmaf(svi_float_of_bits(a), scale, bias));
    return svi_bits_of_float(product + bias);
}

SVI_DEVICE uint64_t times_plus_wide(uint64_t a, double scale, double bias)
{
    volatile double product = svi_double_of_bits(a) * scale;

    return svi_bits_of_double(product + bias);
}

SVI_DEVICE float plus(float a, float b)
{
    return a + b;
}

SVI_DEVICE double plus_wide(double a, double b)
{
    return a + b;
}
#else
// Devices have one NaN for all: what is NaN is that of the first operand, else of the second, else the processor's own.
SVI_DEVICE float with_nan(float made, float a, float b)
{
    if (made == made)
        return made;
    return svi_float_of_bits(a != a   ? svi_bits_of_float(a) | 0x400000
                             : b != b ? svi_bits_of_float(b) | 0x400000
                                      : 0x80000000 | SVI_F32_NAN);
}

SVI_DEVICE double with_nan_wide(double made, double a, double b)
{
    const uint64_t quiet = uint64_t(1) << 51;

    if (made == made)
        return made;
    return svi_double_of_bits(a != a   ? svi_bits_of_double(a) | quiet
                              : b != b ? svi_bits_of_double(b) | quiet
                                       : uint64_t(1) << 63 | SVI_F64_NAN);
}

SVI_DEVICE uint32_t times_plus(uint32_t a, float scale, float bias)
{
    const float number = svi_float_of_bits(a), product = with_nan(__fmul_rn(number, scale), number, scale);

    return svi_bits_of_float(with_nan(__fadd_rn(product, bias), product, bias));
}

SVI_DEVICE uint64_t times_plus_wide(uint64_t a, double scale, double bias)
{
    const double number = svi_double_of_bits(a), product = with_nan_wide(__dmul_rn(number, scale), number, scale);

    return svi_bits_of_double(with_nan_wide(__dadd_rn(product, bias), product, bias));
}

SVI_DEVICE float plus(float a, float b)
{
    return __fadd_rn(a, b);
}

SVI_DEVICE double plus_wide(double a, double b)
{
    return __dadd_rn(a, b);
}
#endif

// --- whole numbers ----------------------------------------------------------------------------

// Of up to 16 bits. The sum has the unit 1 in its last place, which rounds to the nearest, even in a tie.
SVI_DEVICE uint32_t nearest_of_f32(uint32_t bits, float least, float most)
{
    const float number = svi_float_of_bits(bits), shift = 0x1.8p23f;
    const float within = number < least ? least : number > most ? most : number;
    const uint32_t whole = svi_bits_of_float(plus(within, shift)) - svi_bits_of_float(shift);

    return number == number ? whole : 0;
}

// Of up to 32 bits.
SVI_DEVICE uint64_t nearest_of_f64(uint64_t bits, double least, double most)
{
    const double number = svi_double_of_bits(bits), shift = 0x1.8p52;
    const double within = number < least ? least : number > most ? most : number;
    const uint64_t whole = svi_bits_of_double(plus_wide(within, shift)) - svi_bits_of_double(shift);

    return number == number ? whole : 0;
}

// Numbers of 2^52 and more are whole.
SVI_DEVICE double rounded(double number)
{
    const double shift = number < 0 ? -0x1p52 : 0x1p52;

    return number > -0x1p52 && number < 0x1p52 ? plus_wide(plus_wide(number, shift), -shift) : number;
}

SVI_DEVICE uint64_t nearest_signed(uint64_t bits)
{
    const double whole = rounded(svi_double_of_bits(bits));

    return whole >= 0x1p63    ? uint64_t(INT64_MAX)
           : whole <= -0x1p63 ? uint64_t(1) << 63
           : whole == whole   ? uint64_t(int64_t(whole))
                              : 0;
}

SVI_DEVICE uint64_t nearest_unsigned(uint64_t bits)
{
    const double whole = rounded(svi_double_of_bits(bits));

    return whole >= 0x1p64 ? UINT64_MAX : whole > 0 ? uint64_t(whole) : 0;
}

// The ends of the types of up to 32 bits, in the order of enum svi_whole, are powers of two: no table is needed.
SVI_DEVICE void round_to_whole(int op, Packet &v)
{
    const bool wide = op >= SVI_NEAREST_FROM_F64;
    const int type = op - (wide ? SVI_NEAREST_FROM_F64 : SVI_NEAREST_FROM_F32), bits = 8 << type / 2;
    const bool is_signed = type % 2 == 0;
    const uint64_t mask = bits == 64 ? UINT64_MAX : (uint64_t(1) << bits) - 1;
    const double most = double(is_signed ? mask >> 1 : mask), least = is_signed ? -most - 1 : 0;

#pragma unroll
    for (int k = 0; k < PACKET; k++) {
        if (bits == 64)
            v.low[k] = is_signed ? nearest_signed(v.low[k]) : nearest_unsigned(v.low[k]);
        else if (wide)
            v.low[k] = nearest_of_f64(v.low[k], least, most) & mask;
        else
            v.low[k] = nearest_of_f32(uint32_t(v.low[k]), float(least), float(most)) & mask;
    }
}

// --- values -----------------------------------------------------------------------------------

template <typename N> SVI_DEVICE N value_of(const char *block, uint32_t at, uint32_t index)
{
    return *(const N *)(block + at + index * uint32_t(sizeof(N)));
}

// The steps that lead to float32 or float64, and from there: those of complex numbers and of whole numbers among
// themselves are never part of a chain that scales.
SVI_DEVICE void apply_real(int op, Packet &v)
{
    switch (op) {
    case SVI_OP_BOOL_FROM_1: return each<is_not_0>(v);
    case SVI_OP_BOOL_FROM_F32: return each<is_not_0_f32>(v);
    case SVI_OP_BOOL_FROM_F64: return each<is_not_0_f64>(v);
    case SVI_OP_F32_FROM_I8: return each<f32_from_i8>(v);
    case SVI_OP_F32_FROM_I16: return each<f32_from_i16>(v);
    case SVI_OP_F32_FROM_U8:
    case SVI_OP_F32_FROM_U16: return each<f32_from_u32>(v);
    case SVI_OP_F32_FROM_F64: return each<f32_from_f64>(v);
#define SVI_OWN(KIND, NAME, OP, ...) \
    case SVI_OP_F32_FROM_##OP: return each<f32_from<SVI_NARROW_##OP>>(v);
#define SVI_SMALL(...)
#include "dtype/dtypes.def"
#define SVI_SMALL(KIND, NAME, OP, ...) case SVI_OP_F32_FROM_##OP:
#define SVI_OWN(...)
#include "dtype/dtypes.def"
        return widen_8(op, v);
    case SVI_OP_ODD_FROM_F64: return each<odd_from_f64>(v);
#define SVI_OWN(KIND, NAME, OP, ...) \
    case SVI_OP_##OP##_FROM_F32: return each<from_f32<SVI_NARROW_##OP>>(v);
#define SVI_SMALL(...)
#include "dtype/dtypes.def"
#define SVI_SMALL(KIND, NAME, OP, ...) case SVI_OP_##OP##_FROM_F32:
#define SVI_OWN(...)
#include "dtype/dtypes.def"
        return round_8(op, v);
    case SVI_OP_F64_FROM_F32: return each<f64_from_f32>(v);
    case SVI_OP_F64_FROM_I32: return each<f64_from_i32>(v);
    case SVI_OP_F64_FROM_U32: return each<f64_from_u32>(v);
    case SVI_OP_F64_FROM_I64: return each<f64_from_i64>(v);
    case SVI_OP_F64_FROM_U64: return each<f64_from_u64>(v);
    case SVI_OP_SWAP_2: return each<swap_2>(v);
    case SVI_OP_SWAP_4: return each<swap_4>(v);
    case SVI_OP_SWAP_8: return each<swap_8>(v);
    default: return;
    }
}

// What kernels that convert do with items, whose numbers NUMBERS has. block: the parameters.
template <typename NUMBERS> struct Scaling {
    static constexpr bool SCALES = true;

    const char *block;
    const svi_launch_affine &affine;
    NUMBERS numbers;

    SVI_MEMBER Scaling(const void *parameters, const svi_launch_affine &with)
        : block((const char *)parameters), affine(with)
    {
    }

    SVI_MEMBER void take(const uint32_t (&number)[PACKET]) { numbers.take(number); }
    SVI_MEMBER void take_run(uint32_t first, bool moves) { numbers.take_run(first, moves); }
    SVI_MEMBER void enter(const svi_launch_box &p, uint32_t n) { numbers.enter(affine, p, n); }

    SVI_MEMBER void multiply(bool wide, Packet &v) const
    {
#pragma unroll
        for (int k = 0; k < PACKET; k++) {
            const uint32_t number = numbers.of(affine, SVI_HAS_FAULT(SAME_NUMBER) ? 0 : k);
            const uint32_t scale = number * affine.scale_step, bias = number * affine.bias_step;

            if (wide)
                v.low[k] = times_plus_wide(v.low[k], value_of<double>(block, affine.scale_at, scale),
                                           value_of<double>(block, affine.bias_at, bias));
            else
                v.low[k] = times_plus(uint32_t(v.low[k]), value_of<float>(block, affine.scale_at, scale),
                                      value_of<float>(block, affine.bias_at, bias));
        }
    }

    SVI_MEMBER void run(const svi_chain &chain, Packet &v) const
    {
#pragma unroll 1
        for (int s = 0; s < chain.count; s++) {
            const int op = chain.steps[s].op;

            if (op < SVI_OP_COUNT)
                apply_real(op, v);
            else if (op < SVI_SCALE_F32)
                round_to_whole(op, v);
            else
                multiply(op == SVI_SCALE_F64, v);
        }
    }
};

// Of items anywhere.
struct NumbersOfItems {
    uint32_t number[PACKET];

    SVI_MEMBER void take(const uint32_t (&numbers)[PACKET])
    {
#pragma unroll
        for (int k = 0; k < PACKET; k++)
            number[k] = numbers[k];
    }

    SVI_MEMBER uint32_t of(const svi_launch_affine &, int k) const { return number[k]; }
};

// Of neighbours in a run, which has one number or one for each item, counted modulo a period.
struct NumbersOfRun {
    uint32_t first, step;

    SVI_MEMBER void take_run(uint32_t number, bool moves)
    {
        first = number;
        step = moves;
    }

    SVI_MEMBER uint32_t of(const svi_launch_affine &affine, int k) const
    {
        const uint32_t number = first + k * step;

        return affine.period == 0 || SVI_HAS_FAULT(NO_PERIOD)
                   ? number
                   : number - quotient(number, affine.magic, affine.shift) * affine.period;
    }
};

// Of a thread's items in a tile, in the order in which they are stored.
struct NumbersOfTile {
    uint32_t within[PACKET], begin; // of the tile

    SVI_MEMBER void find_within(const svi_launch_affine &affine, const svi_launch_box &p)
    {
#pragma unroll
        for (int k = 0; k < PACKET; k++) {
            uint32_t n = k * THREADS + threadIdx.x;

            within[k] = 0;
#pragma unroll 1
            for (int axis = 0; axis <= affine.axis; axis++) {
                const uint32_t digit = take_digit(n, p.by_dst[axis]);

                within[k] = axis == affine.axis ? digit : 0;
            }
        }
    }

    SVI_MEMBER void enter(const svi_launch_affine &affine, const svi_launch_box &p, uint32_t n)
    {
        int64_t at = 0;

#pragma unroll 1
        for (int k = 0; k <= affine.outer; k++) {
            const svi_box_outer &axis = p.outer[k];
            const uint32_t q = quotient(n, axis.magic, axis.shift), first = (n - q * axis.tiles) * axis.step;

            at = first < axis.most ? first : axis.most;
            n = q;
        }
        begin = SVI_HAS_FAULT(FIRST_TILE) ? 0 : uint32_t(at);
    }

    SVI_MEMBER uint32_t of(const svi_launch_affine &, int k) const { return begin + within[k]; }
};

// --- kernels ----------------------------------------------------------------------------------

SVI_KERNEL(4) svi_scaled(const __grid_constant__ svi_launch_scaled p, char *dst, const char *src)
{
    Scaling<NumbersOfItems> scaling(&p, p.affine);

    convert_items(p.cast, p.affine.axis, dst, src, scaling);
}

SVI_KERNEL(4) svi_batched_scaled(const __grid_constant__ svi_launch_scaled p, char *dst, const char *src)
{
    Scaling<NumbersOfItems> scaling(&p, p.affine);

    find_numbers(p, dst, src);
    convert_items(p.cast, p.affine.axis, dst, src, scaling);
}

SVI_KERNEL(4) svi_scale(const __grid_constant__ svi_launch_scaled p, char *dst, const char *src)
{
    Scaling<NumbersOfRun> scaling(&p, p.affine);

    convert_runs(p.cast, p.affine.axis, dst, src, scaling);
}

SVI_KERNEL(4) svi_box_scaled(const __grid_constant__ svi_launch_box_scaled p, char *dst, const char *src)
{
    Scaling<NumbersOfTile> scaling(&p, p.affine);

    scaling.numbers.find_within(p.affine, p.cast.box);
    convert_tiles(p.cast, dst, src, scaling);
}
