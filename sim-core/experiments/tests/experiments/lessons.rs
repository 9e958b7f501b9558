//! Tests of the lessons: their claims agree with the simulator, and their texts have no number that is not a claim.
//! `docs/lessons.md` describes the files.

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

struct Lesson {
    folder: PathBuf,
    fields: Fields,
}

fn lessons() -> Vec<Lesson> {
    let folders = files(&root().join("lessons"));
    let read = |folder: PathBuf| {
        let json = read(&folder.join("lesson.json"));
        let fields = serde_json::from_str(&json)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        Lesson { folder, fields }
    };
    folders.into_iter().map(read).collect()
}

impl Lesson {
    fn name(&self) -> String {
        self.folder.file_name().unwrap().to_string_lossy().into_owned()
    }

    fn claims(&self) -> &[Json] {
        self.fields["claims"].as_array().unwrap()
    }

    fn claim(&self, name: &str) -> Option<&Json> {
        self.claims().iter().find(|claim| claim["name"] == name)
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
    fn problems(&self) -> String {
        let mut problems = String::new();
        for claim in self.claims() {
            match check_claims(&json!([self.check(claim)]).to_string()) {
                Ok(checks) => {
                    problems.extend(checks.into_iter().filter(|check| !check.agrees).map(|check| {
                        let OracleCheck { name, got, expected, .. } = check;
                        format!(
                            "{}, {name}:\n  got      {got}\n  expected {expected}\n",
                            self.name()
                        )
                    }))
                }
                Err(error) => problems += &format!("{}, {}: {error}\n", self.name(), claim["name"]),
            }
        }
        problems
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

    /// The texts, one for each language, with their file names.
    fn texts(&self) -> Vec<(String, String)> {
        let texts = files(&self.folder).into_iter();
        let texts = texts.filter(|file| file.extension().is_some_and(|ending| ending == "md"));
        let named = |file: PathBuf| {
            let name = file.file_name().unwrap().to_string_lossy();
            (format!("{}/{name}", self.name()), read(&file))
        };
        texts.map(named).collect()
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

/// A number in a text: the value of a claim, `{=page}` or `{=page.2}`, or digits.
#[derive(Debug, PartialEq)]
enum Number<'a> {
    Claimed(&'a str),
    Digits(&'a str),
}

/// Returns the numbers of a text. Page sizes such as 4K and names such as L1 are none, and marks are left out.
fn numbers(text: &str) -> Vec<Number<'_>> {
    let mut found = Vec::new();
    let mut left = text;
    while !left.is_empty() {
        if let Some((_, rest)) = left.strip_prefix("](").and_then(|mark| mark.split_once(')')) {
            left = rest;
        } else if let Some((name, rest)) =
            left.strip_prefix("{=").and_then(|name| name.split_once('}'))
        {
            found.push(Number::Claimed(name));
            left = rest;
        } else {
            let length = left.find(|it: char| !it.is_ascii_alphanumeric()).unwrap_or(left.len());
            let word = &left[..length];
            if word.starts_with(|it: char| it.is_ascii_digit()) && !is_size(word) {
                found.push(Number::Digits(word));
            }
            let other = left[length..].chars().next().filter(|_| length == 0);
            left = &left[length + other.map_or(0, char::len_utf8)..];
        }
    }
    found
}

fn is_size(word: &str) -> bool {
    let digits = word.strip_suffix(['K', 'M', 'G']);
    digits.is_some_and(|digits| digits.bytes().all(|it| it.is_ascii_digit()))
}

/// Returns the value that a number is filled with: `page.2` is the third item of the claim `page`.
fn value<'a>(lesson: &'a Lesson, path: &str) -> Option<&'a Json> {
    let mut names = path.split('.');
    let claim = lesson.claim(names.next()?)?;
    let value =
        names.try_fold(&claim["expected"], |value, at| value.get(at.parse::<usize>().ok()?));
    value.filter(|value| !value.is_object())
}

#[test]
fn the_claims_of_lessons_agree() {
    let lessons = lessons();
    let problems: String = std::thread::scope(|threads| {
        let runs: Vec<_> = lessons.iter().map(|it| threads.spawn(|| it.problems())).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(problems.is_empty(), "{problems}");
}

#[test]
fn every_lesson_has_a_claim() {
    let lessons = lessons();
    assert!(!lessons.is_empty());
    let bare: Vec<_> =
        lessons.iter().filter(|it| it.claims().is_empty()).map(Lesson::name).collect();
    assert!(bare.is_empty(), "{bare:?}");
}

#[test]
fn every_number_in_the_texts_is_a_claim() {
    let mut problems = Vec::new();
    for lesson in lessons() {
        for (file, text) in lesson.texts() {
            for (line, text) in (1..).zip(text.lines()) {
                problems.extend(numbers(text).into_iter().filter_map(|number| {
                    match number {
                        Number::Claimed(path) => value(&lesson, path)
                            .is_none()
                            .then(|| format!("{file}:{line}: no claim has the value {{={path}}}")),
                        Number::Digits(digits) => Some(format!(
                            "{file}:{line}: {digits} is no claim: write {{=NAME}} and claim it"
                        )),
                    }
                }));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn claims_have_names_of_their_own_and_values_as_they_are_shown() {
    for lesson in lessons() {
        for claim in lesson.claims() {
            let name = claim["name"].as_str().unwrap();
            let same = lesson.claims().iter().filter(|other| other["name"] == name);
            assert_eq!(same.count(), 1, "{}: {name}", lesson.name());
            // Braces are expressions, which the site does not evaluate.
            let shown = claim["expected"].to_string();
            assert!(
                !shown.contains('{') && claim.get("each").is_none(),
                "{}: {name}",
                lesson.name()
            );
        }
    }
}

#[test]
fn numbers_are_claims_or_digits() {
    use Number::{Claimed, Digits};
    let cases: [(&str, &[Number<'_>]); 7] = [
        ("page {=page.2} of [4K](level-1)", &[Claimed("page.2")]),
        ("L1 and x86 are names, 2M is a size", &[]),
        ("8,192 walks", &[Digits("8"), Digits("192")]),
        ("at 0x3d4, 100MB", &[Digits("0x3d4"), Digits("100MB")]),
        ("有4个集合", &[Digits("4")]),
        ("{address} = {=address}, {", &[Claimed("address")]),
        ("", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(numbers(text), expected, "{text}");
    }
}
