/** The tab that the configuration drawer shows. */
export type EditorTab = "machine" | "mapping" | "json";
