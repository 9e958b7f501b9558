/** Opens the forms in which the page can be shared; they load on use. */
import { lazy } from "react";
import { Icon } from "../../views/shared/Icon";
import { FloatingDialog, Opener } from "../../views/shared/opener/Opener";
import { useApp } from "../context";

const ShareMenu = lazy(() =>
  import("./ShareMenu").then((module) => ({ default: module.ShareMenu })),
);

export function ShareButton({ hasIcon = false }) {
  const isEmpty = useApp(
    ({ screen, trace }) => screen === "replay" && trace === undefined,
  );
  return (
    <Opener
      opens="dialog"
      className="btn"
      disabled={isEmpty}
      face={
        <>
          {hasIcon ? <Icon name="share" /> : null}
          Share
        </>
      }
    >
      {(floating) => (
        <FloatingDialog {...floating} label="Share" className="share-menu">
          {() => <ShareMenu />}
        </FloatingDialog>
      )}
    </Opener>
  );
}
