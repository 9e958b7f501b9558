/**
 * Saves a chart as PNG or SVG, its numbers as CSV, or the page as a link. The picture is the nearest ancestor
 * with the attribute `data-picture`, without elements that have `data-no-picture`.
 */
import { useContext, useRef, useState } from "react";
import { fileName } from "../../../model/shared/csv";
import { Icon } from "../Icon";
import { FloatingDialog, Opener } from "../opener/Opener";
import { useCsvFile } from "../csvFile";
import { PageFactsContext } from "./PageFacts";
import { saveFile } from "./saveFile";
import "./savePicture.css";

export interface PictureTable {
  /** The name of the table if there are several: `cells`. */
  readonly of?: string;
  readonly csv: () => string;
}

export interface SavePictureProps {
  /** The title of what is saved: `Outcome over time`. */
  readonly what: string;
  /** The prefix of file names; missing = the page's. */
  readonly file?: string;
  /** The exact numbers of the picture. */
  readonly tables?: readonly PictureTable[];
  /** False for a table, which has no picture. */
  readonly hasPicture?: boolean;
}

type Drawing = "png" | "svg";

export function SavePicture(props: SavePictureProps) {
  const { what, file, tables = [], hasPicture = true } = props;
  const page = useContext(PageFactsContext);
  const csvFile = useCsvFile();
  const anchor = useRef<HTMLSpanElement>(null);
  const [message, setMessage] = useState("");
  const name = (more: string, ending: string) =>
    `${fileName(file ?? page?.name() ?? "", what, more)}.${ending}`;

  const draw = async (kind: Drawing) => {
    const root = anchor.current?.closest("[data-picture]");
    if (!root) throw new Error("There is no picture around the button.");
    const { pictureOf, pngOf, svgOf } = await import("./pictureOf");
    const picture = pictureOf(root);
    const made = kind === "svg" ? svgOf(picture) : await pngOf(picture);
    saveFile(made, name("", kind));
  };
  const attempt = (work: () => void | Promise<void>) => {
    setMessage("");
    const failed = () => setMessage("This browser cannot create it.");
    try {
      void Promise.resolve(work()).catch(failed);
    } catch {
      failed();
    }
  };
  const copy = async (link: string) => {
    try {
      await navigator.clipboard.writeText(link);
      setMessage("Link copied.");
    } catch {
      // Without a secure context or a permission, there is no clipboard.
      setMessage("Copy the link from the address bar.");
    }
  };
  return (
    <span ref={anchor} className="save-picture" data-no-picture="">
      <Opener
        opens="dialog"
        className="btn quiet icon save-picture-button"
        aria-label={`Save “${what}”`}
        face={<Icon name="save" size={14} />}
        onOpen={() => setMessage("")}
      >
        {(floating) => (
          <FloatingDialog
            {...floating}
            label={`Save “${what}”`}
            className="save-picture-menu"
          >
            {() => (
              <>
                {hasPicture ? (
                  <>
                    <Choice
                      word="PNG"
                      about="picture, 2×"
                      onChoose={() => attempt(() => draw("png"))}
                    />
                    <Choice
                      word="SVG"
                      about="picture, scales"
                      onChoose={() => attempt(() => draw("svg"))}
                    />
                  </>
                ) : null}
                {tables.map(({ of = "", csv }) => (
                  <Choice
                    key={of}
                    word="CSV"
                    about={of === "" ? "numbers" : of}
                    onChoose={() =>
                      attempt(() => saveFile(csvFile(csv()), name(of, "csv")))
                    }
                  />
                ))}
                {page ? (
                  <Choice
                    word="Copy link"
                    about="to this page"
                    onChoose={() => attempt(() => copy(page.link()))}
                  />
                ) : null}
                <p className="save-picture-said t2 small" role="status">
                  {message}
                </p>
              </>
            )}
          </FloatingDialog>
        )}
      </Opener>
    </span>
  );
}

interface ChoiceProps {
  readonly word: string;
  readonly about: string;
  readonly onChoose: () => void;
}

function Choice({ word, about, onChoose }: ChoiceProps) {
  return (
    <button type="button" className="save-picture-choice" onClick={onChoose}>
      {word} <span className="t2 small">{about}</span>
    </button>
  );
}
