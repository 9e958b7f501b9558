/** The texts of the header. They have no plural: a count would need the message library at the first opening. */
export interface Nav {
  readonly screens: Readonly<
    Record<
      | "learn"
      | "replay"
      | "code"
      | "what-if"
      | "compare"
      | "experiments"
      | "samples"
      | "measured"
      | "measure"
      | "glossary",
      string
    >
  >;
  /** The name of the list of screens. */
  readonly all: string;
  /** `{0}` is the screen. */
  readonly menu: string;
  readonly more: string;
  /** Before the name of a screen in the menu “more”. */
  readonly moreOf: string;
  readonly moreScreens: string;
  readonly detail: string;
  readonly plain: string;
  readonly expert: string;
  readonly import: string;
  readonly share: string;
  readonly cite: string;
  readonly help: string;
  /** `{0}` is the theme. */
  readonly theme: string;
  /** `{0}` is the text `theme`, `{1}` the next theme. */
  readonly nextTheme: string;
  readonly auto: string;
  readonly light: string;
  readonly dark: string;
  readonly toPicture: string;
  readonly toTimeline: string;
}
