/** Finds a command, a screen, an example, a CPU, an experiment or a term by its words. */
import { useEffect, useMemo, useState } from "react";
import {
  Autocomplete,
  Collection,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  SearchField,
  useFilter,
} from "react-aria-components";
import type { Card } from "../../model/glossary/cards";
import { useActions, useAppStore } from "../context";
import { loadGlossary } from "../glossary/texts";
import { useSpoken } from "../language/spoken";
import { Modal } from "../shared/Modal";
import { commandGroups, matches } from "./commands";
import type { Dialog } from "./useKeys";
import "./palette.css";

export interface PaletteProps {
  readonly onClose: () => void;
  readonly onDialog: (dialog: Dialog) => void;
}

const NONE: readonly Card[] = [];

export function Palette({ onClose, onDialog }: PaletteProps) {
  const store = useAppStore();
  const actions = useActions();
  const { language, nav } = useSpoken();
  const [cards, setCards] = useState(NONE);
  const [experiments, setExperiments] = useState(
    () => store.getState().experiments,
  );
  const { contains } = useFilter({ sensitivity: "base" });
  const { loadExperiments } = actions;
  useEffect(() => {
    // Without them, the other commands stay.
    void loadGlossary(language).then(
      ({ cards }) => setCards(cards),
      () => undefined,
    );
    void loadExperiments().then(() =>
      setExperiments(store.getState().experiments),
    );
  }, [store, language, loadExperiments]);
  const groups = useMemo(
    () =>
      commandGroups(
        { ...store.getState(), ...(experiments && { experiments }) },
        { actions, openDialog: onDialog, names: nav.screens, cards },
      ),
    [store, actions, onDialog, nav, cards, experiments],
  );
  const run = (id: string) => {
    onClose();
    const all = groups.flatMap(({ commands }) => commands);
    all.find((command) => command.id === id)?.run();
  };
  return (
    <Modal title="Commands" onClose={onClose} wide>
      <Autocomplete filter={(text, typed) => matches(text, typed, contains)}>
        <SearchField
          className="palette-search"
          aria-label="Find a command"
          // The purpose of the dialog is to type in it.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
        >
          <Input
            className="field palette-field"
            placeholder="walk, Zen 2, huge pages, …"
          />
        </SearchField>
        <Menu
          className="palette"
          aria-label="Commands"
          onAction={(key) => run(String(key))}
          renderEmptyState={() => (
            <p className="palette-empty t2">Nothing has all these words.</p>
          )}
        >
          <Collection
            items={groups.filter(({ commands }) => commands.length > 0)}
          >
            {({ title, commands }) => (
              <MenuSection id={title}>
                <Header className="menu-header">{title}</Header>
                <Collection items={commands}>
                  {({ id, text, also, note }) => (
                    <MenuItem
                      id={id}
                      className="menu-item palette-item"
                      textValue={`${text} ${also ?? ""} ${title}`}
                    >
                      <span>{text}</span>
                      {note === undefined ? null : (
                        <kbd className="menu-note">{note}</kbd>
                      )}
                    </MenuItem>
                  )}
                </Collection>
              </MenuSection>
            )}
          </Collection>
        </Menu>
      </Autocomplete>
    </Modal>
  );
}
