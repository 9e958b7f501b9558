import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serve } from "../../scripts/lib/server.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "pagewalk-site-"));
let site: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  writeFileSync(path.join(folder, "index.html"), "<p>first page</p>");
  writeFileSync(path.join(folder, "favicon.svg"), "<svg/>");
  site = await serve(folder, { port: 4300, prefix: "/a/b/" });
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

/** Returns the status of an answer. The path is sent unchanged. */
function statusOf(target: string, host?: string): Promise<number> {
  const { port, host: own, hostname } = new URL(site.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `GET ${target} HTTP/1.1\r\nHost: ${host ?? own}\r\nConnection: close\r\n\r\n`,
      ),
    );
    let text = "";
    socket.setEncoding("utf8").on("data", (part) => (text += String(part)));
    socket.on("end", () => resolve(Number(text.split(" ")[1])));
    socket.on("error", reject);
  });
}

test.each([
  ["/a/b/", 200],
  ["/a/b/favicon.svg", 200],
  ["/a/b/favicon.svg/", 200],
  ["/a/b/favicon.svg/x", 404],
  ["/a/b/missing", 404],
  ["/a/b/../../package.json", 404],
  ["/a/b/%2e%2e/%2e%2e/package.json", 404],
  ["/a/b/..%2f..%2fetc/passwd", 404],
  ["/a/b/%00", 404],
  ["/a/b/%ff", 404],
])("a_request_of_%s_gets_%i_and_the_server_goes_on", async (target, status) => {
  const got = await statusOf(target);
  if (status === 200) expect(got).toBe(200);
  else expect([400, 403, 404]).toContain(got);
  expect(await statusOf("/a/b/")).toBe(200);
});

test("a_page_elsewhere_that_names_this_machine_gets_nothing", async () => {
  expect(await statusOf("/a/b/", "attacker.example")).toBe(403);
  expect(await statusOf("/a/b/", "attacker.example:4300")).toBe(403);
});

test("browsers_ask_for_a_file_again_so_that_a_new_version_is_seen", async () => {
  const { headers } = await fetch(`${site.url}favicon.svg`);
  expect(headers.get("cache-control")).toMatch(/^no-(cache|store)$/);
});

test("the_server_listens_on_this_machine_only", () => {
  expect(new URL(site.url).hostname).toMatch(/^(localhost|127\.0\.0\.1)$/);
});
