//! Lists and limits of the core that the site needs. These tests write them as TypeScript.

use cases::typescript;
use pagewalk::caches::memory::MAX_LATENCY;
use pagewalk::caches::policy::Policy;
use pagewalk::caches::tlb::{Index, MAX_ENTRIES};
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::Virt;
use pagewalk_base::error::ErrorCode;
use pagewalk_base::trace::RegionKind;

#[test]
fn the_site_has_the_rules_of_machines() {
    let doc = "The replacement policies, in the order of a form.";
    typescript("machineRules.ts", &["PolicyInfo"])
        .value(doc, "POLICIES", "readonly PolicyInfo[]", &Policy::list())
        .value("The most entries of an array or a cache.", "MAX_ENTRIES", "number", &MAX_ENTRIES)
        .value("The largest latency, in cycles.", "MAX_LATENCY", "number", &MAX_LATENCY)
        .write();
}

#[test]
fn the_site_has_the_words_of_configurations() {
    typescript("words.ts", &["Cores", "ErrorCode", "Index", "RegionKind", "Virt"])
        .words::<RegionKind>("The kinds of memory regions.", "REGION_KINDS")
        .words::<Cores>("What has a core of its own.", "CORES")
        .words::<Virt>("How memory is virtualised.", "VIRTS")
        .words::<Index>("How a page number chooses its set.", "INDEXES")
        .words::<ErrorCode>("The codes of errors.", "ERROR_CODES")
        .write();
}
