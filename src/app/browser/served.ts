/** What `pagewalk open` serves with the page, to the page that has the token. */
import type { ServedService } from "../../state/import/servedService";
import { pageTraces } from "./pageTraces";
import { received } from "./received";

export const served: ServedService = {
  kept: pageTraces(),
  token: () => {
    const address = new URL(location.href);
    const token = address.searchParams.get("opened");
    address.searchParams.delete("opened");
    // Another server at this port has another path.
    const key = `pagewalk.opened ${address.pathname}`;
    if (token !== null) history.replaceState(history.state, "", address);
    try {
      if (token !== null) sessionStorage.setItem(key, token);
      return token ?? sessionStorage.getItem(key) ?? undefined;
    } catch {
      return token ?? undefined;
    }
  },
  fetch: async (token, { signal, onProgress }) => {
    const answer = await fetch(new URL("trace", document.baseURI), {
      headers: { authorization: `Bearer ${token}` },
      referrerPolicy: "no-referrer",
      cache: "no-store",
      signal,
    }).catch((thrown: unknown) => {
      if (signal.aborted) throw thrown;
      throw new Error("the command has ended. Start it again.");
    });
    if (!answer.ok) throw new Error(await answer.text());
    const { headers } = answer;
    const [, word = "trace"] =
      headers.get("content-disposition")?.split("''") ?? [];
    const name = decodeURIComponent(word);
    const size = Number(headers.get("pagewalk-size"));
    onProgress(name, size, 0);
    const file = await received(answer, (done) => onProgress(name, size, done));
    if (file.size !== size)
      throw new Error(
        `“${name}” became shorter while it was read. Reload the page once the file is complete.`,
      );
    return { name, file };
  },
};
