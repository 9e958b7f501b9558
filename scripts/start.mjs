// `npm start` takes a new clone to the running site, and skips the steps that are already done.
import { ensureSite, ensureWasm } from "./lib/artifacts.mjs";
import { dist } from "./lib/paths.mjs";
import { serve } from "./lib/server.mjs";
import { main } from "./lib/steps.mjs";
import { checkPrerequisites, extendPath } from "./lib/toolchain.mjs";

await main(async () => {
  extendPath();
  checkPrerequisites();
  await ensureWasm();
  await ensureSite();
  const { url } = await serve(dist, { port: Number(process.env.PORT ?? 4173) });
  console.log(`\nPagewalk runs at ${url} (Ctrl+C ends it)`);
});
