import { existsSync } from "node:fs";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { dist } from "../../scripts/lib/paths.mjs";
import { serve } from "../../scripts/lib/server.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the built site during the tests. */
    site: string;
  }
}

// The path of the site, which is not the root, because the site must work from any sub-path.
const PREFIX = "/some/sub/path/";

/** Serves dist/ for as long as the end-to-end tests run. */
export default async function setup(project: TestProject) {
  if (!existsSync(path.join(dist, "index.html")))
    throw new Error("There is no dist/index.html: run `npm run build` first.");
  const server = await serve(dist, { prefix: PREFIX });
  project.provide("site", server.url);
  return () => server.close();
}
