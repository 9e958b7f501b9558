//! Tests of the cycles of events outside of translation: sums on paper, and that they change nothing else.

use pagewalk::config::{EventCosts, MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::os::{OsConfig, Virt};
use pagewalk::record::stats::{EventCycles, RunReport, Stats};
use pagewalk_base::trace::{Access, Completeness, Kind};

use crate::common::run;

/// Touches three pages twice, and returns the report.
fn report(costs: Option<EventCosts>, virt: Virt) -> RunReport {
    let config: MachineConfig = parse_json(r#"{"l1": [{"entries": 2}]}"#).unwrap();
    let config = MachineConfig { event_costs: costs, ..config };
    let os = OsConfig { virt, ..OsConfig::default() };
    let mut machine = Machine::new(&config, &os).unwrap();
    let pages = [1, 2, 3, 1, 2, 3].map(|page| Access::new(Kind::Load, page << 12, 8));
    let mut stats = Stats::default();
    run(&mut machine, pages, &mut stats);
    stats.report(&machine, Completeness::Complete)
}

/// Three first touches of 1,000 cycles.
#[test]
fn events_cost_their_number_times_the_price() {
    let costs = EventCosts { minor_fault: 1_000, major_fault: 7, vm_exit: 20, shootdown: 9 };
    let native = report(Some(costs), Virt::Native);
    assert_eq!(native.events(), [3, 0, 0, 0]);
    let minor = EventCycles { minor_faults: 3_000, total: 3_000, ..EventCycles::default() };
    assert_eq!(native.event_cycles, Some(minor));
    let nested = report(Some(costs), Virt::Ept);
    let exits = nested.virt.as_ref().unwrap().exits.total;
    assert!(exits > 0);
    let cycles = nested.event_cycles.unwrap();
    assert_eq!((cycles.vm_exits, cycles.total), (20 * exits, 3_000 + 20 * exits));
}

#[test]
fn prices_change_no_other_number() {
    let costs = EventCosts { minor_fault: 1_000, ..EventCosts::default() };
    for virt in [Virt::Native, Virt::Ept, Virt::Shadow] {
        let (free, priced) = (report(None, virt), report(Some(costs), virt));
        assert_eq!(free.event_cycles, None);
        assert!(priced.event_cycles.is_some());
        assert_eq!(RunReport { event_cycles: None, ..priced }, free);
    }
}

#[test]
fn a_price_out_of_range_is_named() {
    let config = r#"{"event_costs": {"vm_exit": 1000000001}}"#;
    let problems = MachineConfig::parse(config).unwrap().problems();
    assert_eq!(
        problems[0].to_string(),
        "event_costs.vm_exit: 1000000001 cycles: must be 0 to 1000000000"
    );
    assert!(MachineConfig::parse(r#"{"event_costs": {"fault": 1}}"#).is_err());
}
