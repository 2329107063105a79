import type { AlterTableCmd, Node, RangeVar } from "libpg-query";

/** `including defaults` of a `like` clause. */
const includingDefaults = 1 << 3;

type NameOf = (relation: RangeVar) => string;

/** A table that becomes a partition of one with its name. */
interface Step {
  /** Its name, before and as that of the new table. */
  table: string;
  /** Its name afterwards. */
  partition: string;
}

/**
 * The statements of a migration that put a table into a partitioned one of the same name and columns,
 * which the release before does not notice: the old table is renamed, the new one made `like` it with
 * its defaults, the old one attached, and another partition takes every other row, so that none is
 * refused. A column that is no longer an identity has a default in the new table. Empty where a part
 * of it is missing.
 */
export function partitioningInPlace(statements: readonly Node[], nameOf: NameOf): Set<Node> {
  const steps = statements.flatMap((statement) => renameIn(statement, nameOf));
  return new Set(
    steps.flatMap((step) => {
      const parts = statements.filter((statement) => isPartOf(statement, step, nameOf));
      const takesTheRest = statements.some((each) => isDefaultPartition(each, step.table, nameOf));
      return takesTheRest && isWhole(parts, step, nameOf) ? parts : [];
    }),
  );
}

function renameIn(statement: Node, nameOf: NameOf): Step[] {
  if (!("RenameStmt" in statement)) return [];
  const { renameType, relation, newname } = statement.RenameStmt;
  if (renameType !== "OBJECT_TABLE" || relation === undefined || newname === undefined) return [];
  return [{ table: nameOf(relation), partition: nameOf({ ...relation, relname: newname }) }];
}

function isPartOf(statement: Node, step: Step, nameOf: NameOf): boolean {
  if (renameIn(statement, nameOf).some(({ table }) => table === step.table)) return true;
  if (isPartitionedLike(statement, step, nameOf)) return true;
  const { on, commands } = alterations(statement, nameOf);
  if (on === step.partition) return commands.every(({ subtype }) => subtype === "AT_DropIdentity");
  return (
    on === step.table &&
    commands.every(
      (command) => hasDefault(command) || attachedIn(command, nameOf) === step.partition,
    )
  );
}

function isWhole(parts: readonly Node[], step: Step, nameOf: NameOf): boolean {
  const commandsOn = (table: string) =>
    parts.flatMap((part) => {
      const { on, commands } = alterations(part, nameOf);
      return on === table ? commands : [];
    });
  const ofTable = commandsOn(step.table);
  const defaults = ofTable.filter(hasDefault).map(({ name }) => name);
  return (
    parts.some((part) => isPartitionedLike(part, step, nameOf)) &&
    ofTable.some((command) => attachedIn(command, nameOf) === step.partition) &&
    commandsOn(step.partition).every(({ name }) => defaults.includes(name))
  );
}

function isPartitionedLike(statement: Node, step: Step, nameOf: NameOf): boolean {
  if (!("CreateStmt" in statement)) return false;
  const { relation, partspec, tableElts = [], constraints = [] } = statement.CreateStmt;
  const [element] = tableElts;
  if (relation === undefined || nameOf(relation) !== step.table || partspec === undefined) {
    return false;
  }
  if (tableElts.length !== 1 || constraints.length > 0 || element === undefined) return false;
  if (!("TableLikeClause" in element)) return false;
  const { relation: model, options = 0 } = element.TableLikeClause;
  return (
    model !== undefined && nameOf(model) === step.partition && (options & includingDefaults) !== 0
  );
}

/** Whether a statement makes the partition of a table for rows that fit no other one. */
function isDefaultPartition(statement: Node, table: string, nameOf: NameOf): boolean {
  if (!("CreateStmt" in statement)) return false;
  const { inhRelations = [], partbound } = statement.CreateStmt;
  return (
    partbound?.is_default === true &&
    inhRelations.some((node) => "RangeVar" in node && nameOf(node.RangeVar) === table)
  );
}

function alterations(
  statement: Node,
  nameOf: NameOf,
): { on: string | undefined; commands: AlterTableCmd[] } {
  if (!("AlterTableStmt" in statement)) return { on: undefined, commands: [] };
  const { relation, cmds = [] } = statement.AlterTableStmt;
  return {
    on: relation && nameOf(relation),
    commands: cmds.flatMap((node) => ("AlterTableCmd" in node ? [node.AlterTableCmd] : [])),
  };
}

function hasDefault({ subtype, def }: AlterTableCmd): boolean {
  return subtype === "AT_ColumnDefault" && def !== undefined;
}

function attachedIn({ subtype, def }: AlterTableCmd, nameOf: NameOf): string | undefined {
  if (subtype !== "AT_AttachPartition" || def === undefined || !("PartitionCmd" in def)) {
    return undefined;
  }
  const { name } = def.PartitionCmd;
  return name && nameOf(name);
}
