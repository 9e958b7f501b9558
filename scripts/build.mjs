// `npm run build`: the wasm module and the static site; `npm run build:wasm`: the former only.
import { ensureSite, ensureWasm } from "./lib/artifacts.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { main } from "./lib/steps.mjs";
import { checkPrerequisites, extendPath } from "./lib/toolchain.mjs";

await main(async () => {
  extendPath();
  checkPrerequisites();
  await ensurePackages();
  await ensureWasm({ force: true });
  if (process.argv[2] !== "wasm") await ensureSite({ force: true });
});
