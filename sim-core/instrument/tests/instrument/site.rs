//! The limit of memory, for the site.

use ::cases::typescript;
use pagewalk_instrument::MOST_PAGES;

#[test]
fn the_site_has_the_limit_of_memory() {
    let doc = "The most bytes of a program's memory.";
    typescript("programRules.ts", &[])
        .value(doc, "PROGRAM_BYTES", "number", &(MOST_PAGES << 16))
        .write();
}
