//! Reads of a module what the rewriting needs.

use std::collections::BTreeMap;
use std::ops::Range;

use pagewalk_base::error::Error;
use wasmparser::{
    ExternalKind, FuncType, FunctionBody, KnownCustom, Name, Operator, Parser, Payload, TypeRef,
    ValType,
};

use crate::allocators::Call;
use crate::{MOST_PAGES, bad, exports, unsupported};

/// The largest module in bytes: all places in it are 32-bit numbers, also after it has grown.
const MOST_BYTES: usize = 1 << 28;

/// A module in parts.
#[derive(Default)]
pub(crate) struct Module<'a> {
    pub(crate) bytes: &'a [u8],
    /// The number and the contents of each section but code and most custom sections.
    pub(crate) sections: Vec<(u8, Range<usize>)>,
    /// The number of types, also of those that are no functions.
    pub(crate) n_types: u32,
    pub(crate) n_tables: u32,
    pub(crate) n_memories: u32,
    pub(crate) n_globals: u32,
    pub(crate) start: Option<u32>,
    pub(crate) code_start: usize,
    pub(crate) bodies: Vec<FunctionBody<'a>>,
    n_imported_functions: usize,
    /// The function types, by the number of the type.
    types: BTreeMap<u32, FuncType>,
    /// The type of each function, first of the imported ones.
    functions: Vec<u32>,
    pub(crate) names: Vec<(u32, &'a str)>,
    /// The exported globals, and those that the module names.
    pub(crate) global_names: Vec<(u32, &'a str)>,
    /// The first value of each global that is a constant of 32 bits.
    pub(crate) global_values: BTreeMap<u32, u32>,
    /// The first global of them that is a variable.
    first_variable: Option<u32>,
    /// The first address of each data segment, and its bytes.
    pub(crate) data: Vec<(u32, u32)>,
    /// The pages of the memory at the start.
    pub(crate) pages: u64,
    pub(crate) memory: Option<wasmparser::MemoryType>,
    /// The sections of debug information, by name.
    pub(crate) debug: BTreeMap<&'a str, &'a [u8]>,
    /// The allocators by the number of the function.
    pub(crate) allocators: BTreeMap<u32, Call>,
}

/// Returns a range of a module as numbers of this machine. A module has less than 2²⁸ bytes.
fn narrow(range: &Range<u64>) -> Range<usize> {
    let at = |at| usize::try_from(at).unwrap_or(usize::MAX);
    at(range.start)..at(range.end)
}

/// Returns the value of an expression that is one constant.
fn constant(expression: &wasmparser::ConstExpr<'_>) -> Option<u32> {
    let mut operators = expression.get_operators_reader();
    let Ok(Operator::I32Const { value }) = operators.read() else { return None };
    operators.is_end_then_eof().then_some(value.cast_unsigned())
}

impl<'a> Module<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        if bytes.len() > MOST_BYTES {
            return Err(unsupported(
                "the module has more than 256 MB: link the program without what it does not need",
            ));
        }
        let mut module = Self { bytes, ..Self::default() };
        for payload in Parser::new(0).parse_all(bytes) {
            module.take(payload.map_err(bad)?)?;
        }
        module.check()?;
        module.find_allocators();
        Ok(module)
    }

    fn take(&mut self, payload: Payload<'a>) -> Result<(), Error> {
        if let Some((id, range)) = payload.as_section() {
            let is_kept = match &payload {
                Payload::CodeSectionStart { .. } => false,
                Payload::CustomSection(custom) => custom.name() == "name",
                _ => true,
            };
            if is_kept {
                self.sections.push((id, narrow(&range)));
            }
        }
        match payload {
            Payload::Version { encoding, .. } if encoding != wasmparser::Encoding::Module => {
                return Err(unsupported("this is a WebAssembly component: give the module in it"));
            }
            Payload::TypeSection(types) => {
                for group in types {
                    for each in group.map_err(bad)?.into_types() {
                        if let wasmparser::CompositeInnerType::Func(function) =
                            each.composite_type.inner
                        {
                            self.types.insert(self.n_types, function);
                        }
                        self.n_types += 1;
                    }
                }
            }
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    self.import(import.map_err(bad)?.ty)?;
                }
            }
            Payload::FunctionSection(functions) => {
                for each in functions {
                    self.functions.push(each.map_err(bad)?);
                }
            }
            Payload::TableSection(tables) => self.n_tables += tables.count(),
            Payload::MemorySection(memories) => {
                for each in memories {
                    self.memory(each.map_err(bad)?)?;
                }
            }
            Payload::GlobalSection(globals) => {
                for each in globals {
                    let global = each.map_err(bad)?;
                    if let Some(value) = constant(&global.init_expr) {
                        self.global_values.insert(self.n_globals, value);
                        if global.ty.mutable {
                            self.first_variable.get_or_insert(self.n_globals);
                        }
                    }
                    self.n_globals += 1;
                }
            }
            Payload::DataSection(segments) => {
                for each in segments {
                    let data = each.map_err(bad)?;
                    if let wasmparser::DataKind::Active { offset_expr, .. } = data.kind
                        && let Some(start) = constant(&offset_expr)
                        && let Ok(size) = u32::try_from(data.data.len())
                    {
                        self.data.push((start, size));
                    }
                }
            }
            Payload::ExportSection(found) => {
                for each in found {
                    let export = each.map_err(bad)?;
                    if export.name.starts_with("pagewalk:") {
                        return Err(unsupported(format!(
                            "the module exports {:?}: it reports its accesses already",
                            export.name
                        )));
                    }
                    match export.kind {
                        ExternalKind::Func => self.names.push((export.index, export.name)),
                        ExternalKind::Global => {
                            self.global_names.push((export.index, export.name));
                        }
                        _ => {}
                    }
                }
            }
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::CodeSectionStart { unchecked_range, .. } => {
                self.code_start = narrow(&unchecked_range).start;
            }
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            Payload::CustomSection(custom) => {
                if custom.name().starts_with(".debug_") {
                    self.debug.insert(custom.name(), custom.data());
                }
                self.custom(&custom.as_known());
            }
            _ => {}
        }
        Ok(())
    }

    fn import(&mut self, ty: TypeRef) -> Result<(), Error> {
        match ty {
            TypeRef::Func(ty) | TypeRef::FuncExact(ty) => {
                self.functions.push(ty);
                self.n_imported_functions += 1;
            }
            TypeRef::Table(_) => self.n_tables += 1,
            TypeRef::Memory(_) => {
                return Err(unsupported(
                    "the program imports its memory: link it without --import-memory",
                ));
            }
            TypeRef::Global(_) => self.n_globals += 1,
            TypeRef::Tag(_) => {}
        }
        Ok(())
    }

    fn memory(&mut self, memory: wasmparser::MemoryType) -> Result<(), Error> {
        self.n_memories += 1;
        if self.n_memories > 1 {
            return Err(unsupported("the program has several memories: one can be traced"));
        }
        if memory.memory64 {
            return Err(unsupported(
                "the program's memory has 64-bit addresses: compile it for wasm32",
            ));
        }
        if memory.page_size_log2.is_some() {
            return Err(unsupported(
                "the program's memory has pages of another size than 64 KiB: compile it without custom page sizes",
            ));
        }
        if memory.initial > MOST_PAGES {
            return Err(unsupported(format!(
                "the program's memory begins with {} MiB, and a traced program has at most {}: make its arrays smaller",
                memory.initial >> 4,
                MOST_PAGES >> 4
            )));
        }
        self.pages = memory.initial;
        self.memory = Some(memory);
        Ok(())
    }

    /// Takes the names of functions and globals. Names that cannot be read are as if they were missing.
    fn custom(&mut self, known: &KnownCustom<'a>) {
        let KnownCustom::Name(section) = known else { return };
        for name in section.clone().flatten() {
            let (map, names) = match name {
                Name::Function(map) => (map, &mut self.names),
                Name::Global(map) => (map, &mut self.global_names),
                _ => continue,
            };
            for each in map.into_iter().flatten() {
                names.push((each.index, each.name));
            }
        }
    }

    /// Checks what a parser alone does not.
    fn check(&self) -> Result<(), Error> {
        if self.functions.len() - self.n_imported_functions != self.bodies.len() {
            return Err(unsupported(
                "the module has functions without code: compile the program again",
            ));
        }
        Ok(())
    }

    fn find_allocators(&mut self) {
        let is_plain = |types: &[ValType]| types.iter().all(|&each| each == ValType::I32);
        for &(function, name) in &self.names {
            let Some(ty) = self.type_of(function) else { continue };
            let (parameters, results) = (ty.params(), ty.results());
            if !is_plain(parameters) || !is_plain(results) {
                continue;
            }
            if let Some(call) = Call::of(name, parameters.len(), results.len()) {
                self.allocators.insert(function, call);
            }
        }
    }

    fn type_of(&self, function: u32) -> Option<&FuncType> {
        self.types.get(self.functions.get(function as usize)?)
    }

    /// Returns the number of the function that has the instruction at a place.
    pub(crate) fn function_at(&self, at: u32) -> Option<u32> {
        let next = self.bodies.partition_point(|body| body.range().start <= u64::from(at));
        u32::try_from(self.n_imported_functions + next.checked_sub(1)?).ok()
    }

    /// Returns the number of each function with code, and where its code begins and ends in the module.
    pub(crate) fn code(&self) -> impl Iterator<Item = (u32, Range<usize>)> {
        self.bodies.iter().enumerate().filter_map(|(at, body)| {
            let number = u32::try_from(self.n_imported_functions + at).ok()?;
            Some((number, narrow(&body.range())))
        })
    }

    /// Returns the place of a function among those with code.
    pub(crate) fn place_of(&self, function: u32) -> Option<u32> {
        let imported = u32::try_from(self.n_imported_functions).ok()?;
        function.checked_sub(imported)
    }

    /// Returns the first value of the global that has this name.
    pub(crate) fn global(&self, name: &str) -> Option<u32> {
        let &(number, _) = self.global_names.iter().find(|each| each.1 == name)?;
        self.global_values.get(&number).copied()
    }

    /// Returns where the stack ends: the first value of its pointer. Where the pointer has no name, it is the first variable,
    /// because linkers put it there.
    pub(crate) fn stack_top(&self) -> Option<u32> {
        let names = &self.global_names;
        let is_pointer = |name: &str| name.rsplit('/').next() == Some("__stack_pointer");
        if let Some((number, _)) = names.iter().find(|(_, name)| is_pointer(name)) {
            return self.global_values.get(number).copied();
        }
        let first = self.first_variable?;
        let top = *self.global_values.get(&first)?;
        let is_named = names.iter().any(|&(number, _)| number == first);
        let is_place = top > 0 && top % 16 == 0 && u64::from(top) <= self.pages << 16;
        (is_place && !is_named).then_some(top)
    }

    /// Returns the number of a function, and of its parameters, from the place of its body.
    pub(crate) fn function(&self, body: usize) -> Option<(u32, u32)> {
        let number = u32::try_from(self.n_imported_functions + body).ok()?;
        let parameters = self.type_of(number)?.params().len();
        Some((number, u32::try_from(parameters).ok()?))
    }

    /// Returns where the buffer begins at the start.
    pub(crate) fn buffer(&self) -> u32 {
        u32::try_from(self.pages << 16).expect("a memory has less than 4 GiB")
    }

    /// Returns what the instrumented module exports in addition.
    pub(crate) fn added_exports(&self) -> Vec<(&'static str, wasm_encoder::ExportKind, u32)> {
        use wasm_encoder::ExportKind::{Func, Global, Memory, Table};
        let mut added = vec![
            (exports::MEMORY, Memory, 0),
            (exports::END, Global, self.n_globals),
            (exports::FULL, Table, self.n_tables),
        ];
        added.extend(self.start.map(|function| (exports::START, Func, function)));
        added
    }
}
