//! Accesses that are not delivered yet. They are delivered many at once.

use pagewalk_base::narrow::small;
use pagewalk_base::trace::{
    Access, CallChange, CallTree, InstructionAccess, InstructionBatch, Kind, LoadOrStore,
};

use super::super::Sink;
use super::super::delivery::Delivery;
use super::super::flow::Flow;
use super::head::{Block, Head};
use super::layout::TEXT;
use super::library::Library;

/// The most accesses that are delivered at once. They fit in the first cache of a processor.
const READY: usize = 1 << 10;
/// The mean bytes of an instruction of x86-64 with an operand in memory, rounded.
const INSTRUCTION: u32 = 4;

#[derive(Debug)]
pub(super) struct Ready {
    accesses: Box<[InstructionAccess; READY]>,
    n: usize,
    /// Where the call path changes. The last change may be at the next access.
    calls: Vec<CallChange>,
    /// Accesses with their fetches; `None` if the trace gets none.
    with_fetches: Option<Vec<Access>>,
}

impl Ready {
    pub(super) fn new(has_fetches: bool) -> Self {
        let what = LoadOrStore::default();
        Self {
            accesses: Box::new([InstructionAccess { address: 0, instruction: 0, what }; READY]),
            n: 0,
            calls: Vec::new(),
            with_fetches: has_fetches.then(Vec::new),
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.n == READY
    }

    /// Adds an access, if there is room.
    pub(super) fn push(&mut self, access: InstructionAccess) {
        if let Some(place) = self.accesses.get_mut(self.n) {
            *place = access;
            self.n += 1;
        }
    }

    /// Sets the call path of the next accesses.
    pub(super) fn change_call(&mut self, node: u32) {
        change_call(&mut self.calls, self.n, node);
    }

    /// Forgets a call path that no access has.
    pub(super) fn clear_call(&mut self) {
        self.calls.clear();
    }

    /// Takes the records at the front that have only accesses, as long as there is room. Returns the number of their words, and
    /// that of the records.
    pub(super) fn take(
        &mut self,
        head: &Head,
        library: &mut Library,
        words: &[[u8; 4]],
    ) -> (usize, u64) {
        let (mut rest, mut records) = (words, 0);
        loop {
            let (n, plain) = self.take_plain(head, library, rest);
            records += plain;
            rest = rest.get(n..).unwrap_or_default();
            let next = rest.split_first().and_then(|(number, after)| {
                let block = head.block(*number).filter(|block| block.is_data)?;
                let (mine, after) = after.split_at_checked(block.words as usize)?;
                let is_same = library.nodes()[usize::from(block.is_own)] == library.node();
                (is_same && self.take_data(head, block, mine)).then_some(after)
            });
            let Some(after) = next else { return (words.len() - rest.len(), records) };
            rest = after;
            records += 1;
        }
    }

    /// Takes the records at the front that have only loads and stores. This loop makes nearly all accesses of a program.
    #[inline(never)]
    fn take_plain(
        &mut self,
        head: &Head,
        library: &mut Library,
        words: &[[u8; 4]],
    ) -> (usize, u64) {
        let (blocks, plain, layout) = (&*head.blocks, &*head.plain, head.layout);
        let (nodes, has_grown) = (library.nodes(), library.has_grown());
        let mut node = library.node();
        let mut room = self.accesses.get_mut(self.n..).unwrap_or_default();
        let (mut rest, n_room) = (words, room.len());
        while let Some((number, after)) = rest.split_first() {
            let Some(block) = blocks.get(u32::from_le_bytes(*number) as usize) else { break };
            let (from, n) = (block.first as usize, block.n as usize);
            if !block.is_plain || n > after.len() || n > room.len() {
                break;
            }
            if nodes[usize::from(block.is_own)] != node {
                if has_grown {
                    break;
                }
                node = nodes[usize::from(block.is_own)];
                change_call(&mut self.calls, self.n + n_room - room.len(), node);
            }
            let Some(sites) = plain.get(from..from + n) else { break };
            let (mine, later) = after.split_at(n);
            let (places, left) = std::mem::take(&mut room).split_at_mut(n);
            for at in 0..n {
                places[at] = sites[at].access(&layout, block.first + small(at), mine[at]);
            }
            (rest, room) = (later, left);
        }
        library.change(node);
        let (n_words, n) = (words.len() - rest.len(), n_room - room.len());
        self.n += n;
        (n_words, (n_words - n) as u64)
    }

    /// Takes the words of a block whose sites make accesses of any number of words. Returns whether there was room; if not, takes
    /// nothing.
    #[inline(never)]
    fn take_data(&mut self, head: &Head, block: Block, mut words: &[[u8; 4]]) -> bool {
        let mut room = self.accesses.iter_mut().skip(self.n);
        let mut n = 0;
        for site in head.sites(block) {
            let (mine, rest) = words.split_at(site.words.count().min(words.len()));
            words = rest;
            let taken = site.accesses(&head.layout, mine, |access| {
                *room.next().ok_or(())? = access;
                n += 1;
                Ok(())
            });
            if taken.is_some_and(|taken: Result<(), ()>| taken.is_err()) {
                return false;
            }
        }
        self.n += n;
        true
    }

    pub(super) fn deliver<S: Sink>(
        &mut self,
        head: &Head,
        tree: &CallTree,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        let Self { accesses, n, calls, with_fetches } = self;
        let accesses = accesses.get(..*n).unwrap_or_default();
        // The change of the next access waits for it.
        let next = calls.pop_if(|last| last.at as usize == *n);
        let batch = InstructionBatch { known: &head.instructions, accesses, tree, calls };
        let done = match with_fetches {
            None => out.instructions(&batch),
            Some(both) => deliver_with_fetches(&batch, both, out),
        };
        self.n = 0;
        self.calls.clear();
        self.calls.extend(next.map(|change| CallChange { at: 0, ..change }));
        done
    }
}

/// Sets the call path from an access on.
fn change_call(calls: &mut Vec<CallChange>, at: usize, node: u32) {
    let at = small(at);
    match calls.last_mut() {
        Some(last) if last.at == at => last.node = node,
        _ => calls.push(CallChange { at, node }),
    }
}

fn deliver_with_fetches<S: Sink>(
    batch: &InstructionBatch<'_>,
    both: &mut Vec<Access>,
    out: &mut Delivery<'_, S>,
) -> Flow {
    both.clear();
    for (node, access) in batch.each() {
        if let Some(node) = node {
            out.accesses(both)?;
            both.clear();
            out.call(batch.tree, node)?;
        }
        both.extend([fetch(&access), access]);
    }
    out.accesses(both)
}

/// Returns the estimated fetch of the instruction of an access.
fn fetch(access: &Access) -> Access {
    let at = access.ip.unwrap_or(TEXT);
    Access { ip: access.ip, ..Access::new(Kind::Fetch, at, INSTRUCTION) }
}
