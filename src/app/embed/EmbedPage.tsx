/** One view of the app in a frame of another page: `?embed=walk`, `tlb`, `code` or `lesson`. */
import { lazy, useEffect, useRef } from "react";
import type { ReactNode } from "react";
import type { Snapshot } from "../../engine/engine";
import type { MachineView } from "../../engine/generated/MachineView";
import { coreText, shownCores, stepOn } from "../../model/config/cores";
import { count } from "../../model/shared/format";
import { EMBEDS } from "../../model/permalink/shareText";
import type { Embed } from "../../model/permalink/shareText";
import { TlbPanel } from "../../views/tlb/TlbPanel";
import {
  PlayButton,
  TransportButton,
} from "../../views/transport/TransportButton";
import { WalkPanel } from "../../views/walk/WalkPanel";
import { addressOf } from "../browser/address";
import { useActions, useApp, useAppStore } from "../context";
import { Around } from "../frame/Around";
import { Part } from "../frame/Breakdown";
import { Messages } from "../frame/Messages";
import { useKeys } from "../frame/useKeys";
import { useIsPhone } from "../shared/useMedia";
import { postHeight } from "./postHeight";
import "../replay/replay.css";
import "./embed.css";

const NestedPanels = lazy(() =>
  import("../../views/walk/NestedPanels").then((module) => ({
    default: module.NestedPanels,
  })),
);
const RemoteDialog = lazy(() =>
  import("../import/RemoteDialog").then((module) => ({
    default: module.RemoteDialog,
  })),
);
const CodeScreen = lazy(() =>
  import("../code/CodeScreen").then((module) => ({
    default: module.CodeScreen,
  })),
);

const LearnScreen = lazy(() =>
  import("../learn/LearnScreen").then((module) => ({
    default: module.LearnScreen,
  })),
);

const nothing = () => {};

export function EmbedPage({ wanted }: { readonly wanted: string }) {
  const store = useAppStore();
  const actions = useActions();
  const isRemote = useApp(({ remote }) => remote !== undefined);
  const root = useRef<HTMLDivElement>(null);
  const embed = EMBEDS.find((each) => each === wanted);
  useEffect(() => (root.current ? postHeight(root.current) : undefined), []);
  useKeys({
    store,
    actions,
    openDialog: nothing,
    toggleEditor: nothing,
    toggleTotals: nothing,
  });
  return (
    <Around>
      <div ref={root} className="embed" lang="en" data-embed={embed}>
        <Part>
          {embed === undefined ? (
            <p className="embed-none" role="alert">
              “embed” must be {EMBEDS.join(", ")}, not “{wanted.slice(0, 40)}”.
            </p>
          ) : embed === "code" ? (
            <CodeScreen />
          ) : embed === "lesson" ? (
            <LearnScreen />
          ) : (
            <View embed={embed} />
          )}
        </Part>
        <Bar hasSteps={embed === "walk" || embed === "tlb"} />
        <Messages
          isImportOpen={false}
          onAgain={nothing}
          isGenerateOpen={false}
        />
        {isRemote ? (
          <Part>
            <RemoteDialog />
          </Part>
        ) : null}
      </div>
    </Around>
  );
}

function View({
  embed,
}: {
  readonly embed: Exclude<Embed, "code" | "lesson">;
}) {
  const machine = useApp((state) => state.machine);
  const snapshot = useApp((state) => state.snapshot);
  const stale = useApp((state) => state.stale);
  const task = useApp((state) => state.task);
  return (
    <main className="embed-view" data-stale={stale || undefined}>
      {machine && snapshot ? (
        <Picture embed={embed} machine={machine} snapshot={snapshot} />
      ) : (
        <p className="embed-none" role="status">
          {task ? `${task.label} …` : "No trace is open."}
        </p>
      )}
    </main>
  );
}

interface PictureProps {
  readonly embed: Exclude<Embed, "code" | "lesson">;
  readonly machine: MachineView;
  readonly snapshot: Snapshot;
}

function Picture({ embed, machine, snapshot }: PictureProps): ReactNode {
  const { step, columns, core } = snapshot;
  const cores = useApp(
    ({ configuration }) => configuration?.setup.cores ?? "one",
  );
  const pinned = useApp(({ pinned }) =>
    pinned?.machine === machine ? pinned.structure : null,
  );
  const { goTo, jump, pin, showCore } = useActions();
  const phone = useIsPhone();
  const shared = { machine, low: true };
  const onNextWalk = () => void jump({ what: "walk" }, 1);
  const tlb = (
    <TlbPanel
      {...shared}
      phone={phone}
      step={stepOn(step, core)}
      columns={columns}
      pinned={pinned}
      onPin={(structure) => pin(structure ?? undefined)}
      core={coreText(cores, step.access)}
      cores={{
        choices: shownCores(step, cores, core),
        shown: core,
        onChange: (core) => void showCore(core),
      }}
      onSeek={(index) => void goTo(index)}
    />
  );
  if (embed === "tlb") return tlb;
  if (step.translations[0]?.nested)
    return (
      <NestedPanels
        {...shared}
        step={step}
        phone={phone}
        columns={columns}
        side="walk"
        onSide={nothing}
        tlb={null}
        onStructure={nothing}
        onNextWalk={onNextWalk}
      />
    );
  return <WalkPanel {...shared} step={step} onNextWalk={onNextWalk} />;
}

/** Previous, play and next, and the way to the whole app. */
function Bar({ hasSteps }: { readonly hasSteps: boolean }) {
  const store = useAppStore();
  const cursor = useApp((state) => state.cursor);
  const last = useApp((state) => (state.trace?.n_accesses ?? 1) - 1);
  const access = useApp((state) => state.snapshot?.step.access);
  const playing = useApp((state) => state.playing);
  const { step, play, pause } = useActions();
  const disabled = access === undefined ? "No trace is open yet." : undefined;
  const link = useRef<HTMLAnchorElement>(null);
  /** The address of the moment, without the view. */
  const follow = () => {
    const address = new URL(addressOf(store.getState()));
    address.searchParams.delete("embed");
    if (link.current) link.current.href = address.href;
  };
  return (
    <footer className="embed-bar">
      {hasSteps ? (
        <>
          <TransportButton
            move="back"
            reason={
              disabled ??
              (cursor <= 0 ? "This is the first access." : undefined)
            }
            onMove={() => void step(-1)}
          />
          <PlayButton
            playing={playing}
            reason={disabled}
            onPlay={(to) => (to ? play() : pause())}
          />
          <TransportButton
            move="step"
            reason={
              disabled ??
              (cursor >= last ? "This is the last access." : undefined)
            }
            onMove={() => void step(1)}
          />
          <span className="embed-access">
            access <b>{count(cursor)}</b>
            {access ? (
              <>
                : {access.kind} <b className="mono">{access.address}</b>
              </>
            ) : null}
          </span>
        </>
      ) : null}
      <a
        ref={link}
        className="embed-open"
        href="./"
        target="_blank"
        rel="noopener"
        onClick={follow}
        onFocus={follow}
        onPointerEnter={follow}
      >
        Open in Pagewalk
      </a>
    </footer>
  );
}
