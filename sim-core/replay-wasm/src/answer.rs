//! Converts Rust values to JavaScript values.
//!
//! An answer is JSON text. If it has typed arrays, it is an object with these arrays and a field `json` with
//! the rest.

use js_sys::{Array, BigUint64Array, Object, Reflect, Uint8Array, Uint16Array, Uint32Array};
use pagewalk::record::snapshot::Columns;
use pagewalk::run::search::Found;
use pagewalk_analysis::overview::Timeline;
use pagewalk_base::error::Error;
use serde::Serialize;
use wasm_bindgen::JsValue;

/// Returns a value as JSON text.
pub fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("the core's types have text keys")
}

/// Returns an answer that is JSON text.
pub fn json(value: &impl Serialize) -> JsValue {
    JsValue::from_str(&to_json(value))
}

/// Converts an error to the plain object that JavaScript throws.
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` passes")]
pub fn error_to_js(error: Error) -> JsValue {
    js_sys::JSON::parse(&to_json(&error)).unwrap_or_else(|_| JsValue::from_str(&error.message))
}

/// Returns `{json, columns}`: `rest` as JSON, and one object of arrays for each structure.
pub(crate) fn snapshot(rest: &impl Serialize, structures: &[Columns]) -> JsValue {
    let columns: Array = structures.iter().map(columns).collect();
    object([("json", json(rest)), ("columns", columns.into())])
}

/// Returns `{json, translations, …}`: a timeline and its columns.
pub(crate) fn timeline(timeline: &Timeline) -> JsValue {
    #[derive(Serialize)]
    struct Rest<T> {
        view: T,
    }
    let numbers = |column: &[u32]| Uint32Array::from(column).into();
    object([
        ("json", json(&Rest { view: &timeline.view })),
        ("translations", numbers(&timeline.translations)),
        ("l2Hits", numbers(&timeline.l2_hits)),
        ("walks", numbers(&timeline.walks)),
        ("faults", numbers(&timeline.faults)),
        ("exceptions", numbers(&timeline.exceptions)),
        ("operations", numbers(&timeline.operations)),
        ("density", numbers(&timeline.density)),
        ("cellWalks", numbers(&timeline.cell_walks)),
        ("cellFaults", numbers(&timeline.cell_faults)),
        ("cellExceptions", numbers(&timeline.cell_exceptions)),
    ])
}

fn columns(columns: &Columns) -> JsValue {
    object([
        ("keys", BigUint64Array::from(columns.keys.as_slice()).into()),
        ("keyShift", Uint8Array::from(columns.key_shift.as_slice()).into()),
        ("table", Uint8Array::from(columns.table.as_slice()).into()),
        ("filledAt", Uint32Array::from(columns.filled_at.as_slice()).into()),
        ("usedAt", Uint32Array::from(columns.used_at.as_slice()).into()),
        ("hits", Uint32Array::from(columns.hits.as_slice()).into()),
        ("next", Uint16Array::from(columns.next.as_slice()).into()),
    ])
}

fn object<const N: usize>(fields: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        Reflect::set(&object, &JsValue::from_str(name), &value).expect("a new object takes fields");
    }
    object.into()
}

/// Returns the number of the found access as JSON, or `null`.
pub fn found(found: Found) -> JsValue {
    match found {
        Found::At(index) => json(&index),
        Found::NotYet | Found::Nothing => json(&()),
    }
}
