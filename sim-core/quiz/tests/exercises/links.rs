//! Links: written, read, old, newer, cut, damaged and long.

use pagewalk_quiz::exercise::{Exercise, read_link};
use serde_json::json;

use crate::packed;
use crate::support::exercise;

/// The link comes from another program: zlib and Base64 of Python. Links that were handed out stay readable.
const OLD: &str = "1LY2xDsIwDER_pbq5SCA6dYSVkQ0YTGIgapSG2IVKVf8dR2I73T0_L3B5Qg8nlPNm192DokWmJ38pDjbwzMUFYWvfE4uGMQn6ywISmxcMIXnDhOvd-LB4Ph2wtiBFv1tvLTRoZOuPkzb64oa8LyxiuBZyXCUxJDYr4ki-2c57313TPxtdbR8uYq-r8gc";
const OLD_JSON: &str = r#"{"cpu":"csapp-14bit","pagewalk":"exercise","questions":[{"ask":{"kind":"set","of":"TLB"},"at":1}],"title":"Cut the address","trace":{"lines":"load 0x3d4\nload 0xadd"},"version":1}"#;

#[test]
fn a_link_is_found_wherever_it_stands() {
    for text in [
        format!("screen=learn&exercise={OLD}"),
        format!("#screen=learn&grade={OLD}"),
        format!("  https://example.org/pagewalk/#screen=learn&exercise={OLD}&lang=ko\n"),
        format!("exercise={OLD}"),
    ] {
        assert_eq!(read_link(&text).unwrap().as_deref(), Some(OLD_JSON), "{text}");
    }
    for text in ["sets.json", "", OLD, OLD_JSON, "my-exercise=1.json", "./exercise=1.json"] {
        assert_eq!(read_link(text), Ok(None), "{text}");
    }
}

#[test]
fn a_link_holds_the_whole_exercise() {
    for fields in [json!({}), json!({"title": "집합 🦉", "hints": false, "locked": ["tlb"]})] {
        let exercise = exercise(&fields);
        let read = read_link(&exercise.link().unwrap()).unwrap().unwrap();
        assert_eq!(Exercise::parse(&read).unwrap().digest(), exercise.digest());
    }
}

#[test]
fn links_that_cannot_be_read_say_why() {
    let check = |data: &str, expected: &str| {
        let error = read_link(&format!("exercise={data}")).unwrap_err().to_string();
        assert_eq!(error, expected, "{data}");
    };
    let damaged = "the link is damaged or cut: copy the whole link again";
    for end in 0..OLD.len() {
        check(&OLD[..end], damaged);
    }
    for data in ["é", "0abc", "x", "1A", "1=", "1%41"] {
        check(data, damaged);
    }
    check("2abc", "a newer version of Pagewalk made the link: use that one to read it");
}

#[test]
fn an_exercise_that_is_too_large_for_a_link_is_a_file() {
    // Text that cannot be compressed well.
    let addresses = (0..4000_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20 & 0x3fff);
    let lines: Vec<String> = addresses.map(|address| format!("load {address:#x}")).collect();
    let large = exercise(&json!({"trace": {"lines": lines.join("\n")}}));
    let error = large.link().unwrap_err().to_string();
    let (start, end) = error.split_once(" bytes").unwrap();
    assert!(start.starts_with("the link would have "), "{error}");
    assert_eq!(
        end,
        ", and platforms cut links of more than 6144: hand out the file, or describe the trace as a workload"
    );
    let long = exercise(&json!({"title": "x".repeat(1 << 20)})).link().unwrap_err().to_string();
    assert!(long.ends_with(" bytes, and a link holds 1048576: hand out the file"), "{long}");
    let short = format!("exercise=1{}", packed::letters(4 << 20));
    let error = read_link(&short).unwrap_err().to_string();
    assert_eq!(error, "the exercise in the link has more than 1048576 bytes: use its file");
}
