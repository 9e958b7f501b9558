/** Gives the components of this folder the store and the actions. Views get props instead. */
import { createContext, useContext } from "react";
import { useStore } from "zustand/react";
import type { Actions } from "../state/actions";
import type { AppState, AppStore } from "../state/store";

export interface App {
  readonly store: AppStore;
  readonly actions: Actions;
}

export const AppContext = createContext<App | undefined>(undefined);

function useContextApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("There is no AppContext above this component.");
  return app;
}

export function useApp<T>(select: (state: AppState) => T): T {
  return useStore(useContextApp().store, select);
}

export function useActions(): Actions {
  return useContextApp().actions;
}

export function useAppStore(): AppStore {
  return useContextApp().store;
}
