/** Asks for the trace of a link: to run its program, or to import its file. */
import type { ProgramText } from "../../model/code/code";
import type { Permalink } from "../../model/permalink/permalink";
import { count, counted } from "../../model/shared/format";
import type { Context } from "../context";
import { BUILT_IN_TRACES } from "../import/traces";
import type { MissingTrace } from "../import/traceSource";
import { dismiss, notify } from "../notices";

export function askForTrace(
  context: Context,
  link: Permalink,
  { code, build, missing }: MissingTrace,
): void {
  if (code === undefined) wantFile(context, link, missing);
  else askToRun(context, link, { code, build });
}

/** Code of others runs only when the user asks. */
function askToRun(
  context: Context,
  link: Permalink,
  program: Pick<ProgramText, "code" | "build">,
): void {
  const [first] = BUILT_IN_TRACES;
  const id = notify(context, {
    tone: "note",
    kind: "link",
    text: `A program makes the trace “${link.file ?? ""}”, and the link brings its code. It runs when you ask for it, without access to the network. Until then “${first.title}” is shown.`,
    button: {
      label: "Run the program",
      onPress: () => {
        dismiss(context, id);
        void import("../code/linkedProgram").then(({ runLinkedProgram }) =>
          runLinkedProgram(context, link, program),
        );
      },
    },
  });
}

/** The file of a link is not kept here: the link continues when the file is imported. */
function wantFile(context: Context, link: Permalink, missing: string): void {
  const { access, file = "" } = link;
  context.wantedFile = link;
  const goOn =
    access === undefined
      ? "Import it again"
      : `Import it again to continue at access ${count(access)}`;
  const [first] = BUILT_IN_TRACES;
  notify(context, {
    tone: "note",
    kind: "link",
    text: `“${file}” cannot be opened: ${missing} ${goOn}. Until then “${first.title}” is shown.`,
  });
}

export function askToGenerate(
  context: Context,
  accesses: number,
  onPress: () => void,
): void {
  const [first] = BUILT_IN_TRACES;
  const id = notify(context, {
    tone: "note",
    kind: "link",
    text: `The link’s trace has ${counted(accesses, "access", "accesses")}, which take some time and memory. Until it is generated, “${first.title}” is shown.`,
    button: {
      label: "Generate it",
      onPress: () => {
        dismiss(context, id);
        onPress();
      },
    },
  });
}
