/** A list of choices next to the button that opened it. Choosing an item closes it. */
import {
  Header,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Popover,
} from "react-aria-components";
import type { PopoverProps } from "react-aria-components";
import type { Floating } from "./floating";
import "./opener.css";

export interface ListChoice {
  readonly key: string;
  readonly text: string;
  /** The text for screen readers and typing, if it differs. */
  readonly full?: string;
  /** A smaller text next to it. */
  readonly note?: string;
  /** What the choice is, below its text. */
  readonly about?: string;
  /** A tip on hover. */
  readonly title?: string;
  /** Whether the choice is a variant of the one above it. */
  readonly isVariant?: boolean;
}

export interface ListSection {
  /** The title of the section; missing = a line separates the section. */
  readonly title?: string;
  readonly choices: readonly ListChoice[];
}

export interface FloatingListProps extends Floating {
  readonly label: string;
  readonly placement?: PopoverProps["placement"];
  readonly sections: readonly ListSection[];
  /** The key of the current choice, if it is in the list. */
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
}

/** The list has the focus when it opens; choosing the current item again closes it. */
const AT_ONCE = { autoFocus: true, allowDuplicateSelectionEvents: true };

export function FloatingList(props: FloatingListProps) {
  const { label, placement = "bottom end", sections, selected } = props;
  const { onSelect, triggerRef, onOpenChange } = props;
  return (
    <Popover
      className="popover"
      lang="en"
      aria-label={label}
      placement={placement}
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
      {choice.about === undefined ? (
        <span title={choice.title}>{choice.text}</span>
      ) : (
        <span className="menu-about">
          <b>{choice.text}</b> <span>{choice.about}</span>
        </span>
      )}
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
