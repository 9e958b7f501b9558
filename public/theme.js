// Before the first paint, so that a chosen theme never flashes the other one.
try {
  const theme = localStorage.getItem("pagewalk.theme");
  if (theme === "light" || theme === "dark")
    document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden (a sandboxed frame): the system's theme then.
}
