//! The list of experiments.

use pagewalk::record::stats::RunReport;
use pagewalk_base::error::{Error, Result};

use super::job::Job;
use super::result::{ExperimentInfo, ExperimentResult, Setting};
use super::{
    byte_array, cliffs, code_cache, granules, matrix, nested, pre_touch, text_padding, tlab,
};

/// An experiment of the list.
pub(super) struct Spec {
    id: &'static str,
    title: &'static str,
    question: &'static str,
    sources: &'static [&'static str],
    setting: fn() -> Setting,
    /// What is simulated.
    pub(super) jobs: fn() -> Result<Vec<Job>>,
    /// The result, of the reports of all jobs in their order.
    pub(super) conclude: fn(ExperimentInfo, &[RunReport]) -> ExperimentResult,
}

const SPECS: &[Spec] = &[
    Spec {
        id: "byte-array",
        title: "Random bytes of an array, with and without huge pages",
        question: "How many TLB misses does a random read cost in an array of 10³ to 10⁸ bytes, with 4K pages, transparent huge pages and hugetlbfs?",
        sources: &["A. Shipilëv, JVM Anatomy Quark #2: Transparent Huge Pages (i7-4790K)"],
        setting: byte_array::setting,
        jobs: byte_array::jobs,
        conclude: byte_array::conclude,
    },
    Spec {
        id: "matrix",
        title: "Matrix multiplication by columns",
        question: "Does the column walk of a 2048 × 2048 product miss the TLB at every step, and do large pages cure it?",
        sources: &["Large pages for Java on a Core 2 (Ubuntu 10.04, JDK 1.6.0_20)"],
        setting: matrix::setting,
        jobs: matrix::jobs,
        conclude: matrix::conclude,
    },
    Spec {
        id: "code-cache",
        title: "Huge pages for a large code cache",
        question: "What do 2M pages do to a code cache of 150 to 400 MB when the iTLB has 8, 16 or 64 entries for them, and how many of them are best?",
        sources: &["Alibaba Cloud, huge text pages (hugetext) and their adaptive cap"],
        setting: code_cache::setting,
        jobs: code_cache::jobs,
        conclude: code_cache::conclude,
    },
    Spec {
        id: "text-padding",
        title: "Padding the tail of a program's text",
        question: "A text of 3.2 MB gets one huge page and a tail: what does padding the tail to a second one do to the iTLB?",
        sources: &["Alibaba Cloud, huge text pages (hugetext) and hugetext_pad_threshold"],
        setting: text_padding::setting,
        jobs: text_padding::jobs,
        conclude: text_padding::conclude,
    },
    Spec {
        id: "tlab",
        title: "Allocation in thread-local buffers",
        question: "How often does a Java allocation meet a new page, by the size of its buffer, the number of threads and the prefetch?",
        sources: &["A. Shipilëv, JVM Anatomy Quark #4: TLAB allocation"],
        setting: tlab::setting,
        jobs: tlab::jobs,
        conclude: tlab::conclude,
    },
    Spec {
        id: "nested",
        title: "Native, nested and shadowed walks",
        question: "What does a second dimension cost a walk, for every page size of guest and host, and which side must use huge pages?",
        sources: &[
            "R. Bhargava et al., \"Accelerating Two-Dimensional Page Walks\", ASPLOS 2008",
            "Huge pages in virtualisation (QEMU, KVM): transparent and hugetlbfs",
            "T. Merrifield, H. R. Taheri, \"Performance Implications of Extended Page Tables\", VEE 2016",
            "C. H. Park et al., flattened page tables, ASPLOS 2022",
        ],
        setting: nested::setting,
        jobs: nested::jobs,
        conclude: nested::conclude,
    },
    Spec {
        id: "pre-touch",
        title: "Touching 4 TiB before use",
        question: "How many page faults and page tables does it take to touch a heap of 4 TiB, with 4K and 2M pages?",
        sources: &["A. Shipilëv, JVM Anatomy Quark #2: Transparent Huge Pages (AlwaysPreTouch)"],
        setting: pre_touch::setting,
        jobs: pre_touch::jobs,
        conclude: pre_touch::conclude,
    },
    Spec {
        id: "granules",
        title: "Arm: larger granules and the contiguous bit",
        question: "Does one entry for 16 pages save as many misses as a larger granule, and which of them shortens the walk?",
        sources: &[
            "Alibaba Cloud, huge text pages: page sizes of Arm, contiguous bit",
            "Linux, Documentation/arch/arm64/hugetlbpage.rst",
        ],
        setting: granules::setting,
        jobs: granules::jobs,
        conclude: granules::conclude,
    },
    Spec {
        id: "cliffs",
        title: "Strides, page orders and powers of two",
        question: "At which stride, in which order and at which spacing do TLB misses begin?",
        sources: &[
            "Algorithmica, \"Virtual Memory\" (Zen 2)",
            "P. Khuong, \"How bad can 1GB pages be?\" (Xeon E5)",
            "notes.elimelt.com, strides over 256 MB",
            "A. Tatar et al., \"TLB;DR\", USENIX Security 2022 (hashed index of the STLB)",
        ],
        setting: cliffs::setting,
        jobs: cliffs::jobs,
        conclude: cliffs::conclude,
    },
];

impl Spec {
    pub(super) fn info(&self) -> ExperimentInfo {
        ExperimentInfo {
            id: self.id.to_owned(),
            title: self.title.to_owned(),
            question: self.question.to_owned(),
            sources: self.sources.iter().map(|source| (*source).to_owned()).collect(),
            setting: (self.setting)(),
        }
    }
}

/// All experiments, in the order of the gallery.
pub fn list() -> Vec<ExperimentInfo> {
    SPECS.iter().map(Spec::info).collect()
}

pub(super) fn spec(id: &str) -> Result<&'static Spec> {
    SPECS.iter().find(|spec| spec.id == id).ok_or_else(|| {
        let known: Vec<&str> = SPECS.iter().map(|spec| spec.id).collect();
        let message = format!("there is no experiment `{id}`: choose one of {}", known.join(", "));
        Error::config("experiment", message)
    })
}
