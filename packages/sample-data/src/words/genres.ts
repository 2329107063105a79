import type { Genre } from "./genre.ts";
import cityBuilder from "./genres/city-builder.json" with { type: "json" };
import detective from "./genres/detective.json" with { type: "json" };
import exploration from "./genres/exploration.json" with { type: "json" };
import farming from "./genres/farming.json" with { type: "json" };
import partyRhythm from "./genres/party-rhythm.json" with { type: "json" };
import platformer from "./genres/platformer.json" with { type: "json" };
import puzzle from "./genres/puzzle.json" with { type: "json" };
import racing from "./genres/racing.json" with { type: "json" };
import roguelike from "./genres/roguelike.json" with { type: "json" };
import rolePlaying from "./genres/role-playing.json" with { type: "json" };
import shooter from "./genres/shooter.json" with { type: "json" };
import spaceSimulation from "./genres/space-simulation.json" with { type: "json" };
import sports from "./genres/sports.json" with { type: "json" };
import strategy from "./genres/strategy.json" with { type: "json" };
import survivalHorror from "./genres/survival-horror.json" with { type: "json" };

/** Every genre; a game has exactly one. */
export const genres = [
  cityBuilder,
  detective,
  exploration,
  farming,
  partyRhythm,
  platformer,
  puzzle,
  racing,
  roguelike,
  rolePlaying,
  shooter,
  spaceSimulation,
  sports,
  strategy,
  survivalHorror,
] as readonly Genre[];
