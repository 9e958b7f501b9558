/** What the palette offers: keys, screens, examples, CPUs, experiments and terms. */
import type { Card } from "../../model/glossary/cards";
import { variantId } from "../../model/config/cpus";
import { encodePermalink, SCREENS } from "../../model/permalink/permalink";
import type { Permalink, Screen } from "../../model/permalink/permalink";
import { HOW_WE_KNOW } from "../../model/experiments/howWeKnow";
import type { Actions } from "../../state/actions";
import { BUILT_IN_TRACES, SAMPLES_EXAMPLE } from "../../state/import/traces";
import { TRACES_ABOUT } from "../../state/import/tracesAbout";
import { isGated, replayPage } from "../../state/selectors";
import type { AppState, Theme } from "../../state/store";
import type { Nav } from "../../texts/nav";
import type { Dialog } from "./useKeys";

export interface Command {
  readonly id: string;
  readonly text: string;
  /** Other words that find it. */
  readonly also?: string;
  /** Its key, or what it is about. */
  readonly note?: string;
  readonly run: () => void;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

interface KeyCommand {
  readonly text: string;
  /** The key, as the list of keys shows it. */
  readonly key: string;
  readonly press: KeyboardEventInit;
  /** Whether it works on every screen. */
  readonly isGlobal?: boolean;
}

/** Each presses its key, so that a key and its command cannot differ. */
export const KEY_COMMANDS: readonly KeyCommand[] = [
  { text: "Play or pause", key: "space", press: { key: " " } },
  { text: "Next access", key: "→", press: { key: "ArrowRight" } },
  { text: "Previous access", key: "←", press: { key: "ArrowLeft" } },
  {
    text: "Next L1 miss",
    key: "⇧→",
    press: { key: "ArrowRight", shiftKey: true },
  },
  {
    text: "Previous L1 miss",
    key: "⇧←",
    press: { key: "ArrowLeft", shiftKey: true },
  },
  { text: "Next walk", key: "W", press: { key: "w" } },
  { text: "Previous walk", key: "⇧W", press: { key: "W", shiftKey: true } },
  { text: "Next page fault or exception", key: "F", press: { key: "f" } },
  {
    text: "Previous page fault or exception",
    key: "⇧F",
    press: { key: "F", shiftKey: true },
  },
  { text: "Next operation", key: "O", press: { key: "o" } },
  {
    text: "Previous operation",
    key: "⇧O",
    press: { key: "O", shiftKey: true },
  },
  { text: "First access", key: "Home", press: { key: "Home" } },
  { text: "Last access", key: "End", press: { key: "End" } },
  { text: "Go to an access or an address", key: "/", press: { key: "/" } },
  { text: "Edit the machine", key: "E", press: { key: "e" } },
  { text: "Totals of the run", key: "T", press: { key: "t" } },
  { text: "Save the run", key: "S", press: { key: "s" } },
  {
    text: "Generate a trace",
    key: "G",
    press: { key: "g" },
    isGlobal: true,
  },
  {
    text: "Plain or expert: fewer or all details",
    key: "D",
    press: { key: "d" },
    isGlobal: true,
  },
  {
    text: "Projector: larger text, or the usual text",
    key: "P",
    press: { key: "p" },
    isGlobal: true,
  },
  {
    text: "Undo a change of the machine",
    key: "Ctrl Z",
    press: { key: "z", ctrlKey: true },
    isGlobal: true,
  },
  {
    text: "Redo a change of the machine",
    key: "Ctrl ⇧Z",
    press: { key: "Z", ctrlKey: true, shiftKey: true },
    isGlobal: true,
  },
  { text: "List of keys", key: "?", press: { key: "?" }, isGlobal: true },
];

/** Other words that find a screen. */
const ALSO: Readonly<Partial<Record<Screen, string>>> = {
  code: "JavaScript, rows and columns of an array",
  "what-if": "larger TLB, huge pages",
  compare: "two machines, 4K against 2M pages, all models, saved runs",
  experiments: "published measurements",
  measured: "perf stat",
  samples: "perf record",
};

const THEMES: Readonly<Record<Theme, string>> = {
  light: "Theme: light",
  dark: "Theme: dark",
  auto: "Theme: as the system",
};

export interface CommandTargets {
  readonly actions: Actions;
  readonly openDialog: (dialog: Dialog) => void;
  /** The names of the screens. */
  readonly names: Nav["screens"];
  /** The cards of the glossary, once they are loaded. */
  readonly cards: readonly Card[];
}

export function commandGroups(
  state: AppState,
  { actions, openDialog, names, cards }: CommandTargets,
): readonly CommandGroup[] {
  const { cpus, machines, experiments = [] } = state;
  const isReplay = state.screen === "replay" && !isGated(state);
  return [
    {
      title: "Screens",
      commands: [
        ...SCREENS.map((screen) => ({
          id: `screen ${screen}`,
          text: names[screen],
          also: ALSO[screen] ?? "",
          run: () => go(screen === "replay" ? replayPage(state) : { screen }),
        })),
        {
          id: "screen how we know",
          text: "How we know",
          also: "oracles, verify: are the numbers right?",
          run: () => go({ screen: "experiments", experiment: HOW_WE_KNOW }),
        },
      ],
    },
    {
      title: "Actions",
      commands: [
        ...KEY_COMMANDS.filter(({ isGlobal }) => isReplay || isGlobal).map(
          ({ text, key, press }) => ({
            id: `key ${key}`,
            text,
            note: key,
            run: () => pressKey(press),
          }),
        ),
        {
          id: "import",
          text: "Import a trace or a recording",
          also: "open file paste",
          run: () => openDialog("import"),
        },
        {
          id: "machines",
          text: "My machines: save, rename, export",
          run: () => openDialog("machines"),
        },
        ...(isReplay
          ? [
              {
                id: "ask",
                text: "Ask about this: make an exercise",
                also: "question teacher student homework",
                run: () => openDialog("ask"),
              },
            ]
          : []),
        {
          id: "grade",
          text: "Grade answers",
          also: "exercise teacher csv lms",
          run: () => go({ screen: "learn", grade: "" }),
        },
        { id: "cite", text: "Cite", run: () => openDialog("cite") },
        ...(["light", "dark", "auto"] as const).map((theme) => ({
          id: `theme ${theme}`,
          text: THEMES[theme],
          run: () => actions.setTheme(theme),
        })),
      ],
    },
    {
      title: "Example traces",
      commands: [
        ...BUILT_IN_TRACES.map((trace) => ({
          id: `trace ${trace.id}`,
          text: trace.title,
          also: `${trace.id} ${TRACES_ABOUT[trace.id]}`,
          run: () => {
            go(replayPage(state));
            void actions.openBuiltIn(trace);
          },
        })),
        {
          id: `trace ${SAMPLES_EXAMPLE.id}`,
          text: SAMPLES_EXAMPLE.title,
          also: TRACES_ABOUT[SAMPLES_EXAMPLE.id],
          note: "samples",
          run: () => go({ screen: "samples", trace: SAMPLES_EXAMPLE.id }),
        },
      ],
    },
    {
      title: "CPUs",
      commands: [
        ...(machines.list ?? []).map(({ id, name }) => ({
          id: `mine ${id}`,
          text: name,
          note: "mine",
          run: () => void actions.chooseMachine(id),
        })),
        ...cpus.flatMap((cpu) => [
          {
            id: `cpu ${cpu.id}`,
            text: cpu.name,
            also: `${cpu.id} ${cpu.vendor}`,
            run: () => void actions.chooseCpu(cpu.id),
          },
          ...cpu.variants.map((variant) => ({
            id: `cpu ${variantId(cpu, variant)}`,
            text: `${cpu.name}, ${variant.name}`,
            also: `${cpu.id} ${cpu.vendor}`,
            run: () => void actions.chooseCpu(variantId(cpu, variant)),
          })),
        ]),
      ],
    },
    {
      title: "Experiments",
      commands: experiments.map(({ id, title, question }) => ({
        id: `experiment ${id}`,
        text: title,
        also: `${id} ${question}`,
        run: () => go({ screen: "experiments", experiment: id }),
      })),
    },
    {
      title: "Terms",
      commands: cards.map(({ term, name, also }) => ({
        id: `term ${term}`,
        text: name,
        also: also.join(" "),
        run: () => go({ screen: "glossary", term }),
      })),
    },
  ];
}

function go(link: Permalink): void {
  location.hash = encodePermalink(link);
}

function pressKey(press: KeyboardEventInit): void {
  const init = { ...press, bubbles: true, cancelable: true };
  document.body.dispatchEvent(new KeyboardEvent("keydown", init));
}

/** Returns whether the text has every typed word, in any order. */
export function matches(
  text: string,
  typed: string,
  contains: (text: string, word: string) => boolean,
): boolean {
  return typed
    .trim()
    .split(/\s+/)
    .every((word) => contains(text, word));
}
