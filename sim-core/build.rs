//! Lists the CPU models of `cpus/`, so that a new model is one new file.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=cpus");
    let mut ids: Vec<String> = fs::read_dir("cpus")
        .expect("the folder of the models is here")
        .filter_map(|file| {
            let name = file.expect("an entry can be read").file_name().into_string();
            Some(name.ok()?.strip_suffix(".json")?.to_owned())
        })
        .collect();
    ids.sort();
    let folder = Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("cpus");
    let row = |id: &String| {
        let path = folder.join(format!("{id}.json"));
        let path = path.to_str().expect("the path is text");
        format!("    ({id:?}, include_str!({path:?})),\n")
    };
    let list = format!("&[\n{}]\n", ids.iter().map(row).collect::<String>());
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("cpus.rs"), list).expect("the list can be written");
}
