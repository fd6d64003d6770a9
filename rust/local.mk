## The crates for Rust, which cargo builds. tests/abi/rust_crates.py tests them in the build tree.
EXTRA_DIST += \
	rust/Cargo.lock \
	rust/Cargo.toml \
	rust/rustfmt.toml \
	rust/strideview-sys/Cargo.toml \
	rust/strideview-sys/build/main.rs \
	rust/strideview-sys/build/pkg_config.rs \
	rust/strideview-sys/build/vendored.rs \
	rust/strideview-sys/src/lib.rs \
	rust/strideview/Cargo.toml \
	rust/strideview/examples/planes.rs \
	rust/strideview/src/array.rs \
	rust/strideview/src/copy.rs \
	rust/strideview/src/dlpack.rs \
	rust/strideview/src/dtype.rs \
	rust/strideview/src/element.rs \
	rust/strideview/src/error.rs \
	rust/strideview/src/handle.rs \
	rust/strideview/src/layout.rs \
	rust/strideview/src/layout/rearrange.rs \
	rust/strideview/src/lib.rs \
	rust/strideview/src/parallel.rs \
	rust/strideview/src/plan.rs \
	rust/strideview/src/slice.rs \
	rust/strideview/src/view.rs \
	rust/strideview/src/view_mut.rs \
	rust/strideview/tests/copies.rs \
	rust/strideview/tests/dlpack.rs \
	rust/strideview/tests/layouts.rs \
	rust/strideview/tests/threads.rs \
	rust/strideview/tests/views.rs
