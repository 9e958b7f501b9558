//! Switches between cores: exchanges the private state of the core in the machine with that of a parked core.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::machine::Machine;
use crate::machine::operations::cores::{Core, Cores, MAX_CORES, Parked};
use crate::machine::probe::Probe;
use crate::machine::stale::Stale;
use crate::os::KERNEL;
use pagewalk_base::error::{Error, ErrorCode};

impl Machine {
    /// Gives each thread or processor of the trace its own core. The caller must do so before the first access.
    #[must_use]
    pub fn with_cores(mut self, by: Cores) -> Self {
        self.cores = (by != Cores::One).then(|| {
            let fresh = Core {
                structures: self.structures.clone(),
                caches: self.memory.private_caches(),
                host: self.nested.as_ref().map(|nested| nested.caches.clone()),
                pid: None,
                pcid: 0,
                pcids: self.pcids.clone(),
                vcpus: self.vcpus.clone(),
                stale: Stale::default(),
            };
            Box::new(Parked {
                by,
                fresh: Rc::new(fresh),
                numbers: BTreeMap::new(),
                cores: Vec::new(),
                active: None,
            })
        });
        self
    }

    /// Puts the core of a thread or processor of the trace into the machine.
    #[inline]
    pub(crate) fn enter_core(&mut self, tid: u32, cpu: u32, probe: &mut dyn Probe) {
        if self.cores.is_some() {
            self.switch_core(tid, cpu, probe);
        }
    }

    #[inline(never)]
    fn switch_core(&mut self, tid: u32, cpu: u32, probe: &mut dyn Probe) {
        let Some(mut parked) = self.cores.take() else { return };
        let id = if parked.by == Cores::Cpu { cpu } else { tid };
        let next = parked.numbers.len();
        let number = *parked.numbers.entry(id).or_insert(next);
        if number == parked.cores.len() {
            parked.cores.push(Rc::clone(&parked.fresh));
        }
        if number >= MAX_CORES {
            self.fail(Error::new(
                ErrorCode::TooLarge,
                format!("the trace uses more than {MAX_CORES} cores: simulate the trace on one core, or simulate a shorter part"),
            ));
        } else if parked.active != Some(number) {
            if let Some(active) = parked.active {
                self.exchange(Rc::make_mut(&mut parked.cores[active]));
            }
            self.exchange(Rc::make_mut(&mut parked.cores[number]));
            parked.active = Some(number);
        }
        probe.core(number, id);
        self.cores = Some(parked);
    }

    fn exchange(&mut self, core: &mut Core) {
        self.memory.exchange(&mut core.caches);
        if let (Some(nested), Some(host)) = (&mut self.nested, &mut core.host) {
            std::mem::swap(&mut nested.caches, host);
        }
        std::mem::swap(&mut self.pcids, &mut core.pcids);
        std::mem::swap(&mut self.vcpus, &mut core.vcpus);
        self.run_vm();
        let was = (self.pid.take(), self.pcid);
        if let Some(process) = core.pid {
            self.set_process(process, core.pcid);
        }
        (core.pid, core.pcid) = was;
        // `set_process` clears the entries that were used last, so the structures are exchanged after it.
        std::mem::swap(&mut self.structures, &mut core.structures);
        std::mem::swap(&mut self.stale, &mut core.stale);
    }

    /// Returns the stale mappings of each core on which the process of a page table may have run.
    pub(crate) fn stale_on_all_cores(&mut self, space: u32) -> impl Iterator<Item = &mut Stale> {
        let vm = self.vcpus.vm;
        let is_kernel = self.spaces.get(&KERNEL) == Some(&space);
        let (active, cores) = match &mut self.cores {
            Some(parked) => (parked.active, parked.cores.as_mut_slice()),
            None => (None, [].as_mut_slice()),
        };
        let others = (0..).zip(cores).filter(move |(number, core)| {
            let has_run = core.of_vm(vm).is_some_and(|(pcids, _)| pcids.of(space).is_some());
            active != Some(*number) && (is_kernel || has_run)
        });
        let others = others.map(|(_, core)| &mut Rc::make_mut(core).stale);
        std::iter::once(&mut self.stale).chain(others)
    }

    /// Returns the trace's number of the thread or processor whose core is in the machine.
    pub fn core(&self) -> Option<u32> {
        let parked = self.cores.as_ref()?;
        let found = parked.numbers.iter().find(|(_, number)| Some(**number) == parked.active);
        found.map(|(id, _)| *id)
    }
}
