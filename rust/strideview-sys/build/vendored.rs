//! Builds libsv from the sources around this folder, as setup.py does: from a copy, since Automake refuses to build a
//! tree elsewhere that was configured in place. The library is static.
//!
//! `STRIDEVIEW_CONFIGURE` has the arguments for configure, separated by spaces; without it `--without-cuda`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Found, pkg_config};

/// Folders of which every source is needed; build-aux is what autoreconf makes. Of the others only the lists of files
/// are, which Makefile.in depends on.
const WHOLE: [&str; 5] = ["bindings", "build-aux", "include", "m4", "src"];
const LISTED: [&str; 5] = ["doc", "examples", "py", "rust", "tests"];

/// Ends of names that building inside the tree leaves there.
const BUILT: [&str; 9] = [".a", ".fatbin", ".la", ".lai", ".lo", ".log", ".o", ".so", ".trs"];
const BUILT_NAMES: [&str; 4] = ["Makefile", "config.status", "libtool", "strideview.pc"];

pub fn build() -> Result<Found, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if !root.join("include/sv.h").exists() {
        return Err(format!("the sources of libsv are not in {}", root.display()));
    }
    println!("cargo::rerun-if-changed={}", root.join("src").display());
    println!("cargo::rerun-if-changed={}", root.join("include").display());
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let (source, tree) = (out.join("libsv-source"), out.join("libsv"));
    for folder in [&source, &tree] {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    copy_sources(&root, &source).map_err(|error| format!("the sources cannot be copied: {error}"))?;
    if !source.join("configure").exists() {
        run(Command::new("autoreconf").arg("-fi").current_dir(&source)).map_err(|error| {
            format!(
                "a git checkout has no configure; to make it, install autoconf, automake, libtool and pkg-config, \
                     and run ./bootstrap --no-install. {error}"
            )
        })?;
    }
    configure(&root, &source, &tree)?;
    run(make(&tree).arg("libsv.la"))?;
    Ok(Found {
        directory: Some(tree.join(".libs")),
        is_static: true,
        words: pkg_config::private_libraries(&tree.join("strideview.pc"))?,
    })
}

fn configure(root: &Path, source: &Path, tree: &Path) -> Result<(), String> {
    let given = env::var("STRIDEVIEW_CONFIGURE").unwrap_or_else(|_| "--without-cuda".into());
    let mut command = Command::new("sh");
    command
        .arg(source.join("configure"))
        .args(["--quiet", "--disable-shared", "--with-pic", "--disable-dependency-tracking", "--with-criterion=no"])
        .args(given.split_whitespace())
        .current_dir(tree);
    // The Python that ./bootstrap made has the header of DLPack.
    let python = root.join(".venv/bin/python");
    if env::var_os("PYTHON").is_none() && python.exists() {
        command.env("PYTHON", python);
    }
    run(&mut command)
        .map_err(|error| format!("{error}\nSTRIDEVIEW_CONFIGURE has configure's arguments, as --with-dlpack=DIR"))
}

/// make, in as many jobs as cargo allows.
fn make(tree: &Path) -> Command {
    let mut command = Command::new("make");
    command.current_dir(tree).env_remove("MAKEFLAGS").env_remove("MFLAGS").env_remove("MAKELEVEL");
    command.arg(format!("-j{}", env::var("NUM_JOBS").unwrap_or_else(|_| "1".into())));
    command
}

/// Runs a command; what it prints is shown only when it fails.
fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command.output().map_err(|error| format!("{name} did not run ({error})"))?;
    if done.status.success() {
        return Ok(());
    }
    let said = [done.stdout, done.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    let lines: Vec<&str> = said.lines().collect();
    Err(format!("{name} failed:\n{}", lines[lines.len().saturating_sub(30)..].join("\n")))
}

fn copy_sources(root: &Path, target: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            copy_file(&entry.path(), &target.join(entry.file_name()))?;
        }
    }
    for folder in WHOLE.into_iter().filter(|folder| root.join(folder).exists()) {
        copy_folder(&root.join(folder), &target.join(folder), &|_| true)?;
    }
    for folder in LISTED {
        copy_folder(&root.join(folder), &target.join(folder), &|name| name.ends_with(".mk"))?;
    }
    Ok(())
}

/// Copies a folder, without hidden ones and cargo's: the copy itself is in `rust/target`, unless cargo has another
/// folder.
fn copy_folder(from: &Path, to: &Path, wanted: &dyn Fn(&str) -> bool) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        let text = name.to_string_lossy();
        if entry.file_type()?.is_dir() {
            if !text.starts_with('.') && text != "target" {
                copy_folder(&entry.path(), &to.join(&name), wanted)?;
            }
        } else if wanted(&text) {
            copy_file(&entry.path(), &to.join(&name))?;
        }
    }
    Ok(())
}

/// Copies a source with its time, by which make tells that configure and Makefile.in need not be made again.
fn copy_file(from: &Path, to: &Path) -> std::io::Result<()> {
    let name = from.file_name().unwrap_or_default().to_string_lossy();
    if BUILT_NAMES.contains(&&*name) || BUILT.iter().any(|end| name.ends_with(end)) {
        return Ok(());
    }
    let time = fs::metadata(from)?.modified()?;
    let _ = fs::remove_file(to);
    fs::write(to, fs::read(from)?)?;
    fs::File::options().write(true).open(to)?.set_modified(time)
}
