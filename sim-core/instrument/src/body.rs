//! Rewrites the bodies of functions.

use std::collections::BTreeMap;

use pagewalk_base::error::Error;
use wasm_encoder::{BlockType, Encode as _, InstructionSink, MemArg, MemArgTarget, ValType};
use wasmparser::{FunctionBody, Operator};

use crate::allocators::Call;
use crate::module::Module;
use crate::operator::{MemoryOperator, ends_block, memory_operator};
use crate::{BUFFER_BYTES, RECORD_BYTES, Site, SiteKind, bad, unsupported};

/// The most words of a record, without those of its last site.
const MOST_WORDS: u32 = RECORD_BYTES / 4 - 8;

/// The bytes of the buffer after which the host is called: a record always fits behind them.
const LIMIT: u32 = BUFFER_BYTES - RECORD_BYTES;

/// Returns the address beyond which the host is called, for a buffer that begins at `start`.
pub(crate) fn limit(start: u32) -> u32 {
    start + LIMIT
}

/// The rewritten code.
pub(crate) struct Rewritten {
    /// The contents of each body, with its locals.
    pub(crate) bodies: Vec<Vec<u8>>,
    pub(crate) sites: Vec<Site>,
    pub(crate) blocks: Vec<u32>,
    /// For each body where its instructions are: pairs of a place in the new body and one in the original module.
    pub(crate) places: Vec<Vec<(u32, u32)>>,
}

/// Rewrites all bodies of a module. `libraries` has the calls of library functions by their places.
pub(crate) fn rewrite(
    module: &Module<'_>,
    libraries: &BTreeMap<u32, u32>,
) -> Result<Rewritten, Error> {
    let mut done =
        Rewritten { bodies: Vec::new(), sites: Vec::new(), blocks: Vec::new(), places: Vec::new() };
    for (at, body) in module.bodies.iter().enumerate() {
        let Some((function, n_parameters)) = module.function(at) else {
            return Err(unsupported("a function has no type: compile the program again"));
        };
        let locals = locals(module, body, n_parameters)?;
        let mut rewriter = Rewriter {
            module,
            libraries,
            is_allocator: module.allocators.contains_key(&function),
            done: &mut done,
            code: Vec::new(),
            n_words: 0,
            is_open: false,
            first_local: locals.n,
            added: Vec::new(),
            places: Vec::new(),
        };
        rewriter.body(body)?;
        rewriter.finish(&locals);
    }
    done.blocks.push(number(done.sites.len())?);
    Ok(done)
}

/// The declarations of a function's variables.
struct Locals<'a> {
    n_groups: u32,
    /// The groups as they are written in the module.
    groups: &'a [u8],
    /// The number of variables, with the parameters.
    n: u32,
}

fn locals<'a>(
    module: &Module<'a>,
    body: &FunctionBody<'a>,
    n_parameters: u32,
) -> Result<Locals<'a>, Error> {
    let mut locals = body.get_locals_reader().map_err(bad)?;
    let (n_groups, start, mut n) =
        (locals.get_count(), narrow(locals.original_position()), n_parameters);
    for _ in 0..n_groups {
        let (count, _) = locals.read().map_err(bad)?;
        // Browsers allow 50,000 variables.
        n = n.checked_add(count).filter(|&n| n < 1 << 20).ok_or_else(|| {
            unsupported("a function has more than a million variables: compile the program again")
        })?;
    }
    let groups = module.bytes.get(start..narrow(locals.original_position())).unwrap_or_default();
    Ok(Locals { n_groups, groups, n })
}

fn number(n: usize) -> Result<u32, Error> {
    u32::try_from(n).map_err(|_| unsupported("the program has more than 2³² accesses in its code"))
}

/// The variables that the rewriting adds to a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Local {
    /// Where the record of the open block is in the buffer.
    Record,
    Address,
    /// An operand, by its place among those of its instruction.
    Operand(usize, ValType),
}

impl Local {
    fn ty(self) -> ValType {
        match self {
            Self::Record | Self::Address => ValType::I32,
            Self::Operand(_, ty) => ty,
        }
    }
}

struct Rewriter<'a, 'm> {
    module: &'a Module<'m>,
    libraries: &'a BTreeMap<u32, u32>,
    is_allocator: bool,
    done: &'a mut Rewritten,
    code: Vec<u8>,
    /// The words of the open record, with the number of the block.
    n_words: u32,
    is_open: bool,
    first_local: u32,
    added: Vec<Local>,
    places: Vec<(u32, u32)>,
}

impl Rewriter<'_, '_> {
    fn body(&mut self, body: &FunctionBody<'_>) -> Result<(), Error> {
        let mut operators = body.get_operators_reader().map_err(bad)?;
        while !operators.eof() {
            let start = narrow(operators.original_position());
            let operator = operators.read().map_err(bad)?;
            let end = narrow(operators.original_position());
            let bytes = self.module.bytes.get(start..end).unwrap_or_default();
            let Some(&opcode) = bytes.first() else { continue };
            if ends_block(opcode) {
                self.close();
            }
            let at = number(start)?;
            if let Some(found) = memory_operator(bytes).map_err(bad)? {
                self.access(&found, at, bytes)?;
                continue;
            }
            let called = match operator {
                Operator::Call { function_index } if !self.is_allocator => {
                    self.module.allocators.get(&function_index)
                }
                _ => None,
            };
            let library = self.libraries.get(&at).copied();
            if let Some(function) = library {
                self.enter(function, at)?;
            }
            match called {
                Some(&call) => self.call(call, at, bytes)?,
                None => self.copy(at, bytes),
            }
            if library.is_some() {
                self.report(Site { kind: SiteKind::Leave, size: 0, offset: 0, at }, &[])?;
            }
            if matches!(operator, Operator::MemorySize { .. }) {
                self.sink().i32_const(1).i32_sub();
            }
        }
        Ok(())
    }

    /// Copies an instruction, and notes where it is.
    fn copy(&mut self, at: u32, bytes: &[u8]) {
        let new = u32::try_from(self.code.len()).unwrap_or(u32::MAX);
        let is_next = |&(before, original): &(u32, u32)| new - before == at - original;
        if !self.places.last().is_some_and(is_next) {
            self.places.push((new, at));
        }
        self.code.extend_from_slice(bytes);
    }

    fn access(&mut self, found: &MemoryOperator, at: u32, bytes: &[u8]) -> Result<(), Error> {
        let &MemoryOperator { kind, size, offset, above } = found;
        let offset = u32::try_from(offset)
            .map_err(|_| unsupported("an access has an offset of more than 32 bits"))?;
        let operands: Vec<Local> =
            above.iter().enumerate().map(|(n, &ty)| Local::Operand(n, ty)).collect();
        for &each in operands.iter().rev() {
            self.set(each);
        }
        let site = Site { kind, size, offset, at };
        match kind {
            SiteKind::Grow => return self.grow(site, operands[0], bytes),
            SiteKind::Copy => self.report(site, &operands)?,
            SiteKind::Fill | SiteKind::Init => self.report(site, &[operands[0], operands[2]])?,
            _ => {
                self.tee(Local::Address);
                self.report(site, &[Local::Address])?;
            }
        }
        for &each in &operands {
            self.get(each);
        }
        self.copy(at, bytes);
        Ok(())
    }

    /// Adds pages before the buffer. The host takes the records first, because the buffer moves.
    fn grow(&mut self, site: Site, pages: Local, bytes: &[u8]) -> Result<(), Error> {
        self.close();
        self.hand_over();
        self.get(pages);
        self.copy(site.at, bytes);
        self.set(Local::Address);
        let (n, before) = (self.local(pages), self.local(Local::Address));
        let (end, limit) = self.globals();
        let less = LIMIT.cast_signed();
        self.sink()
            .local_get(before)
            .i32_const(-1)
            .i32_ne()
            .local_get(n)
            .i32_const(0)
            .i32_ne()
            .i32_and()
            .if_(BlockType::Empty)
            // What was the buffer is now the first of the new pages.
            .global_get(end)
            .i32_const(0)
            .i32_const(BUFFER_BYTES.cast_signed())
            .memory_fill(0)
            .global_get(end)
            .local_get(n)
            .i32_const(16)
            .i32_shl()
            .i32_add()
            .global_set(end)
            .global_get(end)
            .i32_const(less)
            .i32_add()
            .global_set(limit)
            .end()
            // The page of the buffer was counted, unless the call failed.
            .local_get(before)
            .local_get(before)
            .i32_const(-1)
            .i32_ne()
            .i32_sub()
            .local_tee(before);
        self.report(site, &[pages, Local::Address])
    }

    fn call(&mut self, call: Call, at: u32, bytes: &[u8]) -> Result<(), Error> {
        let Call { allocator, parameters, reported } = call;
        let arguments: Vec<Local> =
            (0..parameters).map(|n| Local::Operand(n, ValType::I32)).collect();
        for &each in arguments.iter().rev() {
            self.set(each);
        }
        let site = |kind| Site { kind, size: 0, offset: 0, at };
        let words: Vec<Local> = reported.iter().map(|&n| arguments[n]).collect();
        self.report(site(SiteKind::Call(allocator)), &words)?;
        self.close();
        for &each in &arguments {
            self.get(each);
        }
        self.copy(at, bytes);
        if allocator.results() > 0 {
            self.tee(Local::Address);
            self.report(site(SiteKind::Return(allocator)), &[Local::Address])?;
        }
        Ok(())
    }

    /// Reports that a library is called. An allocator that is called reports in the same block.
    fn enter(&mut self, function: u32, at: u32) -> Result<(), Error> {
        let offset = self.module.place_of(function).unwrap_or(u32::MAX);
        self.report(Site { kind: SiteKind::Enter, size: 0, offset, at }, &[])?;
        let is_reported = !self.is_allocator && self.module.allocators.contains_key(&function);
        if !is_reported {
            self.close();
        }
        Ok(())
    }

    /// Appends a site with its words to the record of the block, which it begins if none is open.
    fn report(&mut self, site: Site, words: &[Local]) -> Result<(), Error> {
        if self.n_words > MOST_WORDS {
            self.close();
        }
        let record = self.local(Local::Record);
        if !self.is_open {
            self.is_open = true;
            let block = number(self.done.blocks.len())?;
            self.done.blocks.push(number(self.done.sites.len())?);
            let (end, _) = self.globals();
            self.sink().global_get(end).local_tee(record);
            self.sink().i32_const(block.cast_signed());
            self.store();
        }
        for &word in words {
            let word = self.local(word);
            self.sink().local_get(record).local_get(word);
            self.store();
        }
        self.done.sites.push(site);
        Ok(())
    }

    /// Stores a word at the end of the record.
    fn store(&mut self) {
        let offset = u64::from(4 * self.n_words);
        let target = MemArgTarget::Memory(0);
        self.sink().i32_store(MemArg { offset, align: 2, target, ordering: None });
        self.n_words += 1;
    }

    /// Ends the record of the block, and calls the host if the buffer has no room for another one.
    fn close(&mut self) {
        if !self.is_open {
            return;
        }
        let bytes = 4 * self.n_words;
        let record = self.local(Local::Record);
        let (end, limit) = self.globals();
        self.sink()
            .local_get(record)
            .i32_const(bytes.cast_signed())
            .i32_add()
            .local_tee(record)
            .global_set(end)
            .local_get(record)
            .global_get(limit)
            .i32_gt_u()
            .if_(BlockType::Empty);
        self.hand_over();
        self.sink().end();
        (self.is_open, self.n_words) = (false, 0);
    }

    /// Calls the host, which takes the records.
    fn hand_over(&mut self) {
        let (table, ty) = (self.module.n_tables, self.module.n_types);
        self.sink().i32_const(0).call_indirect(table, ty);
    }

    /// Returns the global with the end of the records, and that with the address beyond which the host is called.
    fn globals(&self) -> (u32, u32) {
        (self.module.n_globals, self.module.n_globals + 1)
    }

    fn sink(&mut self) -> InstructionSink<'_> {
        InstructionSink::new(&mut self.code)
    }

    /// Returns the number of a variable, which is added when it is used first.
    fn local(&mut self, local: Local) -> u32 {
        let at = self.added.iter().position(|&each| each == local).unwrap_or_else(|| {
            self.added.push(local);
            self.added.len() - 1
        });
        self.first_local + u32::try_from(at).expect("there are few")
    }

    fn get(&mut self, local: Local) {
        let local = self.local(local);
        self.sink().local_get(local);
    }

    fn set(&mut self, local: Local) {
        let local = self.local(local);
        self.sink().local_set(local);
    }

    fn tee(&mut self, local: Local) {
        let local = self.local(local);
        self.sink().local_tee(local);
    }

    /// Puts the locals before the code.
    fn finish(self, locals: &Locals<'_>) {
        let mut body = Vec::new();
        (locals.n_groups as usize + self.added.len()).encode(&mut body);
        body.extend_from_slice(locals.groups);
        for local in &self.added {
            1u32.encode(&mut body);
            local.ty().encode(&mut body);
        }
        let before = u32::try_from(body.len()).unwrap_or(u32::MAX);
        body.extend_from_slice(&self.code);
        self.done.places.push(self.places.iter().map(|&(new, at)| (new + before, at)).collect());
        self.done.bodies.push(body);
    }
}

fn narrow(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}
