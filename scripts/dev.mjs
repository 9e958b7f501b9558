// `npm run dev`: the site from its sources, reloaded as they change. After a change of the
// Rust code, `npm run build:wasm` in another terminal is enough: Vite sees the new module.
import { ensureWasm } from "./lib/artifacts.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { mustRun, nodeProgram } from "./lib/run.mjs";
import { main } from "./lib/steps.mjs";
import { checkPrerequisites, extendPath } from "./lib/toolchain.mjs";

await main(async () => {
  extendPath();
  checkPrerequisites();
  await ensurePackages();
  await ensureWasm();
  await mustRun("vite", ...nodeProgram("vite", ...process.argv.slice(2)));
});
