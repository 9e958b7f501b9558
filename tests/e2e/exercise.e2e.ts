/** An exercise from Replay to the grades: a teacher makes it, five students solve it, each with other mistakes. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { drop, ready, says } from "./app";
import { seriousViolations, useBrowser } from "./browser";

const visit = useBrowser();

const PAGES = 23;

/** Loads of 23 pages, then of the same pages again; no set of the TLB becomes full. */
const TRACE = [
  "kind,address,size",
  ...Array.from({ length: 40 }, (_, at) => {
    const page = 0x700 + ((at * 7) % PAGES);
    return `load,0x${(page * 4096 + 0x123 + at * 8).toString(16)},8`;
  }),
].join("\n");

/** What a question shows: the number of the access and its address. */
interface Shown {
  readonly at: number;
  readonly address: number;
}

const hex = (n: number) => `0x${n.toString(16)}`;
const pageOf = ({ address }: Shown) => Math.floor(address / 4096);

/** The right answers, from the addresses alone. */
const RIGHT = {
  outcome: () => "fault",
  set: (shown: Shown) => String(pageOf(shown) % 16),
  page: (shown: Shown) => hex(pageOf(shown)),
  walks: ({ at }: Shown) => String(at + 1),
};

type Answers = Readonly<Record<keyof typeof RIGHT, (shown: Shown) => string>>;

/** Each student, what they do wrong, and the mistakes that the report must name. */
const STUDENTS: readonly (readonly [
  name: string,
  wrong: Partial<Record<keyof Answers, (shown: Shown) => string>>,
  mistakes: readonly string[],
])[] = [
  ["Ada Lovelace", {}, []],
  ["Bo", { set: ({ address }) => String(address % 4096) }, ["offset-for-set"]],
  [
    "陈晨",
    { page: (shown) => hex(Math.floor(pageOf(shown) / 16)) },
    ["tag-for-page"],
  ],
  [
    "Di",
    {
      page: (shown) => String(pageOf(shown)),
      set: (shown) => String(pageOf(shown)),
    },
    ["page-for-set", "decimal-for-hexadecimal"],
  ],
  [
    "Eve",
    { walks: ({ at }) => String(at), outcome: () => "miss" },
    ["miss-for-fault", "one-access-short"],
  ],
];

const QUESTIONS = ["outcome", "set", "page", "walks"] as const;

async function make(): Promise<{
  page: Page;
  student: string;
  teacher: string;
}> {
  const { page, problems } = await visit("?test#trace=chase");
  await ready(page);
  await drop(page, "own.csv", TRACE);
  await page.getByText("own.csv").first().waitFor();
  await ready(page);
  await page.getByRole("button", { name: "Ask about this" }).click();
  const dialog = page.getByRole("dialog", { name: "Ask about this" });
  const choose = (group: string, name: string) =>
    dialog
      .getByRole("group", { name: group, exact: true })
      .getByLabel(name, { exact: true })
      .check();
  await choose("Set", "L1 dTLB 4K");
  await choose("Bits of the address", "page number");
  await choose("How many so far", "walks");
  await dialog.getByLabel("Title").fill("Pages");
  await dialog
    .getByLabel("About which accesses", { exact: true })
    .selectOption("walks");
  await dialog.locator(".maker-n input").fill("1");
  await dialog.getByLabel("Attempts").selectOption("1");
  await expect
    .poll(() => dialog.locator(".maker-preview:not([data-stale]) li").count())
    .toBe(QUESTIONS.length);
  await says(dialog, /The link has [\d,]+ of at most 6,144 characters/);
  expect(await seriousViolations(page)).toEqual([]);
  const address = async (name: string) =>
    (await dialog.getByRole("link", { name }).getAttribute("href")) ?? "";
  const links = {
    student: await address("Open as a student"),
    teacher: await address("Grade answers"),
  };
  expect(problems).toEqual([]);
  return { page, ...links };
}

async function shownIn(page: Page, question: number): Promise<Shown> {
  await says(page.locator(".lesson-where"), `question ${question + 1} of 4`);
  await page.locator(".question-text").filter({ hasText: /\d/ }).waitFor();
  const text = (await page.locator(".question").textContent()) ?? "";
  const [, at = ""] = /before access ([\d,]+)/.exec(text) ?? [];
  const [address = "0"] = /0x[0-9a-f]+/.exec(text) ?? [];
  return { at: Number(at.replaceAll(",", "")), address: Number(address) };
}

async function solve(
  page: Page,
  link: string,
  { name, before }: Readonly<{ name: string; before: string }>,
  answers: Answers,
): Promise<string> {
  // The links differ only after #: each student gets a fresh page.
  await page.goto("about:blank");
  await page.goto(link);
  const field = page.getByLabel("Your name");
  // The last name of this browser comes a moment after the field.
  await expect.poll(() => field.inputValue()).toBe(before);
  await field.fill(name);
  await page.keyboard.press("Enter");
  for (const [at, kind] of QUESTIONS.entries()) {
    const shown = await shownIn(page, at);
    const answer = answers[kind](shown);
    if (kind === "outcome")
      await page.getByRole("radio", { name: answer }).check();
    else await page.locator(".question-number input").fill(answer);
    await page.getByRole("button", { name: /^Run it/ }).click();
    await page.locator(".question-verdict").first().waitFor();
    await page.getByRole("button", { name: /^(Next question|Finish)/ }).click();
  }
  return page.locator(".exercise-line textarea").inputValue();
}

test("five_students_solve_an_exercise_and_every_mistake_is_named", async () => {
  const { page, student, teacher } = await make();
  const lines: string[] = [];
  for (const [at, [name, wrong]] of STUDENTS.entries()) {
    const before = STUDENTS[at - 1]?.[0] ?? "";
    const names = { name, before };
    const line = await solve(page, student, names, { ...RIGHT, ...wrong });
    expect(line).toMatch(/^PW1\.[\w-]+\.[0-9a-f]{8}$/);
    lines.push(`s${at};${line};submitted`);
  }
  const [first = ""] = lines;
  await page.goto("about:blank");
  await page.goto(teacher);
  await page
    .getByLabel("Answers: one line for each student")
    .fill([...lines, first.slice(0, -25), "hello"].join("\n"));
  await page.getByRole("button", { name: "Grade", exact: true }).click();
  await says(page.locator(".grade-summary"), "5 lines graded");
  const bars = page.locator(".mistake-bars li");
  const named = (await bars.allTextContents()).map((text) =>
    text.split(" ").at(-1),
  );
  const planted = STUDENTS.flatMap(([, , mistakes]) => mistakes);
  expect(named.toSorted()).toEqual(planted.toSorted());
  const row = (name: string) =>
    page.locator(".grade-table tbody tr").filter({ hasText: name });
  for (const [name, wrong] of STUDENTS)
    await says(row(name), `${4 - Object.keys(wrong).length} of 4`);
  await says(row("Bo"), "bits of the offset");
  await says(page.locator(".unread"), "2 lines not graded");
  await says(page.locator(".unread"), "the line is cut");
  expect(await seriousViolations(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save “grades” as CSV" }).click(),
  ]);
  const csv = await readFile(await download.path(), "utf8");
  const rows = csv.trim().split("\n");
  // The mark by which spreadsheets know the encoding.
  expect(csv.startsWith("\uFEFF")).toBe(true);
  expect(rows[0]).toMatch(/^label,name,score,of,/);
  // A row for each student, and one for each line that was not graded.
  expect(rows).toHaveLength(1 + 5 + 2);
  expect(rows[6]).toContain("the line is cut");
  expect(rows[3]).toMatch(/^s2 submitted,陈晨,3,4,/);
});

test("a_student_goes_on_after_a_reload_in_chinese_and_a_cut_link_says_so", async () => {
  const { page, student } = await make();
  const chinese = student.replace("?test", "?test&lang=zh");
  await page.goto("about:blank");
  await page.goto(chinese);
  await page.getByLabel("你的名字").fill("陈晨");
  await page.getByRole("button", { name: "开始" }).click();
  await page.getByRole("radio", { name: /缺页/ }).check();
  await page.getByRole("button", { name: /^运行/ }).click();
  await says(page.locator(".question-verdict"), "答对了");
  expect(await seriousViolations(page)).toEqual([]);
  await page.reload();
  await says(page.locator(".exercise-name"), "1 个回答");
  await page.getByRole("button", { name: "继续" }).click();
  await says(page.locator(".lesson-where"), "第 2 题");
  await page.goto("about:blank");
  await page.goto(student.slice(0, -60));
  await says(page.getByRole("alert"), "is damaged. Was the link cut short?");
});
