//! Writes the CPU models without their sources, for programs that are built without the feature
//! `sources`: the machines are a fifth of the files.

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

fn main() {
    println!("cargo::rerun-if-changed=cpus");
    if env::var_os("CARGO_FEATURE_SOURCES").is_some() {
        return;
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names it"));
    for file in fs::read_dir("cpus").expect("the models are here") {
        let path = file.expect("it can be listed").path();
        let name = path.file_name().expect("it has one");
        fs::write(out.join(name), machine_of(&path)).expect("it can be written");
    }
}

/// A model as its file has it, with everything but where its numbers come from.
fn machine_of(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("it can be read");
    let mut model: Value = serde_json::from_str(&text).expect("it is JSON");
    model["provenance"] = Value::Array(Vec::new());
    for variant in list_of(&mut model, "variants") {
        for change in list_of(variant, "changes") {
            change["source"] = "".into();
            change["note"] = Value::Null;
        }
    }
    model.to_string()
}

fn list_of<'a>(value: &'a mut Value, key: &str) -> impl Iterator<Item = &'a mut Value> {
    value.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten()
}
