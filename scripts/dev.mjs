// `npm run dev` serves the site from its sources, and reloads it when they change. After a change of the
// Rust code, `npm run build:wasm` in another terminal is enough: Vite sees the new module.
import { ensureWasm } from "./lib/artifacts.mjs";
import { mustRun, nodeProgram } from "./lib/run.mjs";
import { main } from "./lib/steps.mjs";
import { checkPrerequisites, extendPath } from "./lib/toolchain.mjs";

await main(async () => {
  extendPath();
  checkPrerequisites();
  await ensureWasm();
  await mustRun("vite", ...nodeProgram("vite", ...process.argv.slice(2)));
});
