//! Lists the experiments of `data/`, so that a new experiment is one new file.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=data");
    let mut ids: Vec<String> = fs::read_dir("data")
        .expect("the folder of the experiments is here")
        .filter_map(|file| {
            let name = file.expect("an entry can be read").file_name().into_string();
            Some(name.ok()?.strip_suffix(".json")?.to_owned())
        })
        .collect();
    ids.sort();
    let folder = Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("data");
    let row = |id: &String| {
        let path = folder.join(format!("{id}.json")).display().to_string();
        format!("    ({id:?}, include_str!({path:?})),\n")
    };
    let list = format!("&[\n{}]\n", ids.iter().map(row).collect::<String>());
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("experiments.rs"), list).expect("the list can be written");
}
