import { render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { AppContext } from "../../../src/app/context";
import { ScreenNav } from "../../../src/app/frame/ScreenNav";
import { offeredLanguage } from "../../../src/app/language/LanguageOffer";
import { SpokenRoot } from "../../../src/app/language/SpokenRoot";
import { chooseLanguage, speak } from "../../../src/app/language/speak";
import { wantedLanguage } from "../../../src/app/language/storedLanguage";
import { languageOf } from "../../../src/model/texts/language";
import { createApp } from "../../state/app";

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  history.replaceState(null, "", "/");
  document.documentElement.lang = "en";
});

const wanted = (search: string) => wantedLanguage(new URLSearchParams(search));

test.each([
  ["zh", "zh"],
  ["zh-Hans-CN", "zh"],
  ["KO-kr", "ko"],
  ["en-GB", "en"],
  ["kok", undefined],
  ["fr", undefined],
  ["", undefined],
  [null, undefined],
])("the_tag_%s_is_the_language_%s", (tag, language) => {
  expect(languageOf(tag)).toBe(language);
});

test("the_address_goes_before_the_readers_choice_and_neither_is_forced", async () => {
  expect(wanted("")).toBeUndefined();
  await chooseLanguage("ko");
  expect(wanted("")).toBe("ko");
  expect(wanted("?lang=zh")).toBe("zh");
  expect(wanted("?lang=fr")).toBe("ko");
});

test("a_choice_is_in_the_address_before_the_hash_and_on_the_page", async () => {
  history.replaceState(null, "", "/?test=1#trace=chase");
  await chooseLanguage("zh");
  expect(location.search + location.hash).toBe("?test=1&lang=zh#trace=chase");
  expect(document.documentElement.lang).toBe("zh");
  // An older entry of the history gets the language of now.
  history.replaceState(null, "", "/?test=1#trace=chase");
  dispatchEvent(new PopStateEvent("popstate"));
  expect(location.search).toBe("?test=1&lang=zh");
  await chooseLanguage("en");
  expect(location.search + location.hash).toBe("?test=1#trace=chase");
  expect(document.documentElement.lang).toBe("en");
});

test("the_language_of_a_link_is_no_choice_of_this_reader", async () => {
  await speak("zh");
  expect(wanted("")).toBeUndefined();
});

test("the_language_of_the_browser_is_offered_until_one_is_chosen", async () => {
  const prefer = (...tags: string[]) =>
    vi.spyOn(navigator, "languages", "get").mockReturnValue(tags);
  prefer("fr-FR", "zh-CN", "en");
  expect(offeredLanguage()).toBe("zh");
  prefer("en-US", "ko");
  expect(offeredLanguage()).toBe("en");
  prefer("fr");
  expect(offeredLanguage()).toBeUndefined();
  prefer("ko-KR");
  history.replaceState(null, "", "/?lang=en");
  expect(offeredLanguage()).toBeUndefined();
  history.replaceState(null, "", "/");
  await chooseLanguage("en");
  expect(offeredLanguage()).toBeUndefined();
});

test("the_navigation_is_in_the_language_of_the_page", async () => {
  const first = await speak("ko");
  render(
    <AppContext value={createApp()}>
      <SpokenRoot first={first}>
        <ScreenNav />
      </SpokenRoot>
    </AppContext>,
  );
  screen.getByRole("navigation", { name: "화면" });
  screen.getByRole("link", { name: "비교" });
});
