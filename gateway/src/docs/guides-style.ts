/** Style of the guides; the colours and sizes are those of `packages/explorer/src/styles/tokens.css`. */
export const guidesStyle = `:root {
  color-scheme: light dark;
  --ground: light-dark(#faf8f4, #131210);
  --surface: light-dark(#ffffff, #1c1a17);
  --sunken: light-dark(#f1ede5, #24221e);
  --ink: light-dark(#1b1a17, #f2eee6);
  --ink-soft: light-dark(#5d584e, #aba598);
  --line: light-dark(#e2dccf, #322f29);
  --line-strong: light-dark(#b9b1a1, #5c564b);
  --accent: light-dark(#b8361a, #ff8261);
  --focus: light-dark(#1f5fd6, #7db0ff);
  --text-s: 0.8125rem;
  --text-m: 0.9375rem;
  --text-l: 1.125rem;
  --text-xl: 1.5rem;
  --text-2xl: clamp(1.75rem, 1.3rem + 1.8vw, 2.5rem);
  --radius-s: 6px;
  --radius: 10px;
  --gutter: clamp(1rem, 3vw, 2rem);
  --header: 64px;
}
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: calc(var(--header) + 1rem); -webkit-text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 400 var(--text-m) / 1.6 "Figtree", system-ui, sans-serif;
}
a { color: inherit; text-underline-offset: 0.18em; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
header {
  position: sticky;
  top: 0;
  z-index: 1;
  display: flex;
  align-items: center;
  gap: 1rem;
  min-height: var(--header);
  padding: 0 var(--gutter);
  background: var(--surface);
  border-bottom: 1px solid var(--line);
}
.brand { font-weight: 800; text-decoration: none; }
form { position: relative; flex: 1; max-width: 28rem; margin-left: auto; }
input {
  width: 100%;
  height: 2.5rem;
  padding: 0 0.75rem;
  border: 1px solid var(--line-strong);
  border-radius: var(--radius);
  background: var(--ground);
  color: inherit;
  font: inherit;
}
input::placeholder { color: var(--ink-soft); opacity: 1; }
form ul {
  position: absolute;
  inset: 100% 0 auto;
  max-height: 70vh;
  margin: 0.25rem 0 0;
  padding: 0.5rem;
  overflow-y: auto;
  list-style: none;
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: var(--radius);
}
form ul:empty { display: none; }
form li { padding: 0.25rem 0.5rem; }
form small { color: var(--ink-soft); }
.columns {
  display: grid;
  grid-template-columns: 15rem minmax(0, 48rem);
  gap: 3rem;
  padding: 1.5rem var(--gutter) 4rem;
}
nav { font-size: var(--text-s); }
nav > ul {
  position: sticky;
  top: calc(var(--header) + 1.5rem);
  max-height: calc(100vh - var(--header) - 3rem);
  overflow-y: auto;
}
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: 0.25rem 0.5rem; border-radius: var(--radius-s); text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { background: var(--sunken); }
nav a[aria-current] { color: var(--accent); font-weight: 700; }
nav ul ul { color: var(--ink-soft); }
.d2 > a { padding-left: 1.25rem; }
.d3 > a { padding-left: 2rem; }
h1, h2, h3, h4 { margin: 2em 0 0.5em; line-height: 1.2; letter-spacing: -0.015em; text-wrap: balance; overflow-wrap: anywhere; }
h1 { margin-top: 0; font-size: var(--text-2xl); font-weight: 800; }
h2 { font-size: var(--text-xl); }
h3 { font-size: var(--text-l); }
h4 { font-size: var(--text-m); }
main a { color: var(--accent); }
code { padding: 0.1em 0.3em; border-radius: var(--radius-s); background: var(--sunken); font-size: 0.9em; overflow-wrap: anywhere; }
pre { padding: 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: var(--radius); background: var(--sunken); line-height: 1.45; }
pre code { padding: 0; overflow-wrap: normal; }
.table { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td code { overflow-wrap: normal; }
@media (max-width: 52rem) {
  header { flex-wrap: wrap; padding-block: 0.625rem; }
  form { order: 1; flex-basis: 100%; max-width: none; }
  header > a:last-child { margin-left: auto; }
  .columns { grid-template-columns: minmax(0, 1fr); gap: 1.5rem; }
  nav > ul { position: static; max-height: none; }
  nav ul ul { display: none; }
}
`;
