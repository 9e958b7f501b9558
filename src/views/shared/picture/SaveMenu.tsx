/** The forms in which a chart can be saved. */
import { useContext, useState } from "react";
import { fileName } from "../../../model/shared/csv";
import { useCsvFile } from "../csvFile";
import { Choice } from "./Choice";
import { copyPng } from "./copyPng";
import { makePicture } from "./makePicture";
import { PageFactsContext } from "./PageFacts";
import { pngOf, svgOf } from "./pictureOf";
import { saveFile } from "./saveFile";

export interface PictureTable {
  /** The name of the table if there are several: `cells`. */
  readonly of?: string;
  /** Its code may load with the first use. */
  readonly csv: () => string | Promise<string>;
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

export interface SaveMenuProps extends SavePictureProps {
  /** The element to draw. */
  readonly root: () => Element | null | undefined;
}

export function SaveMenu(props: SaveMenuProps) {
  const { what, file, tables = [], hasPicture = true, root } = props;
  const page = useContext(PageFactsContext);
  const csvFile = useCsvFile();
  const [message, setMessage] = useState("");
  const [light, setLight] = useState(false);
  const [clear, setClear] = useState(false);
  const name = (more: string, ending: string) =>
    `${fileName(file ?? page?.name() ?? "", what, more)}.${ending}`;

  const rootOrThrow = () => {
    const found = root();
    if (!found) throw new Error("There is no picture around the button.");
    return found;
  };
  const choices = () => ({ light, clear, caption: page?.caption() });
  const save = async (kind: "png" | "svg") => {
    const picture = await makePicture(rootOrThrow(), choices());
    saveFile(
      kind === "svg" ? svgOf(picture) : await pngOf(picture),
      name("", kind),
    );
  };
  const copyPicture = async () => {
    const isCopied = await copyPng(rootOrThrow(), choices(), name("", "png"));
    setMessage(isCopied ? "Picture copied." : "Picture saved as a file.");
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
    <>
      {hasPicture ? (
        <>
          <Choice
            word="PNG"
            about="picture, 2×"
            onChoose={() => attempt(() => save("png"))}
          />
          <Choice
            word="SVG"
            about="picture, scales"
            onChoose={() => attempt(() => save("svg"))}
          />
          <Choice
            word="Copy picture"
            about="PNG"
            onChoose={() => attempt(copyPicture)}
          />
          <Switch word="Light colours" value={light} onChange={setLight} />
          <Switch
            word="Transparent background"
            value={clear}
            onChange={setClear}
          />
        </>
      ) : null}
      {tables.map(({ of = "", csv }) => (
        <Choice
          key={of}
          word="CSV"
          about={of === "" ? "numbers" : of}
          onChoose={() =>
            attempt(async () => saveFile(csvFile(await csv()), name(of, "csv")))
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
  );
}

interface SwitchProps {
  readonly word: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

function Switch({ word, value, onChange }: SwitchProps) {
  return (
    <label className="save-picture-switch small">
      <input
        type="checkbox"
        checked={value}
        onChange={(event) => onChange(event.target.checked)}
      />
      {word}
    </label>
  );
}
