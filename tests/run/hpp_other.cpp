// A second translation unit with sv.hpp: hpp.cpp has the tests.
#include "hpp.h"

sv::view other_turned(const sv::view &view)
{
    return view.transpose();
}

void other_fails()
{
    sv::view::empty<float>({-1});
}

// One function in a program, whichever translation unit calls it.
const void *other_address_of_check()
{
    return reinterpret_cast<const void *>(static_cast<void (*)(sv_status)>(sv::check));
}
