//! pkg-config, run as a program: `PKG_CONFIG` names another one.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Found;

/// The oldest library whose functions the declarations may call.
const LEAST_VERSION: &str = env!("CARGO_PKG_VERSION");

/// An installed libsv.
pub struct PkgConfig {
    directory: PathBuf,
}

impl PkgConfig {
    /// The library that pkg-config knows; else a text that says why there is none.
    pub fn find() -> Result<PkgConfig, String> {
        let wanted = format!("strideview >= {LEAST_VERSION}");
        ask(&["--print-errors", "--exists", &wanted])?;
        let directory = ask(&["--variable=libdir", "strideview"])?;
        Ok(PkgConfig { directory: PathBuf::from(directory) })
    }

    pub fn library(&self, is_static: bool) -> Result<Found, String> {
        let words =
            if is_static { ask(&["--static", "--libs", "strideview"]) } else { ask(&["--libs", "strideview"]) }?;
        if is_static && !self.directory.join("libsv.a").exists() {
            return Err(format!(
                "STRIDEVIEW_STATIC=1, but {} has no libsv.a: configure libsv without --disable-static",
                self.directory.display()
            ));
        }
        let words = words.split_whitespace().map(String::from).collect();
        Ok(Found { directory: Some(self.directory.clone()), is_static, words })
    }
}

/// One line that pkg-config prints.
fn ask(arguments: &[&str]) -> Result<String, String> {
    let program = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".into());
    let run =
        Command::new(&program).args(arguments).output().map_err(|error| format!("{program} did not run ({error})"))?;
    if !run.status.success() {
        let said = String::from_utf8_lossy(&run.stderr);
        return Err(format!("{program} found no strideview: {}", said.trim()));
    }
    Ok(String::from_utf8_lossy(&run.stdout).trim().to_string())
}

/// What `libsv.a` needs besides: the line Libs.private, which has no variables.
pub fn private_libraries(file: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let line = text.lines().find_map(|line| line.strip_prefix("Libs.private:")).unwrap_or("");
    Ok(line.split_whitespace().map(String::from).collect())
}
