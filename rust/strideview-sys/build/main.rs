//! Finds libsv, in this order:
//!
//! 1. the directory `STRIDEVIEW_LIB_DIR`;
//! 2. what `pkg-config strideview` knows, unless the feature `vendored` is on;
//! 3. a build of the sources around this folder, in `vendored.rs`.
//!
//! `STRIDEVIEW_STATIC=1` links the static library of the first two. Dependents read the directory from
//! `DEP_SV_LIBDIR`.

mod pkg_config;
mod vendored;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::exit;

use pkg_config::PkgConfig;

/// What rustc is told: a directory, whether libsv is linked from an archive, and what the archive needs besides.
pub struct Found {
    directory: Option<PathBuf>,
    is_static: bool,
    words: Vec<String>,
}

const WHAT_TO_DO: &str = "Do one of these:
  - install libsv (./configure && make install), and set PKG_CONFIG_PATH if it is not in the system's directories
  - set STRIDEVIEW_LIB_DIR to the directory that holds libsv.so, or libsv.a with STRIDEVIEW_STATIC=1
  - build it from source: --features vendored";

fn main() {
    for name in ["STRIDEVIEW_LIB_DIR", "STRIDEVIEW_STATIC", "STRIDEVIEW_CONFIGURE", "PKG_CONFIG", "PKG_CONFIG_PATH"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    println!("cargo::rerun-if-changed=build");
    match find() {
        Ok(found) => link(&found),
        Err(message) => {
            eprintln!("strideview-sys: {message}");
            exit(1);
        }
    }
}

fn find() -> Result<Found, String> {
    let is_static = is_static()?;
    if let Some(directory) = env::var_os("STRIDEVIEW_LIB_DIR") {
        return in_directory(Path::new(&directory), is_static);
    }
    if env::var_os("CARGO_FEATURE_VENDORED").is_some() {
        return vendored::build();
    }
    match PkgConfig::find() {
        Ok(package) => package.library(is_static),
        Err(missing) => vendored::build()
            .map_err(|failed| format!("{missing}, and libsv was not built from source: {failed}\n{WHAT_TO_DO}")),
    }
}

fn is_static() -> Result<bool, String> {
    match env::var("STRIDEVIEW_STATIC").as_deref() {
        Ok("1") => Ok(true),
        Ok("" | "0") | Err(_) => Ok(false),
        Ok(other) => Err(format!("STRIDEVIEW_STATIC is {other:?}, and takes 1 or 0")),
    }
}

/// A directory that was named. What a static library needs stands in the pkg-config file of an installation, which is
/// below the directory, or of a build tree, which is above.
fn in_directory(directory: &Path, is_static: bool) -> Result<Found, String> {
    let file = if is_static { "libsv.a" } else { "libsv.so" };
    let directory = fs::canonicalize(directory)
        .map_err(|error| format!("STRIDEVIEW_LIB_DIR={}: {error}\n{WHAT_TO_DO}", directory.display()))?;
    if !directory.join(file).exists() {
        return Err(format!("STRIDEVIEW_LIB_DIR={}: no {file} is there\n{WHAT_TO_DO}", directory.display()));
    }
    let mut words = Vec::new();
    if is_static {
        let places = [directory.join("pkgconfig/strideview.pc"), directory.join("../strideview.pc")];
        if let Some(place) = places.iter().find(|place| place.exists()) {
            words = pkg_config::private_libraries(place)?;
        }
    }
    Ok(Found { directory: Some(directory), is_static, words })
}

/// Tells cargo. Words other than -L and -l are for C compilers, and left out.
fn link(found: &Found) {
    if let Some(directory) = &found.directory {
        println!("cargo::rustc-link-search=native={}", directory.display());
        println!("cargo::metadata=LIBDIR={}", directory.display());
    }
    println!("cargo::rustc-link-lib={}=sv", if found.is_static { "static" } else { "dylib" });
    for word in &found.words {
        match word.split_at_checked(2) {
            Some(("-L", directory)) => println!("cargo::rustc-link-search=native={directory}"),
            Some(("-l", name)) if name != "sv" => println!("cargo::rustc-link-lib={name}"),
            _ => {}
        }
    }
}
