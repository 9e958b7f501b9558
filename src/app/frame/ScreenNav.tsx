/** The screens as links: a row, or on a narrow page a menu instead of the brand's name. */
import { encodePermalink, SCREENS } from "../../model/permalink/permalink";
import type { Screen } from "../../model/permalink/permalink";
import { replayPage } from "../../state/selectors";
import { Icon } from "../../views/shared/Icon";
import { FloatingDialog, Opener } from "../../views/shared/opener/Opener";
import { useApp } from "../context";

export const WORDS: Readonly<Record<Screen, string>> = {
  replay: "Replay",
  "what-if": "What-if",
  compare: "Compare",
  samples: "Samples",
  experiments: "Experiments",
  measured: "Measured",
  loop: "Loop",
  glossary: "Glossary",
};

/** The screens of the row; the menu also has the glossary, which is under "?" next to the row. */
const ROW = SCREENS.filter((screen) => screen !== "glossary");

export function ScreenNav() {
  return (
    <nav className="nav" aria-label="Screens">
      <Links screens={ROW} />
    </nav>
  );
}

export function ScreenMenu() {
  const screen = useApp((state) => state.screen);
  return (
    <Opener
      opens="dialog"
      className="nav-menu"
      aria-label={`Screen: ${WORDS[screen]}`}
      face={
        <>
          {WORDS[screen]}
          <Icon name="chevron" size={12} />
        </>
      }
    >
      {(floating) => (
        <FloatingDialog
          {...floating}
          label="Screens"
          className="nav-menu-body"
          placement="bottom start"
        >
          {({ close }) => <Links screens={SCREENS} onFollow={close} />}
        </FloatingDialog>
      )}
    </Opener>
  );
}

function Links({
  screens,
  onFollow,
}: {
  readonly screens: readonly Screen[];
  readonly onFollow?: () => void;
}) {
  const screen = useApp((state) => state.screen);
  // The link is needed, and kept current, only while another screen is shown.
  const replay = useApp((state) =>
    state.screen === "replay" ? "" : encodePermalink(replayPage(state)),
  );
  const addresses: Readonly<Record<Screen, string>> = {
    replay: `#${replay}`,
    compare: `#${encodePermalink({ screen: "compare" })}`,
    // The completeness of the open trace.
    "what-if": `#${encodePermalink({ screen: "what-if" })}`,
    samples: `#${encodePermalink({ screen: "samples" })}`,
    experiments: `#${encodePermalink({ screen: "experiments" })}`,
    measured: `#${encodePermalink({ screen: "measured" })}`,
    loop: `#${encodePermalink({ screen: "loop" })}`,
    glossary: `#${encodePermalink({ screen: "glossary" })}`,
  };
  return (
    <>
      {screens.map((each) =>
        each === "replay" && screen === "replay" ? (
          <span key={each} aria-current="page">
            {WORDS[each]}
          </span>
        ) : (
          <a
            key={each}
            href={addresses[each]}
            aria-current={each === screen ? "page" : undefined}
            onClick={onFollow}
          >
            {WORDS[each]}
          </a>
        ),
      )}
    </>
  );
}
