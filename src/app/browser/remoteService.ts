/** Fetches traces from other addresses: without credentials, and without telling which page asks. */
import type { RemoteService } from "../../state/import/remoteService";
import { received } from "./received";
import { served } from "./served";

const OMIT = { credentials: "omit", referrerPolicy: "no-referrer" } as const;

export const remoteService: RemoteService = {
  served,
  resolve: (wanted) => {
    let url;
    try {
      url = new URL(wanted, document.baseURI);
    } catch {
      throw new Error(`“${wanted.slice(0, 200)}” is no address.`);
    }
    const isOwn = url.origin === location.origin;
    if (!isOwn && url.protocol !== "https:")
      throw new Error(
        `“${url.href.slice(0, 200)}” does not begin with https:, and only such addresses are fetched.`,
      );
    if (url.username !== "" || url.password !== "")
      throw new Error("the address has a user or a password.");
    url.hash = "";
    return { address: url.href, host: url.host, isOwn };
  },
  look: async (address, signal) => {
    const answer = await fetch(address, { ...OMIT, method: "HEAD", signal });
    if (!answer.ok) return undefined;
    return { address: answer.url, size: sizeOf(answer) };
  },
  fetch: async (address, { signal, onProgress }) => {
    const answer = await fetch(address, { ...OMIT, signal }).catch(
      (thrown: unknown) => {
        if (signal.aborted) throw thrown;
        throw new Error(
          "there is no connection, or its server does not allow other sites to read it (CORS). Download it, and import the file.",
        );
      },
    );
    if (!answer.ok)
      throw new Error(
        answer.status === 404
          ? "its server has no such file (404)."
          : `its server answered ${answer.status}.`,
      );
    if (answer.url !== address) {
      await answer.body?.cancel();
      throw new Error(
        `the address leads on to ${answer.url}. Open that address if you trust it.`,
      );
    }
    const total = sizeOf(answer);
    return received(answer, (done) => onProgress(done, total));
  },
};

/** Browsers unpack some files on the way: the size is then that of the packed file, and tells nothing. */
function sizeOf({ headers }: Response): number | undefined {
  const length = Number(headers.get("content-length") ?? NaN);
  const isPacked = headers.get("content-encoding") !== null;
  return Number.isSafeInteger(length) && !isPacked ? length : undefined;
}
