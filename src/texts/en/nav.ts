/** The header of the page in English. It comes with the first files; the other languages load when they are chosen. */
import type { Nav } from "../nav";

export const nav: Nav = {
  screens: {
    replay: "Replay",
    loop: "Loop",
    "what-if": "What-if",
    compare: "Compare",
    experiments: "Experiments",
    samples: "Samples",
    measured: "Measured",
    glossary: "Glossary",
  },
  all: "Screens",
  menu: "Menu: {0}",
  more: "More",
  moreOf: "More:",
  moreScreens: "More screens",
  detail: "Detail",
  plain: "Plain",
  expert: "Expert",
  import: "Import",
  share: "Share",
  cite: "Cite",
  help: "Help",
  theme: "Theme: {0}",
  nextTheme: "{0}; next: {1}",
  auto: "as the system",
  light: "light",
  dark: "dark",
  toPicture: "Skip to the picture",
  toTimeline: "Skip to the timeline",
};
