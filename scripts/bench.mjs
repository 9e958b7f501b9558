// `npm run bench`: the speed of the core on this machine. Never part of the tests.
import { simCore } from "./lib/paths.mjs";
import { mustRun } from "./lib/run.mjs";
import { main } from "./lib/steps.mjs";
import { checkPrerequisites, extendPath } from "./lib/toolchain.mjs";

await main(async () => {
  extendPath();
  checkPrerequisites();
  await mustRun("cargo bench", "cargo", ["bench", "-p", "pagewalk-core"], {
    cwd: simCore,
  });
});
