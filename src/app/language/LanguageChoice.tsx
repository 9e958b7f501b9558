import { LANGUAGES } from "../../model/texts/language";
import { Segmented } from "../../views/shared/Segmented";
import { useActions } from "../context";
import { NAMES } from "./names";
import { chooseLanguage } from "./speak";
import { useSpoken } from "./spoken";

const CHOICES = LANGUAGES.map((value) => ({
  value,
  label: NAMES[value],
  lang: value,
}));

export function LanguageChoice({ label }: { readonly label: string }) {
  const { language, onSpeak } = useSpoken();
  const { reportUnexpected } = useActions();
  return (
    <Segmented
      label={label}
      choices={CHOICES}
      value={language}
      onChange={(value) =>
        void chooseLanguage(value).then(onSpeak, reportUnexpected)
      }
    />
  );
}
