import { words } from "./list.ts";

/** The groups of tags, as the import format names them. */
export type TagGroup =
  | "event"
  | "genre"
  | "feature"
  | "epicfeature"
  | "accessibility"
  | "platform"
  | "subscription"
  | "usersay";

/** Names of tags by group; a tag's id follows from its place, so add only at the end of a group. */
export const tagNames: Record<TagGroup, readonly string[]> = {
  genre: [
    ...words(`
      Horror Survival Adventure Psychological Dark Space Simulation Sci-Fi Exploration Trading
      Strategy Management Sandbox Farming Casual Racing Driving Sports Arcade RPG Fantasy Roguelike
      Action Procedural Indie Puzzle Logic Detective Mystery Noir Tactical Historical War Platformer
      Shooter FPS Cyberpunk Party Music Comedy Underwater Crafting
    `),
    "City Builder",
    "Open World",
    "Life Simulation",
    "Dungeon Crawler",
    "Point and Click",
    "Turn-Based Strategy",
  ],
  feature: [
    "Single Player",
    "Multiplayer",
    "Local Multiplayer",
    "Co-op",
    "Online Co-op",
    "Controller Support",
    "Competitive",
    "Team-Based",
    "Character Customization",
    "Level Editor",
  ],
  epicfeature: ["Cloud Saves", "Achievements", "Cross-Platform Play", "Mod Workshop"],
  accessibility: [
    "Colour-Blind Modes",
    "Remappable Controls",
    "Subtitle Options",
    "One-Handed Play",
    "Screen Reader Menus",
  ],
  platform: ["Windows", "Mac OS", "Android", "iOS"],
  subscription: ["Season Library"],
  usersay: [
    "Relaxing",
    "Story Rich",
    "Atmospheric",
    "Difficult",
    "Cute",
    "Realistic",
    "Minimalist",
    "Pixel Art",
    "Family Friendly",
    "Great Soundtrack",
    "Couch Classic",
    "Short and Sweet",
  ],
  event: [
    "Harvest Sale",
    "First Snow Sale",
    "Midsummer Sale",
    "Cherry Blossom Sale",
    "Publisher Weekend",
    "Back-to-School Sale",
    "Rainy Day Deals",
    "Demo Festival",
  ],
};

/** Other names under which a tag is known. */
export const tagAliases: Readonly<Record<string, readonly string[]>> = {
  Roguelike: ["Rogue-Lite", "Roguelite"],
  RPG: ["Role-Playing"],
  FPS: ["First-Person Shooter"],
  "Mac OS": ["macOS", "Mac"],
  Music: ["Rhythm"],
  "Turn-Based Strategy": ["TBS"],
};

/** Tags that are no longer given out but still stand on some offers. */
export const retiredTags: readonly string[] = ["Mod Workshop", "Demo Festival", "Minimalist"];
