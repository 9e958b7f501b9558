/** Brand, pickers and actions; on a phone, one button opens the pickers. */
import { Icon } from "../../views/shared/Icon";
import { Brand } from "./Brand";
import { useActions, useApp } from "../context";
import { PhoneSetup } from "../config/PhoneSetup";
import type { SetupProps } from "../config/PhoneSetup";
import { PickerRow } from "../config/PickerRow";
import { DetailChoice } from "./DetailChoice";
import { useSpoken } from "../language/spoken";
import { HelpItems, HelpMenu } from "./HelpMenu";
import { ScreenMenu, ScreenNav } from "./ScreenNav";
import { ShareButton } from "./ShareButton";
import type { Theme } from "../../state/store";
import { useIsPhone, useMedia } from "../shared/useMedia";
import "./header.css";

export function Header({ onDialog, onEdit, onTotals }: SetupProps) {
  const { language, nav } = useSpoken();
  const isPhone = useIsPhone();
  const isMenu = useMedia("(width < 960px)");
  const isSmall = useMedia("(width < 1180px)");
  const isWide = useMedia("(width >= 1280px)");
  const screen = useApp((state) => state.screen);
  const welcome = useApp((state) => state.welcome);
  const importing = (
    <button type="button" className="btn" onClick={() => onDialog("import")}>
      {nav.import}
    </button>
  );
  return (
    <header className="header" lang={language}>
      <Brand isSmall={isSmall} />
      {isPhone ? (
        <ScreenMenu
          more={(close) => <HelpItems onDialog={onDialog} close={close} />}
        />
      ) : (
        <ScreenNav />
      )}
      <span className="spacer" />
      {welcome ? null : screen !== "replay" &&
        screen !== "what-if" &&
        screen !== "code" ? (
        <>
          {screen === "samples" ? importing : null}
          <ShareButton />
          {isMenu ? null : (
            <button
              type="button"
              className="btn"
              onClick={() => onDialog("cite")}
            >
              {nav.cite}
            </button>
          )}
        </>
      ) : isMenu ? (
        <PhoneSetup onDialog={onDialog} onEdit={onEdit} onTotals={onTotals} />
      ) : (
        <>
          {isWide ? <DetailChoice /> : null}
          <PickerRow onEdit={onEdit} onDialog={onDialog} />
          {importing}
          <ShareButton />
        </>
      )}
      {isPhone ? null : <HelpMenu onDialog={onDialog} />}
      <ThemeButton />
    </header>
  );
}

const NEXT_THEME: Readonly<Record<Theme, Theme>> = {
  auto: "light",
  light: "dark",
  dark: "auto",
};

function ThemeButton() {
  const theme = useApp((state) => state.theme);
  const { setTheme } = useActions();
  const { nav } = useSpoken();
  const label = nav.theme.replace("{0}", nav[theme]);
  return (
    <button
      type="button"
      className="btn quiet icon"
      aria-label={label}
      title={nav.nextTheme
        .replace("{0}", label)
        .replace("{1}", nav[NEXT_THEME[theme]])}
      onClick={() => setTheme(NEXT_THEME[theme])}
    >
      <Icon name="theme" />
    </button>
  );
}
