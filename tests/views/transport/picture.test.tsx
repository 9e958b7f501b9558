import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { TraceBar } from "../../../src/views/transport/TraceBar";
import { Transport } from "../../../src/views/transport/Transport";
import { expectPicture } from "../../pictures/expectPicture";
import { report, trace } from "../../pictures/runData";

const text = (node: React.ReactNode) =>
  renderToStaticMarkup(node).replaceAll(/<[^>]+>/g, "");
const nothing = () => undefined;

test("the_transport_of_a_desk", async () => {
  const transport = (
    <Transport
      cursor={12_345}
      nAccesses={398_306}
      playing={false}
      speed={1000}
      seeking={{ jump: "walk", direction: 1 }}
      onPlay={nothing}
      onMove={nothing}
      onJump={nothing}
      onSpeed={nothing}
      onSeek={nothing}
      onFind={nothing}
      onKeys={nothing}
    />
  );
  await expectPicture(transport, "__snapshots__/transport.txt");
});

test("the_strip_says_what_the_trace_is_and_what_became_of_it", () => {
  expect(text(<TraceBar trace={trace} report={report} />)).toBe(
    "ls -l·complete·398,306 accesses·valgrind lackey·2,860 pages touched" +
      "of loads and stores:dTLB miss 8.6 %walk 2.4 %translation cycles 0.51 per access",
  );
});

test("a_key_is_named_only_where_it_works", () => {
  const bar = (hasKeys: boolean) => {
    const node = renderToStaticMarkup(
      <TraceBar
        trace={trace}
        report={report}
        hasKeys={hasKeys}
        onAll={() => undefined}
        onSave={() => undefined}
      />,
    );
    return node.match(/aria-keyshortcuts|\([ST]\)/g) ?? [];
  };
  expect(bar(true)).toHaveLength(4);
  expect(bar(false)).toEqual([]);
});

test("a_phone_has_room_for_two_totals", () => {
  expect(text(<TraceBar trace={trace} report={report} compact />)).toBe(
    "ls -l·completeof loads and stores:miss 8.6 %walk 2.4 %",
  );
});

test("before_the_first_run_there_are_no_totals_and_during_it_they_are_so_far", () => {
  expect(text(<TraceBar trace={trace} report={null} />)).not.toContain("miss");
  expect(text(<TraceBar trace={trace} report={report} partial />)).toContain(
    "so far",
  );
});
