/** Opens the forms in which the page can be shared; they load on use. */
import { lazy } from "react";
import { Icon } from "../../views/shared/Icon";
import { FloatingDialog, Opener } from "../../views/shared/opener/Opener";
import { useApp } from "../context";
import { useSpoken } from "../language/spoken";

const ShareMenu = lazy(() =>
  import("./ShareMenu").then((module) => ({ default: module.ShareMenu })),
);

export function ShareButton({ hasIcon = false }) {
  const { share } = useSpoken().nav;
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
          {share}
        </>
      }
    >
      {(floating) => (
        <FloatingDialog {...floating} label={share} className="share-menu">
          {() => <ShareMenu />}
        </FloatingDialog>
      )}
    </Opener>
  );
}
