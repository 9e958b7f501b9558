//! The limits of exercises that the site needs. The test writes them as TypeScript.

use pagewalk_quiz::exercise::{MAX_ACCESSES, MAX_LINK, MAX_QUESTIONS, MAX_TEXT, Panel};

#[test]
fn the_site_has_the_limits_of_exercises() {
    let text = "The longest exercise that a link may unpack to, in bytes of UTF-8.";
    cases::typescript("exerciseRules.ts", &["Panel"])
        .words::<Panel>("The panels that an exercise can hide.", "PANELS")
        .value("The most questions of a student.", "MAX_QUESTIONS", "number", &MAX_QUESTIONS)
        .value("The most accesses of an exercise.", "MAX_ACCESSES", "number", &MAX_ACCESSES)
        .value("The longest part of a link after `#`, in bytes.", "MAX_LINK", "number", &MAX_LINK)
        .value(text, "MAX_TEXT", "number", &MAX_TEXT)
        .write();
}
