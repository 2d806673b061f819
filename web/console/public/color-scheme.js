// Runs before the page is painted, so that a dark page does not flash white. It is a file because the page allows no
// inline script.
{
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
  } catch {
    // If storage is forbidden, the system's scheme applies.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
}
