## The package for Julia. tests/abi/julia.py reads it, and runs its tests where julia is.
EXTRA_DIST += \
	julia/StrideView/Project.toml \
	julia/StrideView/README.md \
	julia/StrideView/src/StrideView.jl \
	julia/StrideView/src/copies.jl \
	julia/StrideView/src/dlpack.jl \
	julia/StrideView/src/errors.jl \
	julia/StrideView/src/handles.jl \
	julia/StrideView/src/operations.jl \
	julia/StrideView/src/view.jl \
	julia/StrideView/test/runtests.jl
