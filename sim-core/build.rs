//! Lists the CPU models of `cpus/`, so that a new model is one new file. With `PAGEWALK_CPUS=short`, the models have no
//! sources and no other names: the module that the site opens with leaves them to the whole module.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=cpus");
    println!("cargo::rerun-if-env-changed=PAGEWALK_CPUS");
    println!("cargo::rustc-check-cfg=cfg(short_cpus)");
    let is_short = env::var("PAGEWALK_CPUS").is_ok_and(|value| value == "short");
    if is_short {
        println!("cargo::rustc-cfg=short_cpus");
    }
    let mut ids: Vec<String> = fs::read_dir("cpus")
        .expect("the folder of the models is here")
        .filter_map(|file| {
            let name = file.expect("an entry can be read").file_name().into_string();
            Some(name.ok()?.strip_suffix(".json")?.to_owned())
        })
        .collect();
    ids.sort();
    let row = |id: &String| {
        let path = Path::new("cpus").join(format!("{id}.json"));
        let text = fs::read_to_string(path).expect("a model can be read");
        let text = if is_short { without_sources(&text) } else { text };
        let text = without_spaces(&text);
        format!("    ({id:?}, {text:?}),\n")
    };
    let list = format!("&[\n{}]\n", ids.iter().map(row).collect::<String>());
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("cpus.rs"), list).expect("the list can be written");
}

/// Returns JSON without the spaces outside of its strings: the module that browsers load is smaller.
fn without_spaces(json: &str) -> String {
    let (mut is_string, mut is_escaped) = (false, false);
    let is_kept = |letter: &char| {
        let ends = *letter == '"' && !is_escaped;
        is_escaped = is_string && *letter == '\\' && !is_escaped;
        is_string ^= ends;
        is_string || !letter.is_whitespace()
    };
    json.chars().filter(is_kept).collect()
}

/// Returns a model without the rows of `aliases` and `provenance`, each of which has a line, and without indentation.
fn without_sources(model: &str) -> String {
    let mut is_source = false;
    let mut kept = String::new();
    for line in model.lines() {
        match line {
            "  \"provenance\": [" | "  \"aliases\": [" => {
                is_source = true;
                kept.push_str(line.trim_start());
            }
            "  ]" | "  ]," if is_source => {
                is_source = false;
                kept.push_str(line.trim_start());
            }
            _ if is_source => {}
            // A changed value of a variant, with its source and note at the end of the line.
            _ if line.contains("\"value\"") && line.contains(", \"source\"") => {
                let end = line.find(", \"source\"").expect("it is there");
                kept.push_str(line[..end].trim_start());
                kept.push_str(", \"source\": \"\"}");
                kept.push_str(if line.ends_with(',') { "," } else { "" });
            }
            _ => kept.push_str(line.trim_start()),
        }
        kept.push('\n');
    }
    assert!(
        !is_source && kept.contains("\"provenance\": ["),
        "every model lists its sources, a line each"
    );
    kept
}
