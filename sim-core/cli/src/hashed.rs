//! Hashes a trace on its way to a sink.

use pagewalk_base::error::Result;
use pagewalk_base::samples::{Sample, Samples};
use pagewalk_base::trace::saved::TraceHasher;
use pagewalk_base::trace::{Access, CallTree, FrameRun, Mapping, OpRecord, PageFact, Places};
use pagewalk_sources::import::{RecordedSizes, Sink};

/// Passes everything on to a sink, and hashes what a saved trace holds.
pub(crate) struct Hashed<'s, S> {
    sink: &'s mut S,
    hasher: Option<TraceHasher>,
}

impl<'s, S: Sink> Hashed<'s, S> {
    /// Without `is_asked`, nothing is hashed.
    pub(crate) fn new(sink: &'s mut S, is_asked: bool) -> Self {
        Self { sink, hasher: is_asked.then(TraceHasher::default) }
    }

    pub(crate) fn finish(self) -> Option<String> {
        self.hasher.map(TraceHasher::finish)
    }
}

impl<S: Sink> Sink for Hashed<'_, S> {
    #[inline]
    fn access(&mut self, access: Access) -> Result<()> {
        if let Some(hasher) = &mut self.hasher {
            hasher.access(&access);
        }
        self.sink.access(access)
    }

    fn accesses(&mut self, accesses: &[Access]) -> Result<()> {
        if let Some(hasher) = &mut self.hasher {
            for access in accesses {
                hasher.access(access);
            }
        }
        self.sink.accesses(accesses)
    }

    fn op(&mut self, record: OpRecord) -> Result<()> {
        if let Some(hasher) = &mut self.hasher {
            hasher.op(&record);
        }
        self.sink.op(record)
    }

    fn fault(&mut self, access: Access) -> Result<()> {
        if let Some(hasher) = &mut self.hasher {
            hasher.access(&access);
        }
        self.sink.fault(access)
    }

    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        if let Some(hasher) = &mut self.hasher {
            hasher.mapping(&mapping);
        }
        self.sink.mapping(mapping)
    }

    fn recorded_pages(&mut self, sizes: RecordedSizes) -> Result<()> {
        self.sink.recorded_pages(sizes)
    }

    fn page_facts(&mut self, facts: Vec<PageFact>) -> Result<()> {
        if let Some(hasher) = &mut self.hasher {
            hasher.page_facts(&facts);
        }
        self.sink.page_facts(facts)
    }

    fn frames(&mut self, runs: Vec<FrameRun>) -> Result<()> {
        if let Some(hasher) = &mut self.hasher {
            hasher.frames(&runs);
        }
        self.sink.frames(runs)
    }

    fn places(&mut self, places: Places) -> Result<()> {
        if let Some(hasher) = &mut self.hasher {
            hasher.places(&places);
        }
        self.sink.places(places)
    }

    fn call(&mut self, tree: &CallTree, node: u32) -> Result<()> {
        if let Some(hasher) = &mut self.hasher {
            hasher.call(tree, node);
        }
        self.sink.call(tree, node)
    }

    fn sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        self.sink.sample(sample)
    }

    fn samples(&mut self, samples: Samples) -> Result<()> {
        self.sink.samples(samples)
    }

    fn fork(&mut self, child: u32, parent: u32) -> Result<()> {
        self.sink.fork(child, parent)
    }
}
