/**
 * A page that shows all pictures: `npx vite`, then /tests/pictures/gallery.html?scene=pdeHit. It is
 * not part of the site.
 */
import { createRoot } from "react-dom/client";
import { useState } from "react";
import { AccessBand } from "../../src/views/replay/AccessBand";
import { PatternSheet } from "../../src/views/shared/Patterns";
import { TlbPanel } from "../../src/views/tlb/TlbPanel";
import { WalkPanel } from "../../src/views/walk/WalkPanel";
import { NestedPanels } from "../../src/views/walk/NestedPanels";
import type { NestedSide } from "../../src/views/walk/NestedPanels";
import * as accesses from "./accesses";
import type { Scene } from "./accesses";
import * as nested from "./nestedFixtures";
import "../../src/app/tokens.css";
import "../../src/app/base.css";
import "./gallery.css";

const query = new URLSearchParams(location.search);
const theme = query.get("theme");
if (theme) document.documentElement.dataset.theme = theme;
if (query.get("font") === "wide") {
  document.documentElement.style.setProperty("--font-ui", '"DejaVu Sans"');
  document.documentElement.style.setProperty(
    "--font-mono",
    '"DejaVu Sans Mono"',
  );
}
const scenes: Readonly<Record<string, unknown>> = { ...accesses, ...nested };
const isScene = (value: unknown): value is Scene =>
  typeof value === "object" && value !== null && "columns" in value;
const phone = window.innerWidth < 640;

function Gallery({ scene }: { readonly scene: Scene }) {
  const [which, setWhich] = useState(Number(query.get("which") ?? 0));
  const [pinned, setPinned] = useState<number | null>(
    query.has("pin") ? Number(query.get("pin")) : null,
  );
  const [later, setLater] = useState(0);
  const [side, setSide] = useState<NestedSide>("walk");
  const { machine, columns } = scene;
  const step = { ...scene.step, index: scene.step.index + later };
  const props = { machine, step, which, phone };
  return (
    <>
      <AccessBand {...props} onWhich={setWhich} fly />
      <button
        type="button"
        id="again"
        hidden
        onClick={() => setLater(later + 1)}
      >
        again
      </button>
      {step.translations[which]?.nested ? (
        <div className="main nested-main">
          <NestedPanels
            {...props}
            columns={columns}
            side={side}
            onSide={setSide}
            onNextWalk={() => undefined}
            tlb={<TlbPanel {...props} columns={columns} />}
          />
        </div>
      ) : (
        <div className="main">
          <WalkPanel {...props} onNextWalk={() => undefined} />
          <TlbPanel
            {...props}
            columns={columns}
            pinned={pinned}
            onPin={setPinned}
            onSeek={() => undefined}
          />
        </div>
      )}
    </>
  );
}

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <>
      <PatternSheet />
      {(query.get("scene") ?? "pdeHit").split(",").map((name) => {
        const scene = scenes[name];
        return isScene(scene) ? (
          <Gallery key={name} scene={scene} />
        ) : (
          <p key={name}>no scene {name}</p>
        );
      })}
    </>,
  );
