/** The TLB blocks of a memory cache: how many there are, and the ways of the set that the page belongs to. */
import type { BlocksView } from "../../engine/generated/BlocksView";
import { blockCells, blocksInUse } from "../../model/tlb/blocks";
import type { BlockCell } from "../../model/tlb/blocks";
import "./blocks.css";

export function Blocks({ blocks }: { readonly blocks: BlocksView }) {
  const cells = blockCells(blocks);
  return (
    <div className="tlb-array tlb-array-titled">
      <div className="tlb-title">
        <b>TLB blocks in {blocks.cache}</b>
        <span>{blocksInUse(blocks)}</span>
        <span className="blocks-set">set {blocks.set}</span>
      </div>
      <ol className="blocks">
        {cells.map((cell, way) => (
          <Way key={way} cell={cell} />
        ))}
      </ol>
    </div>
  );
}

function Way({ cell }: { readonly cell: BlockCell }) {
  const { kind, mark, label, text, pages } = cell;
  return (
    <li
      className={`blocks-way blocks-${mark ?? kind}`}
      title={text}
      aria-label={text}
    >
      <span>{label}</span>
      {kind === "block" ? (
        <span className="blocks-pages">
          {pages.map((held, page) => (
            <i key={page} data-held={held || undefined} />
          ))}
        </span>
      ) : null}
    </li>
  );
}
