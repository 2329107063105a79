// Blocks the first paint, so it does only one thing: apply the stored theme.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden: use the system's theme.
}
