//! Tells the program the commit that it is built from, if `PAGEWALK_COMMIT` or git knows it.
//!
//! Only release builds ask git: a new commit rebuilds no test, and the output of a test names no commit.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PAGEWALK_COMMIT");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
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
