/** Messages above the pictures: an import in progress or just finished, errors, notes. */
import { lazy } from "react";
import type { Notice } from "../../state/store";
import { Sentence } from "../../views/import/Sentence";
import { Icon } from "../../views/shared/Icon";
import { useActions, useApp } from "../context";
import { CopyDiagnostics } from "./CopyDiagnostics";
import { Part } from "./Breakdown";
import "./messages.css";

const GenerateProgress = lazy(() =>
  import("../../views/generate/GenerateProgress").then((module) => ({
    default: module.GenerateProgress,
  })),
);

const ImportProgress = lazy(() =>
  import("../../views/import/ImportProgress").then((module) => ({
    default: module.ImportProgress,
  })),
);

const ImportNotice = lazy(() =>
  import("./ImportNotice").then((module) => ({
    default: module.ImportNotice,
  })),
);

export interface MessagesProps {
  /** The import dialog shows its own progress. */
  readonly isImportOpen: boolean;
  /** Reopens the latest imported file to read it in another way. */
  readonly onAgain: () => void;
  /** The generate dialog also shows its own progress. */
  readonly isGenerateOpen: boolean;
}

export function Messages(props: MessagesProps) {
  const { isImportOpen, isGenerateOpen, onAgain } = props;
  const isInPage = useApp(({ screen }) => screen === "samples");
  const notices = useApp((state) => state.notices);
  const importing = useApp((state) => state.importing);
  const generating = useApp((state) => state.generating);
  const showsImport = useApp((state) => state.showsImport);
  const { dismiss, cancelImport, cancelGenerate, reportUnexpected } =
    useActions();
  return (
    <div className="messages">
      <Part onError={reportUnexpected}>
        {importing && !isImportOpen ? (
          <ImportProgress {...importing} onCancel={cancelImport} />
        ) : null}
        {generating && !isGenerateOpen ? (
          <GenerateProgress {...generating} onCancel={cancelGenerate} />
        ) : null}
      </Part>
      <div aria-live="polite" className="messages-list">
        {notices.map((notice) => (
          <Message
            key={notice.id}
            notice={notice}
            onDismiss={() => dismiss(notice.id)}
          />
        ))}
      </div>
      {isInPage || !showsImport ? null : (
        <Part onError={reportUnexpected}>
          <ImportNotice onAgain={onAgain} />
        </Part>
      )}
    </div>
  );
}

interface MessageProps {
  readonly notice: Notice;
  readonly onDismiss: () => void;
}

function Message({ notice, onDismiss }: MessageProps) {
  const { tone, text, button } = notice;
  return (
    <div
      className="message"
      role={tone === "error" ? "alert" : "status"}
      data-testid="notice"
    >
      <div className="message-text">
        <p>
          <Sentence text={text} />
        </p>
        {button ? (
          <button type="button" className="btn" onClick={button.onPress}>
            {button.label}
          </button>
        ) : null}
        {tone === "error" ? <CopyDiagnostics /> : null}
      </div>
      <button
        type="button"
        className="btn quiet icon"
        aria-label="Dismiss"
        onClick={onDismiss}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
