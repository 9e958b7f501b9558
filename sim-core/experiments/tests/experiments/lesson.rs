//! The files of lessons: their claims as checks, and their texts. `docs/lessons.md` describes them.

use std::fs;
use std::path::{Path, PathBuf};

use pagewalk::config::cpu;
use pagewalk_experiments::experiment::{OracleCheck, check_claims};
use serde_json::{Map, Value as Json, json, to_value};

type Fields = Map<String, Json>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let files =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

pub(crate) struct Lesson {
    name: String,
    fields: Fields,
    /// The texts, one for each language, with their file names.
    texts: Vec<(String, String)>,
}

/// Returns the lessons, and the one that `docs/lessons.md` contains.
pub(crate) fn lessons() -> Vec<Lesson> {
    let folders = files(&root().join("lessons")).into_iter();
    let lesson = |folder: PathBuf| {
        let files = files(&folder).into_iter();
        Lesson::new(files.map(|file| (file.clone(), read(&file))).collect())
    };
    let mut lessons: Vec<_> = folders.map(lesson).collect();
    // A reader of the page may have put its lesson into the folder.
    let documented = documented();
    if lessons.iter().all(|lesson| lesson.name != documented.name) {
        lessons.push(documented);
    }
    lessons
}

/// A file of the lesson in the page stands in a code block, below its name.
fn documented() -> Lesson {
    let page = read(&root().join("docs/lessons.md"));
    let block = |part: &str| {
        let (name, rest) = part.split_once("`:\n\n```")?;
        let (_, rest) = rest.split_once('\n')?;
        let (text, _) = rest.split_once("\n```")?;
        Some((Path::new("lessons").join(name), format!("{text}\n")))
    };
    Lesson::new(page.split("\n`lessons/").filter_map(block).collect())
}

impl Lesson {
    /// # Panics
    /// If the files of a folder are no lesson.
    fn new(files: Vec<(PathBuf, String)>) -> Self {
        let folder = files[0].0.parent().and_then(Path::file_name).unwrap();
        let name = folder.to_string_lossy().into_owned();
        let (data, texts): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|(file, _)| file.ends_with("lesson.json"));
        let fields =
            serde_json::from_str(&data[0].1).unwrap_or_else(|error| panic!("{name}: {error}"));
        let named = |(file, text): (PathBuf, String)| {
            let file = file.file_name().unwrap().to_string_lossy();
            (format!("{name}/{file}"), text)
        };
        let texts = texts.into_iter().map(named).collect();
        Self { name, fields, texts }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn claims(&self) -> &[Json] {
        self.fields["claims"].as_array().unwrap()
    }

    fn claim(&self, name: &str) -> Option<&Json> {
        self.claims().iter().find(|claim| claim["name"] == name)
    }

    /// Returns the value that a number of a text is filled with: `page.2` is the third item of the claim `page`.
    pub(crate) fn value<'a>(&'a self, path: &str) -> Option<&'a Json> {
        let mut names = path.split('.');
        let claim = self.claim(names.next()?)?;
        let item = |value: &'a Json, at: &str| value.get(at.parse::<usize>().ok()?);
        let value = names.try_fold(&claim["expected"], item)?;
        (!value.is_object()).then_some(value)
    }

    /// A claim with the machine, the cores and the trace of the lesson, where it does not have its own.
    fn check(&self, claim: &Json) -> Json {
        let mut claim = claim.as_object().unwrap().clone();
        let mut default = |name: &str, value: &dyn Fn() -> Json| {
            if !claim.contains_key(name) {
                claim.insert(name.to_owned(), value());
            }
        };
        default("set", &|| self.setup());
        default("counted", &|| self.trace());
        default("cores", &|| self.fields.get("cores").cloned().unwrap_or_else(|| json!("one")));
        claim.into()
    }

    /// Runs the claims. Returns a text about each that differs.
    pub(crate) fn problems(&self) -> Vec<String> {
        let problem = |claim: &Json| {
            let (lesson, name) = (self.name(), &claim["name"]);
            match check_claims(&json!([self.check(claim)]).to_string()) {
                Err(error) => Some(format!("{lesson}, {name}: {error}")),
                Ok(checks) => checks.into_iter().find(|check| !check.agrees).map(|differs| {
                    let OracleCheck { got, expected, .. } = differs;
                    let unknown = if got == "null" { " (there is no such field)" } else { "" };
                    format!("{lesson}, {name}:\n  got      {got}{unknown}\n  expected {expected}")
                }),
            }
        };
        self.claims().iter().filter_map(problem).collect()
    }

    fn setup(&self) -> Json {
        let mut set = Fields::new();
        let cpu = &self.fields["cpu"];
        match self.fields.get("machine") {
            None => set.insert("cpu".to_owned(), cpu.clone()),
            Some(patch) => {
                let model = cpu::model(cpu.as_str().unwrap()).unwrap();
                let mut machine = to_value(&model.machine).unwrap();
                merge(&mut machine, patch);
                set.insert("machine".to_owned(), machine)
            }
        };
        if let Some(os) = self.fields.get("os") {
            let field = if os.is_string() { "pages" } else { "os" };
            set.insert(field.to_owned(), os.clone());
        }
        set.into()
    }

    /// # Panics
    /// If the trace is a loop, which only the site runs.
    fn trace(&self) -> Json {
        let trace = &self.fields["trace"];
        if let Some(lines) = trace["lines"].as_str() {
            return json!([{ "trace": lines.lines().collect::<Vec<_>>() }]);
        }
        if let Some(id) = trace["example"].as_str() {
            let file = root().join(format!("tests/fixtures/traces/{id}.csv"));
            let rows: Vec<_> = read(&file).lines().skip(1).map(scenario).collect();
            return json!([{ "trace": rows }]);
        }
        let workload = trace["workload"].as_object();
        let workload = workload.unwrap_or_else(|| panic!("{}: state `counted`", self.name()));
        let mut params = workload["params"].as_object().unwrap().clone();
        let n: u64 = params.remove("accesses").unwrap().as_str().unwrap().parse().unwrap();
        json!([{ "workload": [{ "id": workload["id"], "params": params }, n] }])
    }

    pub(crate) fn texts(&self) -> &[(String, String)] {
        &self.texts
    }
}

/// Applies a merge patch (RFC 7396).
fn merge(to: &mut Json, patch: &Json) {
    let Json::Object(patch) = patch else {
        *to = patch.clone();
        return;
    };
    if !to.is_object() {
        *to = json!({});
    }
    for (name, value) in patch {
        if value.is_null() {
            to.as_object_mut().unwrap().remove(name);
        } else {
            merge(&mut to[name], value);
        }
    }
}

/// Writes a row `kind,address,size,pid,tid,cpu,operands` as a line of a scenario.
fn scenario(row: &str) -> String {
    let cells: Vec<&str> = row.split(',').collect();
    let [kind, address, size, pid, tid, cpu, ..] = cells[..] else { panic!("{row}") };
    let words = [kind, address, size, cells[cells.len() - 1]];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    format!("{} pid {pid} tid {tid} cpu {cpu}", words.join(" "))
}
