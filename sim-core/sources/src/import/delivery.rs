//! Delivers accesses from a parser to the sink, after the selection and the limit.

use pagewalk_base::samples::{Sample, Samples};
use pagewalk_base::trace::{
    Access, CallTree, FrameRun, InstructionBatch, Mapping, OpRecord, PageFact, Places,
};

use super::census::Census;
use super::flow::{Flow, Stop};
use super::select::{Origin, Selector};
use super::{RecordedSizes, Sink};

/// Counts the delivered accesses, and holds the limit, the selection and the census.
#[derive(Debug)]
pub(super) struct Count {
    pub(super) accesses: u64,
    pub(super) operations: u64,
    /// The number of first touches from tracepoints of page faults.
    pub(super) faults: u64,
    pub(super) select: Selector,
    pub(super) census: Census,
}

/// The sink of one push, with its counts.
#[derive(Debug)]
pub(super) struct Delivery<'a, S> {
    pub(super) sink: &'a mut S,
    pub(super) count: &'a mut Count,
}

impl<S: Sink> Delivery<'_, S> {
    /// Delivers one access, if it is selected.
    #[inline(always)]
    pub(super) fn access(&mut self, access: Access) -> Flow {
        let Access { pid, tid, .. } = access;
        if self.picks(&Origin { pid, tid, ..Origin::default() })? {
            self.take(access)?;
        }
        Ok(())
    }

    /// Delivers the accesses of one thread, if they are selected.
    pub(super) fn accesses(&mut self, accesses: &[Access]) -> Flow {
        let Some(&Access { pid, tid, .. }) = accesses.first() else { return Ok(()) };
        let n = accesses.len() as u64;
        if !self.count.select.pick_all(n) {
            return accesses.iter().try_for_each(|access| self.access(*access));
        }
        self.count.census.see_all(pid, tid, n);
        self.sink.accesses(accesses)?;
        self.count.accesses += n;
        Ok(())
    }

    /// Delivers loads and stores by known instructions, if they are selected.
    pub(super) fn instructions(&mut self, batch: &InstructionBatch<'_>) -> Flow {
        let n = batch.accesses.len() as u64;
        if n == 0 {
            return Ok(());
        }
        if !self.count.select.pick_all(n) {
            return batch.each().try_for_each(|(node, access)| {
                node.map_or(Ok(()), |node| self.call(batch.tree, node))?;
                self.access(access)
            });
        }
        self.count.census.see_all(0, 0, n);
        self.sink.instructions(batch)?;
        self.count.accesses += n;
        Ok(())
    }

    /// Returns whether the next item is selected: an access, which must then be taken, or a sample without
    /// one.
    #[inline]
    pub(super) fn picks(&mut self, origin: &Origin<'_>) -> Result<bool, Stop> {
        self.count.census.see(origin.pid, origin.tid);
        self.count.select.pick(origin)
    }

    /// Delivers an access that was picked.
    #[inline]
    pub(super) fn take(&mut self, access: Access) -> Flow {
        self.sink.access(access)?;
        self.count.accesses += 1;
        Ok(())
    }

    /// Delivers the first touch of a page fault that was picked.
    pub(super) fn fault(&mut self, access: Access) -> Flow {
        self.sink.fault(access)?;
        self.count.faults += 1;
        Ok(())
    }

    /// Delivers an operation. It belongs to the next access, so it is left out if that access is.
    pub(super) fn op(&mut self, record: OpRecord) -> Flow {
        let select = &self.count.select;
        if select.is_full() {
            return Err(Stop::Full);
        }
        if select.wants_process(record.pid) && select.is_in_window() {
            self.sink.op(record)?;
            self.count.operations += 1;
        }
        Ok(())
    }

    /// Returns whether the actions of a process between accesses are counted: whether its next access is
    /// selected.
    pub(super) fn counts(&self, pid: u32) -> bool {
        let select = &self.count.select;
        !select.is_full() && select.wants_process(pid) && select.is_in_window()
    }

    /// Delivers the contents of a sample, after its access if it has one.
    #[inline]
    pub(super) fn sample(&mut self, sample: &Sample<'_>) -> Flow {
        Ok(self.sink.sample(sample)?)
    }

    /// Delivers all samples of a saved trace.
    pub(super) fn samples(&mut self, samples: Samples) -> Flow {
        Ok(self.sink.samples(samples)?)
    }

    /// Reports that a process was created.
    pub(super) fn fork(&mut self, child: u32, parent: u32) -> Flow {
        Ok(self.sink.fork(child, parent)?)
    }

    /// Gives a new process the name of its parent, which it has until it executes another program.
    pub(super) fn inherit_name(&mut self, child: u32, parent: u32) {
        self.count.census.inherit_name(child, parent);
    }

    /// Records the name of a process or thread.
    pub(super) fn name(&mut self, pid: u32, tid: u32, name: &[u8]) {
        self.count.census.name(pid, tid, name);
    }

    /// Tells how the file says which sizes its pages had.
    #[inline]
    pub(super) fn recorded_pages(&mut self, sizes: RecordedSizes) -> Flow {
        Ok(self.sink.recorded_pages(sizes)?)
    }

    /// Delivers a record of a memory map. It is never left out, because other processes may share the memory
    /// later.
    pub(super) fn mapping(&mut self, mapping: Mapping) -> Flow {
        Ok(self.sink.mapping(mapping)?)
    }

    /// Delivers what a system said about the pages.
    pub(super) fn page_facts(&mut self, facts: Vec<PageFact>) -> Flow {
        Ok(self.sink.page_facts(facts)?)
    }

    /// Delivers the call path of the next accesses: a node of a tree that only grows.
    #[inline]
    pub(super) fn call(&mut self, tree: &CallTree, node: u32) -> Flow {
        Ok(self.sink.call(tree, node)?)
    }

    /// Delivers where pages were in physical memory.
    pub(super) fn frames(&mut self, runs: Vec<FrameRun>) -> Flow {
        Ok(self.sink.frames(runs)?)
    }

    /// Delivers places of instructions in the source.
    pub(super) fn places(&mut self, places: Places) -> Flow {
        Ok(self.sink.places(places)?)
    }
}
