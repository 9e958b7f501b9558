/** What others cannot open, and the link as text, Markdown, HTML or with a picture. */
import { useState } from "react";
import { embedCode, markdownLink } from "../../model/permalink/shareText";
import type { Embed } from "../../model/permalink/shareText";
import { linkLacks } from "../../state/selectors";
import type { AppState } from "../../state/store";
import { copyPng } from "../../views/shared/picture/copyPng";
import { Choice } from "../../views/shared/picture/Choice";
import { usePageFacts } from "./usePageFacts";
import { addressOf, writeAddress } from "../browser/address";
import { useApp, useAppStore } from "../context";
import "./share.css";

const EMBED_OF: Readonly<Partial<Record<AppState["screen"], Embed>>> = {
  replay: "walk",
  code: "code",
  learn: "lesson",
};

export function ShareMenu() {
  const store = useAppStore();
  const facts = usePageFacts();
  const screen = useApp((state) => state.screen);
  const lack = useApp(linkLacks);
  const [message, setMessage] = useState("");
  const embed = EMBED_OF[screen];

  const copy = async (what: string, text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setMessage(`${what} copied.`);
    } catch {
      // Without a secure context or a permission there is no clipboard; the address bar has the same link.
      writeAddress(store.getState());
      setMessage("The browser does not allow to copy. Use the address bar.");
    }
  };
  const picture = async () => {
    const root = document.querySelector(".replay-panels [data-picture]");
    if (!root) {
      setMessage("This access has no picture.");
      return;
    }
    try {
      const isCopied = await copyPng(root, { caption: facts.caption() });
      setMessage(isCopied ? "Picture copied." : "Picture saved as a file.");
    } catch {
      setMessage("This browser cannot create it.");
    }
  };
  /** The sentence of the shown access, or the title of the page. */
  const about = async () => {
    const caption = await facts.caption();
    if (!caption) return document.title;
    const { text } = caption;
    return `${store.getState().trace?.name ?? ""}: ${text}`;
  };
  const address = () => addressOf(store.getState());
  return (
    <>
      {lack === undefined ? null : (
        <p className="share-lack" role="note">
          {lack}
        </p>
      )}
      <Choice
        word={lack === undefined ? "Copy link" : "Copy link anyway"}
        about="to this page"
        onChoose={() => void copy("Link", address())}
      />
      <Choice
        word="Copy Markdown"
        about={screen === "replay" ? "link and sentence" : "link and title"}
        onChoose={() =>
          void about().then((text) =>
            copy("Markdown", markdownLink(address(), text)),
          )
        }
      />
      {embed ? (
        <Choice
          word="Copy HTML"
          about="frame for a web page"
          onChoose={() =>
            void copy("HTML", embedCode(address(), embed, document.title))
          }
        />
      ) : null}
      {screen === "replay" ? (
        <Choice
          word="Copy picture"
          about="walk, PNG"
          onChoose={() => void picture()}
        />
      ) : null}
      <p className="save-picture-said t2 small" role="status">
        {message}
      </p>
    </>
  );
}
