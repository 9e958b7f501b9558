/** The words of the lessons in English, by the path of their file. */
export const lessons = import.meta.glob<string>("/lessons/*/en.md", {
  eager: true,
  query: "?raw",
  import: "default",
});
