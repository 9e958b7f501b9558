/** The screens as links: a row that ends in a menu of the less used ones, or one menu on a phone. */
import type { ReactNode } from "react";
import { encodePermalink, SCREENS } from "../../model/permalink/permalink";
import type { Screen } from "../../model/permalink/permalink";
import { replayPage } from "../../state/selectors";
import { Icon } from "../../views/shared/Icon";
import { FloatingDialog, Opener } from "../../views/shared/opener/Opener";
import { useApp } from "../context";
import { useSpoken } from "../language/spoken";

const IN_ROW = 5;
const ROW = SCREENS.slice(0, IN_ROW);
const MORE = SCREENS.slice(IN_ROW);

export function ScreenNav() {
  const screen = useApp((state) => state.screen);
  const { nav } = useSpoken();
  const isInMenu = MORE.includes(screen);
  return (
    <nav className="nav" aria-label={nav.all}>
      <Links screens={ROW} />
      <Menu
        label={nav.moreScreens}
        className="nav-more"
        isCurrent={isInMenu}
        face={
          isInMenu ? (
            <span>
              <span className="nav-more-of">{nav.moreOf}</span>{" "}
              {nav.screens[screen]}
            </span>
          ) : (
            nav.more
          )
        }
        screens={MORE}
      />
    </nav>
  );
}

/** A phone has no space for a row. `more` follows the screens. */
export function ScreenMenu({
  more,
}: {
  readonly more: (close: () => void) => ReactNode;
}) {
  const screen = useApp((state) => state.screen);
  const { nav } = useSpoken();
  const word = nav.screens[screen];
  return (
    <nav aria-label={nav.all}>
      <Menu
        label={nav.all}
        className="btn nav-menu"
        name={nav.menu.replace("{0}", word)}
        face={
          <>
            <Icon name="menu" />
            {word}
          </>
        }
        screens={SCREENS}
        more={more}
      />
    </nav>
  );
}

interface MenuProps {
  readonly label: string;
  readonly className: string;
  /** The name of the button, if it is not its text. */
  readonly name?: string;
  readonly face: ReactNode;
  /** Whether the menu has the screen that is shown. */
  readonly isCurrent?: boolean;
  readonly screens: readonly Screen[];
  readonly more?: (close: () => void) => ReactNode;
}

function Menu(props: MenuProps) {
  const { label, className, name, face, isCurrent, screens, more } = props;
  const { language } = useSpoken();
  return (
    <Opener
      opens="dialog"
      className={className}
      {...(name !== undefined && { "aria-label": name })}
      aria-current={isCurrent ? "true" : undefined}
      face={
        <>
          {face}
          <Icon name="chevron" size={12} />
        </>
      }
    >
      {(floating) => (
        <FloatingDialog
          {...floating}
          label={label}
          lang={language}
          className="nav-menu-body"
          placement="bottom start"
        >
          {({ close }) => (
            <>
              <Links screens={screens} onFollow={close} />
              {more?.(close)}
            </>
          )}
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
  const words = useSpoken().nav.screens;
  // The link is needed, and kept current, only while another screen is shown.
  const replay = useApp((state) =>
    state.screen === "replay" ? "" : encodePermalink(replayPage(state)),
  );
  return (
    <>
      {screens.map((each) =>
        each === "replay" && screen === "replay" ? (
          <span key={each} aria-current="page">
            {words[each]}
          </span>
        ) : (
          <a
            key={each}
            href={`#${each === "replay" ? replay : encodePermalink({ screen: each })}`}
            aria-current={each === screen ? "page" : undefined}
            onClick={onFollow}
          >
            {words[each]}
          </a>
        ),
      )}
    </>
  );
}
