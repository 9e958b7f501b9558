//! Lists the files of `data/` and of `data/oracles/`, so that a new experiment or group of oracles is one new file.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=data");
    list("data", "experiments.rs");
    list("data/oracles", "oracles.rs");
}

/// Writes the name and the text of each JSON file of a folder as a Rust expression. The texts have no indentation, which
/// would be a tenth of the module that browsers load.
fn list(folder: &str, out: &str) {
    let mut ids: Vec<String> = fs::read_dir(folder)
        .expect("the folder is here")
        .filter_map(|file| {
            let name = file.expect("an entry can be read").file_name().into_string();
            Some(name.ok()?.strip_suffix(".json")?.to_owned())
        })
        .collect();
    ids.sort();
    let row = |id: &String| {
        let path = Path::new(folder).join(format!("{id}.json"));
        let text = fs::read_to_string(path).expect("a file of the folder can be read");
        let text: String = text.lines().map(str::trim_start).collect();
        format!("    ({id:?}, {text:?}),\n")
    };
    let list = format!("&[\n{}]\n", ids.iter().map(row).collect::<String>());
    let to = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&to).join(out), list).expect("the list can be written");
}
