/** The help menu in English. */
export const help = {
  howWeKnow: "How we know",
  projector: "Larger text, for a projector",
  usual: "Usual text",
  commands: "Commands (Ctrl K)",
  keys: "Keys",
  again: "Show the first screen again",
  language: "Language",
};

export type Help = Readonly<Record<keyof typeof help, string>>;
