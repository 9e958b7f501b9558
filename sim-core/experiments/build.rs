//! Lists the files of `data/` and of `data/oracles/`, so that a new experiment or group of oracles is one new file.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=data");
    list("data", "experiments.rs");
    list("data/oracles", "oracles.rs");
}

/// Writes the name and the text of each JSON file of a folder as a Rust expression.
fn list(folder: &str, out: &str) {
    let mut ids: Vec<String> = fs::read_dir(folder)
        .expect("the folder is here")
        .filter_map(|file| {
            let name = file.expect("an entry can be read").file_name().into_string();
            Some(name.ok()?.strip_suffix(".json")?.to_owned())
        })
        .collect();
    ids.sort();
    let root = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let row = |id: &String| {
        let path = Path::new(&root).join(folder).join(format!("{id}.json")).display().to_string();
        format!("    ({id:?}, include_str!({path:?})),\n")
    };
    let list = format!("&[\n{}]\n", ids.iter().map(row).collect::<String>());
    let to = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&to).join(out), list).expect("the list can be written");
}
