import type { Command } from "./command.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { exportCommand } from "./commands/export.ts";
import { forgetCommand } from "./commands/forget.ts";
import { generateCommand } from "./commands/generate.ts";
import { importCommand } from "./commands/import.ts";
import { ingestCommand } from "./commands/ingest.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { mirrorCommand } from "./commands/mirror.ts";
import { purgeCommand } from "./commands/purge.ts";
import { quarantineCommand } from "./commands/quarantine.ts";
import { rebuildCommand } from "./commands/rebuild.ts";
import { reindexCommand } from "./commands/reindex.ts";
import { startCommand } from "./commands/start.ts";

/** Every command by its name, in the order of the help. */
export const commands: ReadonlyMap<string, Command> = new Map([
  ["start", startCommand],
  ["import", importCommand],
  ["ingest", ingestCommand],
  ["export", exportCommand],
  ["forget", forgetCommand],
  ["mirror", mirrorCommand],
  ["purge", purgeCommand],
  ["generate", generateCommand],
  ["migrate", migrateCommand],
  ["reindex", reindexCommand],
  ["rebuild", rebuildCommand],
  ["quarantine", quarantineCommand],
  ["doctor", doctorCommand],
]);
