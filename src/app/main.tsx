/** Connects engine, state and views, and opens what the address names. */
import { StrictMode, lazy } from "react";
import { createRoot } from "react-dom/client";
import { workerEngine } from "../engine/workerEngine";
import { createActions } from "../state/actions";
import { createAppStore } from "../state/store";
import { loadFloating } from "../views/shared/opener/Opener";
import { App } from "./App";
import { Breakdown, Part } from "./frame/Breakdown";
import { AppContext } from "./context";
import { SpokenRoot } from "./language/SpokenRoot";
import { ENGLISH } from "./language/spoken";
import type { Spoken } from "./language/spoken";
import { wantedLanguage } from "./language/storedLanguage";
import { asScreen, followAddress } from "./browser/address";
import { browserClock } from "./browser/clock";
import { fetchTrace } from "./browser/fetchTrace";
import { database } from "./browser/database";
import { keptTraces } from "./browser/keptTraces";
import { codeService } from "./code/codeService";
import { machineStore } from "./browser/machineStore";
import { savedRuns } from "./browser/savedRuns";
import { openingOf, settings } from "./browser/settings";
import { sessionStat } from "./browser/sessionStat";
import { otherTabs } from "./browser/tabs";
import { exposeForTests } from "./browser/testHook";
import { whenIdle } from "./browser/whenIdle";
import { followTheme, themeOf } from "./browser/theme";
import "./tokens.css";
import "./base.css";

const EmbedPage = lazy(() =>
  import("./embed/EmbedPage").then((module) => ({ default: module.EmbedPage })),
);

/** The folders of `pagewalk open`. */
const isServed = location.pathname.includes("/opened-");
const search = new URLSearchParams(location.search);
const wanted = search.get("embed");
// The screen Code was called Loop.
const embed = wanted === "loop" ? "code" : wanted;
const store = createAppStore({
  theme: themeOf(search),
  ...openingOf(location.hash.length > 1 || isServed, embed !== null),
});
const engine = workerEngine();
const db = database();
const tabs = otherTabs();
const actions = createActions(store, {
  engine,
  sideEngine: workerEngine,
  fetchTrace,
  shippedExperiments: async () =>
    (await import("./experiments/shippedExperiments")).shippedExperiments(),
  clock: browserClock,
  kept: keptTraces(db, () => tabs.announce("traces")),
  savedRuns: savedRuns(db, () => tabs.announce("runs")),
  machines: machineStore(db, () => tabs.announce("machines")),
  keptStat: sessionStat,
  codeService,
  learn: () => import("./learn/service"),
  remote: async () => (await import("./browser/remoteService")).remoteService,
  measure: async () =>
    (await import("./measure/measureService")).measureService,
  settings,
});

followTheme(store);
tabs.follow((list) => {
  const { kept, saved, machines } = store.getState();
  // A list that has not been shown yet is read when it is first shown.
  if (list === "traces" && kept) void actions.loadKept();
  if (list === "runs" && saved.runs) void actions.loadRuns();
  if (list === "machines" && machines.list) void actions.loadMachines();
});
addEventListener("unhandledrejection", ({ reason }) =>
  actions.reportUnexpected(reason),
);
/** Loads the other parts after the first picture. If loading fails, each part loads on use. */
async function loadOthers(): Promise<void> {
  void loadFloating();
  void actions.loadMachines();
  await actions.loadRest();
  if (!import.meta.env.PROD || isServed) return;
  const { keepOffline } = await import("./browser/offline");
  // A frame in another page gets a new version once all pages of the site are closed: a message would cover its picture.
  await keepOffline(embed === null ? actions.offerVersion : () => {});
}

const screen = embed === "lesson" ? "learn" : embed === "code" ? embed : null;
const hash = screen ? asScreen(location.hash, screen) : location.hash;
const opened = isServed ? actions.openServed(hash) : actions.open(hash);
void opened.then(() => whenIdle(() => void loadOthers()));
followAddress(store, actions);
exposeForTests({ store, actions });

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
const react = createRoot(root);
const draw = (first: Spoken) =>
  react.render(
    <StrictMode>
      <AppContext value={{ store, actions }}>
        <Breakdown>
          <SpokenRoot first={first}>
            {embed === null ? (
              <App />
            ) : (
              <Part>
                <EmbedPage wanted={embed} />
              </Part>
            )}
          </SpokenRoot>
        </Breakdown>
      </AppContext>
    </StrictMode>,
  );
const language = wantedLanguage(search) ?? "en";
if (language === "en") draw(ENGLISH);
else
  void import("./language/speak")
    .then(({ speak }) => speak(language))
    .then(draw, () => draw(ENGLISH));
