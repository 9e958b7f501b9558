//! Uniform random accesses on models show the sizes of their arrays: nothing misses up to a size, and half misses at
//! twice the size.

use pagewalk::config::cpu;
use pagewalk::machine::Machine;
use pagewalk::machine::probe::{Outcome, Probe, Translation};
use pagewalk::os::OsConfig;
use pagewalk_base::trace::{Access, Kind};

/// Counts the loads that miss level 1, and those that walk.
#[derive(Default)]
struct Misses {
    level_1: u32,
    walks: u32,
}

impl Probe for Misses {
    fn translated(&mut self, translation: &Translation) {
        self.level_1 += u32::from(translation.outcome > Outcome::L1Hit);
        self.walks += u32::from(translation.outcome.is_walk());
    }
}

/// Returns the shares of loads that miss level 1 and that walk, with `pages` pages of the smallest size in use.
fn shares(id: &str, pages: u64) -> [f64; 2] {
    const LOADS: u32 = 20_000;
    let config = cpu::model(id).unwrap().machine;
    let size = config.smallest_pages().unwrap();
    let mut machine = Machine::new(&config, &OsConfig::of(size)).unwrap();
    let mut misses = Misses::default();
    let mut index = 0;
    let mut load = |page: u64, misses: &mut Misses| {
        let address = 0x10_0000_0000 + page * size.bytes();
        machine.access(index, &Access::new(Kind::Load, address, 8), misses);
        index += 1;
    };
    // The first pass begins at the last page: frames rise while addresses fall, so that no pages coalesce.
    (0..pages).rev().for_each(|page| load(page, &mut Misses::default()));
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..LOADS {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        load((state >> 20) % pages, &mut misses);
    }
    [misses.level_1, misses.walks].map(|count| f64::from(count) / f64::from(LOADS))
}

/// Checks the knees of the arrays for loads of the smallest pages: `l2` is `None` if the core has no level 2.
#[track_caller]
fn check(id: &str, l1: u64, l2: Option<u64>) {
    let is_near_half = |share: f64| (share - 0.5).abs() < 0.06;
    let [within, _] = shares(id, l1);
    let [beyond, _] = shares(id, 2 * l1);
    assert!(within == 0.0, "{id}: {within} of {l1} pages miss level 1");
    assert!(is_near_half(beyond), "{id}: {beyond} of {} pages miss level 1", 2 * l1);
    if let Some(l2) = l2 {
        // A little less than all of level 2: entries of tables may share it.
        let pages = l2 - l2 / 8;
        let [_, within] = shares(id, pages);
        let [_, beyond] = shares(id, 2 * l2);
        assert!(within < 0.02, "{id}: {within} of {pages} pages walk");
        assert!(is_near_half(beyond), "{id}: {beyond} of {} pages walk", 2 * l2);
    }
}

#[test]
fn cores_of_risc_v_and_power_have_their_knees() {
    check("sifive-u54", 32, None);
    check("xiangshan-kunminghu", 48, Some(4096));
    check("ibm-power9", 256, Some(512));
    check("ibm-power9:granule-4k", 256, Some(512));
}

#[test]
fn cores_of_apple_and_qualcomm_have_their_knees() {
    check("apple-avalanche", 256, Some(3072));
    check("apple-avalanche:blizzard", 192, Some(2048));
    check("apple-m4", 160, Some(3072));
    check("apple-m4:e-core", 192, Some(1024));
    check("qualcomm-oryon", 224, Some(32_768));
    check("qualcomm-oryon:granule-64k", 224, Some(32_768));
}

#[test]
fn small_and_older_cores_of_x86_have_their_knees() {
    check("intel-goldmont", 32, Some(512));
    check("intel-goldmont:plus", 32, Some(512));
    check("intel-goldencove:redwoodcove", 96, Some(2048));
    check("amd-bulldozer", 32, Some(1024));
    check("amd-bulldozer:piledriver", 64, Some(1024));
}
