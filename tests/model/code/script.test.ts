import { expect, test } from "vitest";
import { SCRIPT_EXAMPLES } from "../../../src/model/code/scriptExamples";
import { prepareScript } from "../../../src/model/code/script";

/** The code as it runs, then each site. */
function check(code: string): string {
  const { code: out, sites, problem, unreadable } = prepareScript(code);
  const lines = sites.map(
    ({ kind, line, name }) => `${kind} on ${line}${name ? `: ${name}` : ""}`,
  );
  const more = [
    ...(problem ? [`line ${problem.line}: ${problem.message}`] : []),
    ...(unreadable === undefined ? [] : [`unreadable: ${unreadable}`]),
  ];
  return [out, ...lines, ...more].join("\n");
}

test("each_call_has_a_name_of_its_own_and_lines_stay", () => {
  expect(
    check(`const a = array(8); // array(1)
let b; b = array(2, 4);
for (let i = 0; i < 8; i++) {
  load(a, i); store(
    b, load(a, 0));
}`),
  ).toMatchInlineSnapshot(`
    "const a = $array0(8); // array(1)
    let b; b = $array1(2, 4);
    for (let i = 0; i < 8; i++) {
      $load2(a, i); $store3(
        b, $load4(a, 0));
    }
    array on 1: a
    array on 2: b
    load on 4
    store on 4
    load on 5"
  `);
});

test("a_word_that_is_no_call_stays", () => {
  expect(check('const f = load; a.load(1); "load(2)"; `${load(3)}`; f(4)'))
    .toMatchInlineSnapshot(`
    "const f = load; a.load(1); "load(2)"; \`\${$load0(3)}\`; f(4)
    load on 1"
  `);
});

test("who_defines_a_word_means_its_own", () => {
  expect(check("function store(x) { load(x); }\nstore(1);"))
    .toMatchInlineSnapshot(`
    "function store(x) { $load0(x); }
    store(1);
    load on 1"
  `);
});

test("modules_are_refused_with_their_line", () => {
  expect(check("load(1);\nimport('https://a.b/c.js')")).toMatchInlineSnapshot(`
    "$load0(1);
    import('https://a.b/c.js')
    load on 1
    line 2: A program cannot use \`import\` and \`export\`: it is one piece of code, without a network."
  `);
  expect(check("import x from 'y';")).toContain("line 1: ");
  // A word in a comment or a string is no use of it.
  expect(
    prepareScript("// import('x')\nload('import(')").problem,
  ).toBeUndefined();
});

test("the_first_line_that_cannot_be_read_is_known", () => {
  expect(prepareScript("load(1);\nfor (;;\nload(2);").unreadable).toBe(3);
});

test("examples_are_read_have_names_of_their_own_and_begin_with_what_they_show", () => {
  const ids = SCRIPT_EXAMPLES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, code } of SCRIPT_EXAMPLES) {
    const { problem, unreadable, sites } = prepareScript(code);
    expect({ id, problem, unreadable }).toEqual({ id });
    expect(sites.length, id).toBeGreaterThan(1);
    expect(code, id).toMatch(/^\/\/ /);
  }
});
