! Pixels (height x width x colour) read as planes (colour x height x width), and copied out as such, as numbers of
! another type. Fortran names the axes the other way round: pixels(colour, column, row), planes(column, row, colour).
!
!     gfortran ../../bindings/strideview.f90 main.f90 -lsv && ./a.out
program main
    use strideview
    implicit none
    integer(c_int8_t), target :: pixels(3, 2, 2)
    real(c_float), target :: planes(2, 2, 3)
    type(c_ptr) :: picture = c_null_ptr, source = c_null_ptr, target_view = c_null_ptr
    integer :: i

    if (sv_abi_version() /= SV_ABI_VERSION_VALUE) error stop "libsv has another ABI version than the module"
    pixels = reshape([(int(i, c_int8_t), i = 0, 11)], shape(pixels))
    call check(sv_view_from_host(SV_UINT8, 3, [2_c_int64_t, 2_c_int64_t, 3_c_int64_t], pointer=c_loc(pixels), &
                                 flags=SV_READ_ONLY, out=picture))
    call check(sv_view_permute(picture, 3, [2, 0, 1], source))
    call check(sv_view_from_host(SV_FLOAT32, 3, [3_c_int64_t, 2_c_int64_t, 2_c_int64_t], pointer=c_loc(planes), &
                                 flags=0, out=target_view))
    call complain(sv_copy(target_view, source, 0, 0_c_intptr_t)) ! which says what is missing
    call check(sv_copy(target_view, source, SV_COPY_CAST, 0_c_intptr_t))
    print "('[', i0, 11(', ', i0), ']')", int(planes)
    call sv_view_release(target_view)
    call sv_view_release(source)
    call sv_view_release(picture)

contains

    subroutine complain(status)
        integer(c_int32_t), intent(in) :: status

        if (status /= SV_OK) print "(3a)", sv_text(sv_status_name(status)), ": ", sv_text(sv_last_message())
    end subroutine

    subroutine check(status)
        integer(c_int32_t), intent(in) :: status

        call complain(status)
        if (status /= SV_OK) error stop 1
    end subroutine
end program
