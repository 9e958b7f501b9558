//! Lists and limits of the core that the site needs. These tests write them as TypeScript.

use cases::typescript;
use pagewalk::caches::memory::MAX_LATENCY;
use pagewalk::caches::policy::Policy;
use pagewalk::caches::psc::PscConfig;
use pagewalk::caches::tlb::{Index, MAX_ENTRIES};
use pagewalk::caches::victima::VictimaConfig;
use pagewalk::caches::virt::VirtStyle;
use pagewalk::config::{Inclusion, MachineConfig};
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::{HugetextConfig, OsConfig, ThpConfig, ThpEnabled, Virt};
use pagewalk::page_table::{EcptConfig, MAX_CWC};
use pagewalk::run::window::Window;
use pagewalk_base::addr::Paging;
use pagewalk_base::error::ErrorCode;
use pagewalk_base::trace::{Kind, RegionKind};

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
fn the_site_has_the_defaults_of_configurations() {
    let types = ["HugetextConfig", "MachineConfig", "OsConfig", "RunWindow", "ThpConfig"];
    let hugetext = HugetextConfig::default();
    typescript("defaults.ts", &types)
        .value("The machine `{}`.", "DEFAULT_MACHINE", "MachineConfig", &MachineConfig::default())
        .value("The memory mapping `{}`.", "DEFAULT_OS", "OsConfig", &OsConfig::default())
        .value("The policy `thp`.", "DEFAULT_THP", "ThpConfig", &ThpConfig::default())
        .value("The policy `hugetext`.", "DEFAULT_HUGETEXT", "HugetextConfig", &hugetext)
        .value("The whole trace is counted.", "WHOLE_TRACE", "RunWindow", &Window::default())
        .write();
}

/// Only the form of a machine needs these, so they do not come with the first files of the site.
#[test]
fn the_site_has_the_defaults_of_research_structures() {
    let doc = "The hashed page tables `{}`.";
    let blocks = VictimaConfig::default();
    typescript("researchDefaults.ts", &["EcptConfig", "VictimaConfig"])
        .value("The TLB blocks `{}`.", "DEFAULT_VICTIMA", "VictimaConfig", &blocks)
        .value(doc, "DEFAULT_ECPT", "EcptConfig", &EcptConfig::default())
        .value("The most entries of a walk cache of hashed tables.", "MAX_CWC", "number", &MAX_CWC)
        .write();
}

#[test]
fn the_site_has_the_words_of_configurations() {
    let types = [
        "Cores",
        "ErrorCode",
        "Inclusion",
        "Index",
        "Kind",
        "PageSize",
        "PscConfig",
        "RegionKind",
        "ThpEnabled",
        "Virt",
        "VirtStyle",
    ];
    let served = Kind::SERVED.map(Kind::name);
    let sizes = Paging::x86(4).sizes();
    let of_one_level = PscConfig::OF_ONE_LEVEL;
    typescript("words.ts", &types)
        .words::<RegionKind>("The kinds of memory regions.", "REGION_KINDS")
        .words::<Cores>("What has a core of its own.", "CORES")
        .words::<Virt>("How memory is virtualised.", "VIRTS")
        .words::<VirtStyle>("The kinds of caches that a nested walk has.", "VIRT_STYLES")
        .some_words(
            "How a page number chooses its set, without masks.",
            "INDEXES",
            "Extract<Index, string>",
            &[Index::LowBits.name(), Index::Xor.name()],
        )
        .words::<Inclusion>("The inclusion of the two TLB levels.", "INCLUSIONS")
        .words::<ThpEnabled>("Which memory gets transparent huge pages.", "THP_ENABLED")
        .words::<Kind>("The kinds of accesses.", "KINDS")
        .some_words("The kinds that arrays serve.", "SERVED_KINDS", "Kind", &served)
        .value("The page sizes of x86, smallest first.", "X86_SIZES", "readonly PageSize[]", &sizes)
        .fields::<PscConfig>("The walk caches.", "WALK_CACHES")
        .some_words(
            "The walk caches with entries of one level, the lowest level first.",
            "LEVEL_CACHES",
            "(keyof PscConfig)",
            &of_one_level,
        )
        .words::<ErrorCode>("The codes of errors.", "ERROR_CODES")
        .write();
}
