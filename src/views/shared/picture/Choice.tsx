import "./savePicture.css";

export interface ChoiceProps {
  readonly word: string;
  readonly about: string;
  readonly onChoose: () => void;
}

/** A row of a menu that saves or copies something. */
export function Choice({ word, about, onChoose }: ChoiceProps) {
  return (
    <button type="button" className="save-picture-choice" onClick={onChoose}>
      {word} <span className="t2 small">{about}</span>
    </button>
  );
}
