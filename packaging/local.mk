## Releases and packages: packaging/README.md.
EXTRA_DIST += \
	packaging/README.md \
	packaging/check_release.py \
	packaging/conda/meta.yaml \
	packaging/debian/changelog \
	packaging/debian/control \
	packaging/debian/copyright \
	packaging/debian/libsv-dev.install \
	packaging/debian/libsv0.install \
	packaging/debian/libsv0.symbols \
	packaging/debian/rules \
	packaging/debian/source/format \
	packaging/licences.md \
	packaging/mirror.sh \
	packaging/release.sh \
	packaging/spack/package.py \
	packaging/wheels.sh
