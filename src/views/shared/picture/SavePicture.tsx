/**
 * Saves a chart as PNG or SVG, its numbers as CSV, or the page as a link. The picture is the nearest ancestor
 * with the attribute `data-picture`, without elements that have `data-no-picture`. The menu loads on use.
 */
import { lazy, useRef } from "react";
import { Icon } from "../Icon";
import { FloatingDialog, Opener } from "../opener/Opener";
import type { SavePictureProps } from "./SaveMenu";
import "./savePicture.css";

export type { SavePictureProps };

const SaveMenu = lazy(() =>
  import("./SaveMenu").then((module) => ({ default: module.SaveMenu })),
);

export function SavePicture(props: SavePictureProps) {
  const { what } = props;
  const anchor = useRef<HTMLSpanElement>(null);
  return (
    <span ref={anchor} className="save-picture" data-no-picture="">
      <Opener
        opens="dialog"
        className="btn quiet icon save-picture-button"
        aria-label={`Save “${what}”`}
        face={<Icon name="save" size={14} />}
      >
        {(floating) => (
          <FloatingDialog
            {...floating}
            label={`Save “${what}”`}
            className="save-picture-menu"
          >
            {() => (
              <SaveMenu
                {...props}
                root={() => anchor.current?.closest("[data-picture]")}
              />
            )}
          </FloatingDialog>
        )}
      </Opener>
    </span>
  );
}
