//! Puts the site and the commit into the program.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    embed_site(is_release);
    tell_commit(is_release);
}

/// Compresses the files of the site once. Tests and other builds for development have no site, so that a new site
/// rebuilds nothing.
fn embed_site(is_release: bool) {
    println!("cargo::rerun-if-env-changed=PAGEWALK_SITE");
    let usual = || is_release.then(|| PathBuf::from("../../dist")).filter(|it| it.is_dir());
    let mut files = Vec::new();
    if let Some(site) = env::var_os("PAGEWALK_SITE").map(PathBuf::from).or_else(usual) {
        println!("cargo::rerun-if-changed={}", site.display());
        assert!(site.join("index.html").is_file(), "{}: there is no built site", site.display());
        find(&site, "", &mut files);
    } else if is_release {
        // The site may be built later: the next build then puts it into the program.
        println!("cargo::rerun-if-changed=../../dist");
        println!(
            "cargo::warning=there is no built site, so `pagewalk open` will show none: run `npm run build` in the folder of package.json, then build again"
        );
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut list = String::from("&[\n");
    for (number, (name, path)) in files.iter().enumerate() {
        let bytes = fs::read(path).expect("the site can be read");
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&bytes).expect("memory can be written");
        let packed = packed.finish().expect("memory can be written");
        let is_packed = packed.len() < bytes.len() / 10 * 9;
        let place = out.join(format!("site-{number}"));
        fs::write(&place, if is_packed { packed } else { bytes }).expect("cargo's folder");
        let place = place.to_str().expect("cargo's folder");
        list += &format!("    ({name:?}, {is_packed}, include_bytes!({place:?})),\n");
    }
    fs::write(out.join("site.rs"), list + "]").expect("cargo's folder can be written");
}

/// Collects the files of a folder by their names in addresses, in order.
fn find(folder: &Path, before: &str, files: &mut Vec<(String, PathBuf)>) {
    let entries = fs::read_dir(folder).expect("the site can be read");
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().and_then(|name| name.to_str()).expect("names of the site");
        let name = format!("{before}{name}");
        if path.is_dir() {
            find(&path, &format!("{name}/"), files);
        } else {
            files.push((name, path));
        }
    }
}

/// Tells the program the commit that it is built from, if `PAGEWALK_COMMIT` or git knows it.
///
/// Only release builds ask git: a new commit rebuilds no test, and the output of a test names no commit.
fn tell_commit(is_release: bool) {
    println!("cargo::rerun-if-env-changed=PAGEWALK_COMMIT");
    if !is_release || env::var_os("PAGEWALK_COMMIT").is_some() {
        return;
    }
    // The sources may lie in somebody else's repository, whose commits say nothing about them.
    if git(&["ls-files", "--error-unmatch", "build.rs"]).is_none() {
        return;
    }
    let Some(commit) = git(&["rev-parse", "HEAD"]) else { return };
    // Git adds a line to the log with each commit, also in a worktree.
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name]).unwrap_or_default();
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    for folder in fs::read_dir("..").into_iter().flatten().flatten() {
        let folder = folder.path();
        if !["../target", "../fuzz"].iter().any(|other| folder == Path::new(other)) {
            println!("cargo::rerun-if-changed={}", folder.display());
        }
    }
    let is_clean = git(&["status", "--porcelain", "--", ".."]).is_some_and(|it| it.is_empty());
    let mark = if is_clean { "" } else { "-dirty" };
    println!("cargo::rustc-env=PAGEWALK_COMMIT={commit}{mark}");
}

/// Returns what git prints, if it can.
fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("--no-optional-locks").args(words).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}
