// `npm start`: from a fresh clone to the running site, doing only what is not done yet.
import { ensureSite, ensureWasm } from "./lib/artifacts.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { dist } from "./lib/paths.mjs";
import { Stop } from "./lib/run.mjs";
import { serve } from "./lib/server.mjs";
import { main } from "./lib/steps.mjs";
import { checkPrerequisites, extendPath } from "./lib/toolchain.mjs";

const PORT = 4173;
const OTHER_PORTS = 20;

async function serveNear(port) {
  for (let tried = port; tried < port + OTHER_PORTS; tried++) {
    const server = await serve(dist, { port: tried });
    if (server) return server;
    console.log(`  Port ${tried} is taken, trying the next one.`);
  }
  throw new Stop(
    `No free port from ${port} on: stop what listens there, or set PORT.`,
  );
}

await main(async () => {
  extendPath();
  checkPrerequisites();
  await ensurePackages();
  await ensureWasm();
  await ensureSite();
  const { url } = await serveNear(Number(process.env.PORT ?? PORT));
  console.log(`\nPagewalk runs at ${url} (Ctrl+C ends it)`);
});
