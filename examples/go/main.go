// Pixels (height x width x colour) read as planes (colour x height x width), and copied out as such, as numbers of
// another type.
//
//	go run main.go
//
// cgo reads sv.h itself. libsv keeps the address of an array while views of it live, which Go allows for memory that
// is pinned (runtime.Pinner, Go 1.21) or that C allocated, as here.
package main

// #cgo pkg-config: strideview
// #include <stdlib.h>
// #include <sv.h>
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"unsafe"
)

// failure is the error of the call that begin makes, and nil where that succeeds. The text of an error belongs to the
// thread of the operating system, which a goroutine otherwise may leave between two calls.
func failure(begin func() C.sv_status) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if status := begin(); status != C.SV_OK {
		return fmt.Errorf("%s: %s", C.GoString(C.sv_status_name(status)), C.GoString(C.sv_last_message()))
	}
	return nil
}

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// view describes n numbers of C memory.
func view(dtype C.sv_dtype, shape []C.int64_t, memory unsafe.Pointer, flags C.uint32_t) *C.sv_view {
	var out *C.sv_view
	check(failure(func() C.sv_status {
		return C.sv_view_from_host(dtype, C.int32_t(len(shape)), &shape[0], nil, memory, flags, &out)
	}))
	return out
}

func permute(from *C.sv_view, axes []C.int32_t) *C.sv_view {
	var out *C.sv_view
	check(failure(func() C.sv_status { return C.sv_view_permute(from, C.int32_t(len(axes)), &axes[0], &out) }))
	return out
}

func main() {
	pixels, planes := C.malloc(12), C.malloc(12*4)
	defer C.free(pixels)
	defer C.free(planes)
	for i, bytes := 0, unsafe.Slice((*byte)(pixels), 12); i < len(bytes); i++ {
		bytes[i] = byte(i)
	}

	picture := view(C.SV_UINT8, []C.int64_t{2, 2, 3}, pixels, C.SV_READ_ONLY)
	defer C.sv_view_release(picture)
	source := permute(picture, []C.int32_t{2, 0, 1})
	defer C.sv_view_release(source)
	target := view(C.SV_FLOAT32, []C.int64_t{3, 2, 2}, planes, 0)
	defer C.sv_view_release(target)

	fmt.Println(failure(func() C.sv_status { return C.sv_copy(target, source, 0, 0) })) // which says what is missing
	check(failure(func() C.sv_status { return C.sv_copy(target, source, C.SV_COPY_CAST, 0) }))
	fmt.Println(strings.ReplaceAll(fmt.Sprint(unsafe.Slice((*float32)(planes), 12)), " ", ", "))
}
