using StrideView
using Test

const sv = StrideView.sv

# Calls the deleter of a tensor, which stands behind the version and the context.
function delete(tensor::Ptr{sv.DLManagedTensorVersioned})
    deleter = unsafe_load(Ptr{Ptr{Cvoid}}(tensor + 16))
    ccall(deleter, Cvoid, (Ptr{Cvoid},), tensor)
end

# Frees what no program can reach any more. Twice, since a handle keeps the one that it was made from.
function collect_all()
    for _ in 1:3
        GC.gc()
        StrideView.release_pending()
    end
end

@testset "views of arrays" begin
    for type in keys(StrideView.DTYPES), dims in ((), (3,), (2, 3), (2, 0, 3), (2, 3, 4))
        array = zeros(type, dims)
        v = View(array)
        @test eltype(v) == type
        @test size(v) == dims
        @test isempty(array) || strides(v) == strides(array)
        @test v == array
    end
    array = reshape(collect(1:24), 2, 3, 4)
    @test View(array) == array
    part = Base.view(array, 2:-1:1, :, 2:2:4)
    @test View(part) == part
    @test_throws ArgumentError View(['a', 'b'])
end

@testset "elements" begin
    array = zeros(Int32, 2, 3)
    v = View(array)
    v[2, 3] = 7
    @test array[2, 3] == 7
    @test v[2, 3] == 7
    @test_throws BoundsError v[3, 1]
    @test_throws BoundsError v[0, 1]
    @test_throws InexactError (v[1, 1] = 1.5)
    closed = View(array; readonly = true)
    @test isreadonly(closed) && !isreadonly(v)
    @test_throws ReadOnlyMemoryError (closed[1, 1] = 1)
    @test occursin("7", sprint(show, MIME"text/plain"(), v))
end

@testset "operations" begin
    array = reshape(collect(1:24), 2, 3, 4)
    v = View(array)
    for axes in ((1, 2, 3), (3, 1, 2), (2, 3, 1), (3, 2, 1))
        @test permute(v, axes) == permutedims(array, axes)
    end
    @test_throws ArgumentError permute(v, (1, 1, 2))
    @test_throws ArgumentError permute(v, (0, 1, 2))
    for indices in ((:, :, :), (1:2, 2:3, 1:2:4), (2:-1:1, 3:-2:1, :), (1, :, 4), (2, 3, 4), (:, 3:2, :), (2:1, 1:-1:2, 4:-1:1))
        @test slice(v, indices...) == array[indices...] || slice(v, indices...)[] == array[indices...]
    end
    @test_throws BoundsError slice(v, 1:3, :, :)
    @test reshape(v, (6, 4)) == reshape(array, 6, 4)
    @test reshape(v, (4, 3, 2)) == reshape(array, 4, 3, 2)
    @test reshape(v, (24,)) == vec(array)
    @test_throws DimensionMismatch reshape(v, (5, 5))
    mixed = reshape(permute(v, (2, 1, 3)), (6, 4))
    @test mixed == reshape(permutedims(array, (2, 1, 3)), 6, 4) && !(mixed isa View)
    @test reshape(v, (6, 4)) isa View
    row = View(reshape(collect(1:3), 1, 3))
    @test broadcast_to(row, (2, 3, 2)) == [j for _ in 1:2, j in 1:3, _ in 1:2]
    @test_throws StrideError broadcast_to(row, (2, 4))
end

@testset "copies" begin
    pixels = reshape(collect(UInt8, 0:11), 3, 2, 2)
    planes = zeros(Float32, 2, 2, 3)
    source = permute(View(pixels), (2, 3, 1))
    error = try
        copy_elements!(planes, source)
    catch error
        error
    end
    @test error isa StrideError && error.status == sv.SV_ERROR_DTYPE
    @test occursin("SV_ERROR_DTYPE: dst has float32", sprint(showerror, error))
    @test copy_elements!(planes, source; casting = :same_kind) === planes
    @test planes == permutedims(pixels, (2, 3, 1))
    @test copy(source) == permutedims(pixels, (2, 3, 1))
    @test copy(source) isa Array{UInt8,3}
    @test_throws DimensionMismatch copy_elements!(zeros(UInt8, 2), zeros(UInt8, 3))
    @test_throws ArgumentError copy_elements!(planes, planes; casting = :any)
    @test_throws StrideError copy_elements!(View(planes; readonly = true), planes)
    square = [1 2; 3 4]
    copy_elements!(square, permute(View(square), (2, 1)))
    @test square == [1 3; 2 4]
    @test fill!(View(square), 5) == [5 5; 5 5]
    @test square == [5 5; 5 5]
end

@testset "DLPack" begin
    array = reshape(collect(Float64, 1:6), 2, 3)
    tensor = to_dlpack(permute(View(array), (2, 1)))
    back = from_dlpack(tensor)
    @test back isa View{Float64,2}
    @test back == permutedims(array)
    back[3, 2] = 0
    @test array[2, 3] == 0
    again = from_dlpack_unversioned(to_dlpack_unversioned(back))
    @test again == back && isreadonly(again)
    @test !isreadonly(from_dlpack_unversioned(to_dlpack_unversioned(back); readonly = false))
    @test isreadonly(from_dlpack(to_dlpack(View(array; readonly = true))))
    @test_throws StrideError to_dlpack_unversioned(View(array; readonly = true))
end

@testset "memory is let go" begin
    # A tensor keeps the array of a view that is gone.
    gone = Ref(false)
    @noinline function exported()
        array = finalizer(_ -> (gone[] = true), zeros(Int16, 1000))
        return to_dlpack(slice(View(array), 2:999))
    end
    tensor = exported()
    collect_all()
    @test !gone[]
    delete(tensor)
    collect_all()
    @test gone[]

    # Nothing is left of many views.
    views = [permute(View(zeros(4, 4)), (2, 1)) for _ in 1:1000]
    @test length(views) == 1000
    views = nothing
    collect_all()
    @test (@atomic StrideView.DEFERRED.head) === nothing
end
