/** What is detected in builds; invented names. */
export interface Technology {
  readonly section: "Engine" | "SDK" | "AntiCheat" | "Graphics";
  readonly technology: string;
}

/** One per game; the first are the most common. */
export const engines: readonly Technology[] = [
  { section: "Engine", technology: "Lumenforge" },
  { section: "Engine", technology: "Hexline" },
  { section: "Engine", technology: "OpenParapet" },
  { section: "Engine", technology: "Pixelmill" },
  { section: "Engine", technology: "Storyloom" },
  { section: "Engine", technology: "Granite4" },
];

/** Any number per game. */
export const libraries: readonly Technology[] = [
  { section: "SDK", technology: "Quarrel_Physics" },
  { section: "SDK", technology: "Tidewave_Audio" },
  { section: "SDK", technology: "Lobbyist" },
  { section: "SDK", technology: "Reelstrip_Video" },
  { section: "SDK", technology: "Parley_Voice" },
  { section: "SDK", technology: "Scribe_Fonts" },
  { section: "AntiCheat", technology: "Watchgoose" },
  { section: "AntiCheat", technology: "FairSeal" },
  { section: "Graphics", technology: "Upscale_Lens" },
  { section: "Graphics", technology: "Raybranch" },
];
