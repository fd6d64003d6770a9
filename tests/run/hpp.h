// What hpp.cpp asks of hpp_other.cpp, which has its own copies of all that sv.hpp defines.
#ifndef HPP_H
#define HPP_H

#include "sv.hpp"

sv::view other_turned(const sv::view &view);
void other_fails();
const void *other_address_of_check();

#endif
