// `npm run icons`: draws public/favicon.svg as the pictures that an installed site needs.
import { readFileSync } from "node:fs";
import { withBrowser } from "./bench/chromium.mjs";
import { CHROMIUM_MISSING, findChromium } from "./lib/chromium.mjs";
import { inRoot } from "./lib/paths.mjs";
import { Stop } from "./lib/run.mjs";
import { main } from "./lib/steps.mjs";

/**
 * Systems cut a maskable icon to a circle or another shape. Only its middle is always seen: a circle of 80 % of the
 * width.
 */
const ICONS = [
  { name: "192", size: 192, scale: 1 },
  { name: "512", size: 512, scale: 1 },
  { name: "maskable", size: 512, scale: 0.7, isFilled: true },
];

async function draw(browser, svg, { name, size, scale, isFilled }) {
  const page = await browser.newPage({
    viewport: { width: size, height: size },
  });
  const [, ground] = /<rect[^>]* fill="([^"]+)"/.exec(svg);
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  await page.setContent(
    `<body style="margin:0;${isFilled ? `background:${ground}` : ""}">` +
      `<img src="${source}" width="${size}" style="display:block;scale:${scale}">`,
  );
  const path = inRoot("public", "icons", `${name}.png`);
  await page.screenshot({ path, omitBackground: true });
  await page.close();
}

await main(async () => {
  const executable = findChromium();
  if (!executable) throw new Stop(CHROMIUM_MISSING);
  const svg = readFileSync(inRoot("public", "favicon.svg"), "utf8");
  await withBrowser(executable, async (browser) => {
    for (const icon of ICONS) await draw(browser, svg, icon);
  });
});
