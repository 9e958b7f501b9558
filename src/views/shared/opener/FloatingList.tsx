/** A list of choices beside the button that opened it: one is chosen, or none, and the list closes. */
import {
  Header,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Popover,
} from "react-aria-components";
import type { Floating } from "./Opener";
import "./opener.css";

export interface ListChoice {
  readonly key: string;
  readonly text: string;
  /** What is read out and typed for it, if not the text. */
  readonly full?: string;
  /** Beside the text, smaller. */
  readonly note?: string;
  /** On hover. */
  readonly title?: string;
  /** Belongs to the choice above it. */
  readonly isVariant?: boolean;
}

export interface ListSection {
  /** Missing = a line above the section sets it off. */
  readonly title?: string;
  readonly choices: readonly ListChoice[];
}

export interface FloatingListProps extends Floating {
  readonly label: string;
  readonly sections: readonly ListSection[];
  /** The key of what is chosen now, if it is in the list. */
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
}

/** Keys work in the list at once; what is chosen already can be chosen again, which closes the list. */
const AT_ONCE = { autoFocus: true, allowDuplicateSelectionEvents: true };

export function FloatingList(props: FloatingListProps) {
  const { label, sections, selected, onSelect, triggerRef, onOpenChange } =
    props;
  return (
    <Popover
      className="popover"
      aria-label={label}
      placement="bottom end"
      triggerRef={triggerRef}
      isOpen
      onOpenChange={onOpenChange}
    >
      <ListBox
        {...AT_ONCE}
        className="menu"
        aria-label={label}
        shouldFocusOnHover
        shouldSelectOnPressUp
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={selected === null ? [] : [selected]}
        onSelectionChange={(keys) => {
          const [key] = keys === "all" ? [] : [...keys];
          onOpenChange(false);
          if (key !== undefined) onSelect(String(key));
        }}
      >
        {sections.map((section, index) => (
          <Section key={section.title ?? index} {...section} index={index} />
        ))}
      </ListBox>
    </Popover>
  );
}

function Section({
  title,
  choices,
  index,
}: ListSection & { readonly index: number }) {
  const items = choices.map((choice) => (
    <ListBoxItem
      key={choice.key}
      id={choice.key}
      textValue={choice.full ?? choice.text}
      className={choice.isVariant ? "menu-item menu-variant" : "menu-item"}
    >
      <span title={choice.title}>{choice.text}</span>
      {choice.note === undefined ? null : (
        <span className="menu-note">{choice.note}</span>
      )}
    </ListBoxItem>
  ));
  if (title === undefined)
    return index === 0 ? (
      <>{items}</>
    ) : (
      <ListBoxSection className="menu-part" aria-label="More">
        {items}
      </ListBoxSection>
    );
  return (
    <ListBoxSection>
      <Header className="menu-header">{title}</Header>
      {items}
    </ListBoxSection>
  );
}
