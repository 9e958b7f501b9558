//! Simulations ahead on other threads, and the part of the work that is done.

use super::advisor::{Advisor, Task};
use super::groups::Group;
use super::simulation::{Counted, FirstWalks, Simulation};
use super::{HugePoint, HugeSetup};
use pagewalk::run::window::Span;
use pagewalk_base::error::Result;
use pagewalk_base::trace::Trace;

/// A simulation that the advisor will probably need with its current picks. It may run on another thread.
pub struct Trial {
    task: Task,
    n_picked: usize,
    setup: HugeSetup,
    span: Span,
    point: HugePoint,
    /// Whether the walks of first touches are counted apart.
    splits: bool,
}

/// The result of a [`Trial`].
pub struct Tried {
    task: Task,
    n_picked: usize,
    point: HugePoint,
    first: FirstWalks,
}

impl Trial {
    /// # Errors
    /// `bad-config` at a field of machine or mapping; `too-large` if the simulated memory is used up.
    pub fn run(self, trace: &Trace) -> Result<Tried> {
        let Self { task, n_picked, setup, span, point, splits } = self;
        let machine = setup.machine_for(trace)?;
        let mut simulation = Simulation::of_group(machine, span, point, splits);
        while !simulation.go_on(trace)? {}
        let Counted { point, first, .. } = simulation.finish(trace);
        Ok(Tried { task, n_picked, point, first })
    }
}

impl Advisor {
    /// Returns at most `n` simulations that are probably needed after the present one. The advice is the same with and
    /// without their results.
    pub fn trials(&self, n: usize) -> Vec<Trial> {
        let present = match self.now {
            Some((Task::Try(present), _)) => present,
            Some((Task::Group(present), _)) => return self.group_trials(present, n),
            _ => return Vec::new(),
        };
        let allowed = self.most_trials.saturating_sub(self.n_trials + self.tried.len() as u64);
        let allowed = usize::try_from(allowed).unwrap_or(n);
        let stale = self.lazy.stale();
        let new = |range: &u64| *range != present && !self.tried.contains_key(range);
        let ranges = stale.into_iter().filter(new).take(n.min(allowed));
        ranges
            .map(|range| self.trial_of(Task::Try(range), self.setup_with(Some(range)), false))
            .collect()
    }

    /// Returns at most `n` simulations of groups that come after the present one.
    fn group_trials(&self, present: usize, n: usize) -> Vec<Trial> {
        let groups = self.groups.iter().flatten().enumerate();
        let left = groups.filter(|(at, group)| *at != present && group.done.is_none());
        let trial = |(at, group): (usize, &Group)| {
            self.trial_of(Task::Group(at), self.setup_of_group(group), group.splits)
        };
        left.take(n).map(trial).collect()
    }

    fn trial_of(&self, task: Task, (setup, point): (HugeSetup, HugePoint), splits: bool) -> Trial {
        Trial { task, n_picked: self.chosen.len(), setup, span: self.span.clone(), point, splits }
    }

    /// Stores the result of a simulation of [`Self::trials`]. A result with other picks is dropped.
    pub fn add(&mut self, tried: &Tried) {
        if tried.n_picked != self.chosen.len() {
            return;
        }
        self.n_done += 1;
        match tried.task {
            Task::Watch => {}
            Task::Try(range) => {
                self.tried.insert(range, tried.point);
            }
            Task::Group(at) => self.set_group(at, tried.point, tried.first),
        }
    }

    /// Returns a lower bound of the part of the work that is done, 0 to 1. It never falls before the end.
    pub fn progress(&self) -> f64 {
        // A few more simulations follow the last single pick, and one for each group.
        let after = u64::from(self.options.most.checked_ilog2().unwrap_or(0) / 2) + 1;
        let to_do = match &self.groups {
            Some(groups) => {
                let n_left = groups.iter().filter(|group| group.done.is_none()).count() as u64;
                n_left + self.most_added()
            }
            None => self.most_trials.saturating_sub(self.n_trials) + after + self.most_groups(),
        };
        let inside = self.now.as_ref().map_or(0.0, |(_, simulation)| simulation.progress());
        #[expect(clippy::cast_precision_loss, reason = "a number of simulations")]
        let share = (self.n_done as f64 + inside) / (self.n_done + to_do).max(1) as f64;
        share.min(1.0)
    }
}
