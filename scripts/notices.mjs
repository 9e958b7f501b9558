// `npm run notices`: writes the licences of the Rust crates, after one was added, removed or changed.
import { writeFileSync } from "node:fs";
import { noticesFile, rustNotices } from "./lib/notices.mjs";
import { main } from "./lib/steps.mjs";

await main(() => writeFileSync(noticesFile, rustNotices()));
