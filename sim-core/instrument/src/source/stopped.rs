//! Where a program stopped.

use addr2line::Context;
use pagewalk_base::error::Error;

use super::lines::{Found, frame, is_system};
use super::{Slice, dwarf};
use crate::Instrumented;
use crate::module::Module;

/// The most bytes before an instruction without a line that are searched for one.
const NEAR: u32 = 1 << 10;

/// Where a program stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stopped {
    /// The line from 1, in the innermost call that is in no file of a system.
    pub line: Option<u32>,
    /// The innermost function.
    pub function: Option<String>,
    /// Where the instruction is, counted from the start of the code section, as for sites.
    pub at: Option<u32>,
}

/// Returns where a program stopped. `at` are places in the instrumented module, of the innermost call first.
///
/// # Errors
/// If the bytes are no module.
pub fn stopped(bytes: &[u8], made: &Instrumented, at: &[u32]) -> Result<Stopped, Error> {
    let module = Module::read(bytes)?;
    let context = Context::from_arc_dwarf(dwarf(&module)).ok();
    let originals = || at.iter().filter_map(|&at| made.original(at));
    let own = context.as_ref().and_then(|context| {
        originals().find_map(|at| {
            let found = nearest(&module, context, made.code_start, at)?;
            (!found.file.as_deref().is_some_and(is_system)).then_some(found.line)
        })
    });
    let innermost = originals().next();
    let named = innermost.and_then(|at| {
        frame(context.as_ref()?, u64::from(at.checked_sub(made.code_start)?))?.function
    });
    let function = named.or_else(|| {
        let number = module.function_at(innermost?)?;
        let name = module.names.iter().rev().find(|each| each.0 == number);
        Some(name.map_or_else(|| format!("function {number}"), |each| each.1.to_owned()))
    });
    let at = innermost.and_then(|at| at.checked_sub(made.code_start));
    Ok(Stopped { line: own, function, at })
}

/// Returns what is known about an instruction, or about the nearest one before it in its function that has a line.
fn nearest(
    module: &Module<'_>,
    context: &Context<Slice<'_>>,
    code_start: u32,
    at: u32,
) -> Option<Found> {
    let function = module.function_at(at);
    (at.saturating_sub(NEAR)..=at)
        .rev()
        .take_while(|&at| at >= code_start && module.function_at(at) == function)
        .filter_map(|at| frame(context, u64::from(at - code_start)))
        .find(|found| found.line > 0)
}
