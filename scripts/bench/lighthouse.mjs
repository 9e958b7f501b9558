// Lets Lighthouse judge the built site, as a desktop computer and as a phone load it.
import { createServer } from "node:net";
import { ensurePackages } from "../lib/packages.mjs";
import { dist } from "../lib/paths.mjs";
import { serve } from "../lib/server.mjs";
import { withBrowser } from "./chromium.mjs";

/** What is judged: the screen that the site opens with, and a link to an access. */
const PAGES = { first: "", replay: "#trace=matmul24&access=100000" };

const FORMS = ["desktop", "mobile"];

export const CATEGORIES = ["performance", "accessibility", "best-practices"];

/**
 * Visits each page several times. Lighthouse simulates the network and the processor of a phone, and the network of a
 * desktop computer; the processor of a desktop computer is that of this machine.
 * @returns {Promise<Record<string, Record<string, Record<string, number>[]>>>} by page and form, for each visit the
 * scores of the categories, from 0 to 100
 */
export async function measureLighthouse(executable, visits) {
  await ensurePackages(import.meta.dirname);
  const { default: lighthouse, desktopConfig } = await import("lighthouse");
  const configs = { desktop: desktopConfig, mobile: undefined };
  const port = await freePort();
  const args = [`--remote-debugging-port=${port}`];
  const flags = { port, onlyCategories: CATEGORIES, logLevel: "error" };
  const { url, close } = await serve(dist);
  const judge = async (page, form) => {
    const result = await lighthouse(url + page, flags, configs[form]);
    const { runtimeError, categories } = result.lhr;
    if (runtimeError) throw new Error(runtimeError.message);
    return Object.fromEntries(
      CATEGORIES.map((name) => [
        name,
        Math.round(100 * categories[name].score),
      ]),
    );
  };
  const found = {};
  const work = async () => {
    for (const [name, page] of Object.entries(PAGES)) {
      found[name] = {};
      for (const form of FORMS) {
        found[name][form] = [];
        for (let n = 0; n < visits; n += 1)
          found[name][form].push(await judge(page, form));
      }
    }
  };
  await withBrowser(executable, work, args).finally(close);
  return found;
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
