//! Calls from a program's own code into libraries: those functions have no debug information, or that of a system's file.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use addr2line::Context;
use pagewalk_base::error::Error;
use wasmparser::Operator;

use crate::bad;
use crate::module::Module;
use crate::operator::memory_operator;
use crate::source::{Slice, dwarf, frame, is_system};

/// What is known about a function before it is rewritten.
#[derive(Default)]
struct Function {
    /// Whether it accesses memory, or calls what may do so.
    accesses: bool,
    /// The places of its direct calls, and what they call.
    calls: Vec<(u32, u32)>,
}

/// Returns the library functions that own code calls, by the place of the call. Functions that access no memory are left
/// out: the program may call them very often, and nothing belongs to them.
pub(crate) fn calls(module: &Module<'_>) -> Result<BTreeMap<u32, u32>, Error> {
    if module.debug.is_empty() {
        return Ok(BTreeMap::new());
    }
    let Ok(context) = Context::from_arc_dwarf(Arc::clone(&dwarf(module))) else {
        return Ok(BTreeMap::new());
    };
    let functions = functions(module)?;
    let accessing = accessing(&functions);
    let is_own = |at: u32| {
        let at = u64::from(at).checked_sub(module.code_start as u64);
        let found = at.and_then(|at| frame(&context, at));
        found.is_some_and(|found| found.line > 0 && !found.file.as_deref().is_none_or(is_system))
    };
    let code: BTreeMap<u32, _> = module.code().collect();
    let is_library = |function: &u32| {
        code.get(function).is_some_and(|code| !is_own_function(&context, module, code))
    };
    let called: BTreeSet<u32> =
        functions.values().flat_map(|of| of.calls.iter().map(|call| call.1)).collect();
    let libraries: BTreeSet<u32> = called
        .into_iter()
        .filter(|function| accessing.contains(function) && is_library(function))
        .collect();
    let all = functions.values().flat_map(|of| &of.calls);
    Ok(all.filter(|(at, to)| libraries.contains(to) && is_own(*at)).copied().collect())
}

/// Returns whether the first instruction of a function that has a line is in a file of the program's own. What a system's
/// function has inlined is its own work.
fn is_own_function(context: &Context<Slice<'_>>, module: &Module<'_>, code: &Range<usize>) -> bool {
    let from = code.start.saturating_sub(module.code_start) as u64;
    let to = code.end.saturating_sub(module.code_start) as u64;
    let Ok(mut lines) = context.find_location_range(from, to) else { return false };
    let file = lines.find_map(|(.., location)| location.file);
    file.is_some_and(|file| !is_system(file))
}

fn functions(module: &Module<'_>) -> Result<BTreeMap<u32, Function>, Error> {
    let mut all = BTreeMap::new();
    for (at, body) in module.bodies.iter().enumerate() {
        let Some((number, _)) = module.function(at) else { continue };
        let mut found = Function::default();
        let mut operators = body.get_operators_reader().map_err(bad)?;
        while !operators.eof() {
            let start = operators.original_position();
            let operator = operators.read().map_err(bad)?;
            match operator {
                Operator::Call { function_index } => {
                    found.calls.push((u32::try_from(start).unwrap_or(u32::MAX), function_index));
                }
                Operator::CallIndirect { .. } => found.accesses = true,
                _ if !found.accesses => {
                    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
                    let bytes =
                        module.bytes.get(place(start)..place(operators.original_position()));
                    found.accesses =
                        memory_operator(bytes.unwrap_or_default()).map_err(bad)?.is_some();
                }
                _ => {}
            }
        }
        all.insert(number, found);
    }
    Ok(all)
}

/// Returns the functions that access memory, or call one that does. Imported functions may.
fn accessing(functions: &BTreeMap<u32, Function>) -> BTreeSet<u32> {
    let mut found: BTreeSet<u32> = functions
        .iter()
        .filter(|(_, of)| of.accesses || of.calls.iter().any(|(_, to)| !functions.contains_key(to)))
        .map(|(number, _)| *number)
        .collect();
    let mut callers: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (number, of) in functions {
        for (_, to) in &of.calls {
            callers.entry(*to).or_default().push(*number);
        }
    }
    let mut waiting: Vec<u32> = found.iter().copied().collect();
    while let Some(number) = waiting.pop() {
        for caller in callers.get(&number).into_iter().flatten() {
            if found.insert(*caller) {
                waiting.push(*caller);
            }
        }
    }
    found
}
